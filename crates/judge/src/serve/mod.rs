//! Servers. All bind to loopback unless told otherwise.

mod connection;
pub mod http;
mod places;
pub mod puzzle;
pub mod service;
