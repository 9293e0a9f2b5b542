//! Games over TCP that a monitor, a game server, runs: the line protocol (`wire.rs`), the monitor's
//! reasons for the end of a game (`verdict.rs`), and the agent's client (`client.rs`, `listen.rs`,
//! `reserve.rs`, `thinker.rs`).

#[cfg(feature = "agent")]
pub mod client;
#[cfg(feature = "agent")]
pub mod command_line;
#[cfg(feature = "agent")]
pub mod listen;
#[cfg(feature = "agent")]
pub mod reserve;
#[cfg(feature = "agent")]
pub mod thinker;
mod verdict;
pub mod wire;
