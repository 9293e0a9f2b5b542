//! The clock of a process: its CPU time.

use crate::clock::Clock;
use crate::search::{Control, Report};
use std::time::Duration;
use system::cpu::process_time;

/// The clock of CPU time, of this process and all its threads since it was started: what graders charge.
#[derive(Clone, Copy, Debug, Default)]
pub struct CpuClock;

impl Clock for CpuClock {
    fn used(&self) -> Duration {
        process_time()
    }
}

/// The control that ends a search once the process has used a given CPU time.
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
