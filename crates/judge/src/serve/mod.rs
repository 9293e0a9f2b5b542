//! Servers. All bind to loopback unless told otherwise.

mod connection;
pub(crate) mod http;
mod places;
pub(crate) mod puzzle;
pub(crate) mod service;
