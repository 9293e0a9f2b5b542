//! The puzzle server's protocol (foxgeese.md, "The server's protocol"): its messages, and a client that plays the geese.

pub mod client;
pub mod messages;

pub use client::{Game, ServerOptions};
pub use messages::{Answer, Request};
