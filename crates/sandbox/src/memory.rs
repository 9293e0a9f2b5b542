//! The memory of this machine, as Linux tells it.

#[cfg(target_os = "linux")]
use crate::linux::cgroup;
use std::fs;

/// All memory, in bytes; `None` where the system does not tell.
pub fn total() -> Option<u64> {
    figure(&fs::read_to_string("/proc/meminfo").ok()?, "MemTotal:")
}

/// The memory that is free for programs, or can be freed for them, in bytes: that of the machine,
/// or of a control group that this process is in if there is less of it. `None` where the system
/// does not tell.
pub fn available() -> Option<u64> {
    let machine = figure(&fs::read_to_string("/proc/meminfo").ok()?, "MemAvailable:")?;
    #[cfg(target_os = "linux")]
    let machine = cgroup::memory_left().map_or(machine, |left| left.min(machine));
    Some(machine)
}

/// How many processes the kernel has ended since the machine was started, because memory was short
/// somewhere.
pub fn kills() -> Option<u64> {
    let text = fs::read_to_string("/proc/vmstat").ok()?;
    field(&text, "oom_kill ")?.parse().ok()
}

/// The word after a name at the beginning of a line, in a file of `/proc`.
pub(crate) fn field<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    text.lines().find_map(|line| line.strip_prefix(name)?.split_whitespace().next())
}

/// A figure that the file gives in KiB, in bytes.
pub(crate) fn figure(text: &str, name: &str) -> Option<u64> {
    field(text, name)?.parse::<u64>().ok().map(|kib| kib << 10)
}

#[cfg(test)]
mod tests {
    use super::figure;

    #[test]
    fn figures_are_read_in_kib() {
        let text = "MemTotal:        2048 kB\nMemFree: 1 kB\nMemAvailable:    1024 kB\n";
        assert_eq!(
            [figure(text, "MemTotal:"), figure(text, "MemAvailable:")],
            [Some(2 << 20), Some(1 << 20)]
        );
        assert_eq!(figure("MemTotal: much\n", "MemTotal:"), None);
        assert_eq!(figure("", "MemTotal:"), None);
    }
}
