//! The CPU clock of the process.

use crate::clock::Clock;
use clock::cpu::process_time;
use std::time::Duration;

/// The CPU time of this process, over all threads since its start, which is what graders charge.
#[derive(Clone, Copy, Debug, Default)]
pub struct CpuClock;

impl Clock for CpuClock {
    fn used(&self) -> Duration {
        process_time()
    }
}
