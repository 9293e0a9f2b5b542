//! The memory of this machine, as Linux tells it.

#[cfg(target_os = "linux")]
use crate::linux::accounting::cgroup;
use crate::proc_fields::figure;
use std::fs;

/// All memory, in bytes; `None` where the system does not tell.
pub fn total() -> Option<u64> {
    meminfo("MemTotal:")
}

/// The memory that is free for programs, or can be freed for them, in bytes: that of the machine,
/// or of a control group of this process if there is less. `None` where the system does not tell.
pub fn available() -> Option<u64> {
    let machine = meminfo("MemAvailable:")?;
    #[cfg(target_os = "linux")]
    let machine = cgroup::memory_left().map_or(machine, |left| left.min(machine));
    Some(machine)
}

fn meminfo(name: &str) -> Option<u64> {
    figure(&fs::read_to_string("/proc/meminfo").ok()?, name)
}
