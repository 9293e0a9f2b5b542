//! What a box is measured by. A control group (`cgroup`), where the judge may make one, limits and
//! counts; the supervisor owns it. Otherwise whoever launched the program measures:
//!
//! - CPU time by a counter that it owns (`counter`), or by what `wait4` and `/proc` tell;
//! - memory, processes and disk space by adding up, every few milliseconds (`usage`, `disk`).
//!
//! In any case it measures for how long the box was kept waiting (`waiting`). `cpu_supply` measures
//! the machine instead, by a thread of the judge.

pub(crate) mod cgroup;
pub(crate) mod counter;
pub mod cpu_supply;
pub mod disk;
pub(crate) mod usage;
pub(crate) mod waiting;
