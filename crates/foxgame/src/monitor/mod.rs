//! Games that a monitor runs (foxgame.md, "The monitor's protocol"): the lines that both ends send, what the monitor says
//! when a game ends, and the agent that plays them.

#[cfg(feature = "agent")]
pub mod client;
#[cfg(feature = "agent")]
pub mod listen;
#[cfg(feature = "agent")]
pub mod options;
#[cfg(feature = "agent")]
pub mod reserve;
#[cfg(feature = "agent")]
pub mod thinker;
mod verdict;
pub mod wire;
