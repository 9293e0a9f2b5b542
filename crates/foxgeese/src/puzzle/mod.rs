//! The protocol of puzzle servers: its messages (`messages.rs`), and a client that plays the geese
//! (`client.rs`).

pub mod client;
pub mod messages;

pub use client::{ServerGame, ServerOptions};
pub use messages::{Answer, Request};
