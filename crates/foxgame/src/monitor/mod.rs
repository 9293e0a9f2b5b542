//! Games over TCP that a monitor, a game server, runs: the line protocol, the monitor's reasons for
//! the end of a game, and the agent's client.

#[cfg(feature = "agent")]
mod client;
#[cfg(feature = "agent")]
pub mod command_line;
#[cfg(feature = "agent")]
pub mod listen;
#[cfg(feature = "agent")]
mod reserve;
#[cfg(feature = "agent")]
pub mod thinker;
mod verdict;
pub mod wire;

#[cfg(feature = "agent")]
pub use client::run;
