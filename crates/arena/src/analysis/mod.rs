//! The analysis of recorded games. What is found of one position is the crate `analysis`.

pub use ::analysis::{accuracy, better, finding, position, text};

use engine::clock::Clock;
use std::time::Duration;

/// The usual nodes for each position of a single game.
pub const NODES: u64 = 100_000;

/// CPU time of the thread that asks.
#[derive(Clone, Copy, Debug, Default)]
pub struct ThreadTime;

impl Clock for ThreadTime {
    fn used(&self) -> Duration {
        clock::cpu::thread_time()
    }
}
