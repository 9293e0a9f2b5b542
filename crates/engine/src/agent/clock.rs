//! The CPU clock of the process.

use crate::clock::Clock;
use crate::search::{Control, Report};
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

/// A [`Control`] that stops a search once the process has used this much CPU time.
#[derive(Clone, Copy, Debug)]
pub struct UntilCpu(pub Duration);

impl<M> Control<M> for UntilCpu {
    fn stop_now(&mut self) -> bool {
        process_time() >= self.0
    }

    fn stop_after(&mut self, _: &Report<M>) -> bool {
        process_time() >= self.0
    }
}
