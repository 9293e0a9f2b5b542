//! The memory of this machine, as Linux tells it.

#[cfg(target_os = "linux")]
use crate::linux::cgroup;
use crate::proc_fields::{field, figure};
use std::fs;

/// All memory, in bytes; `None` where the system does not tell.
pub fn total() -> Option<u64> {
    figure(&fs::read_to_string("/proc/meminfo").ok()?, "MemTotal:")
}

/// The memory that is free for programs, or can be freed for them, in bytes: that of the machine,
/// or of a control group of this process if there is less. `None` where the system does not tell.
pub fn available() -> Option<u64> {
    let machine = figure(&fs::read_to_string("/proc/meminfo").ok()?, "MemAvailable:")?;
    #[cfg(target_os = "linux")]
    let machine = cgroup::memory_left().map_or(machine, |left| left.min(machine));
    Some(machine)
}

/// How many processes the kernel has ended for lack of memory since the machine was started.
pub fn kills() -> Option<u64> {
    let text = fs::read_to_string("/proc/vmstat").ok()?;
    field(&text, "oom_kill ")?.parse().ok()
}
