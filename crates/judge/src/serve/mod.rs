//! Servers. All bind to loopback unless told otherwise.

pub mod http;
pub mod puzzle;
