//! Fields of the files of `/proc` and of control groups, such as `/proc/meminfo`.

use std::str::FromStr;

/// The word after a name at the beginning of a line.
pub(crate) fn field<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    text.lines().find_map(|line| line.strip_prefix(name)?.split_whitespace().next())
}

/// The number after a name at the beginning of a line.
pub(crate) fn number<T: FromStr>(text: &str, name: &str) -> Option<T> {
    field(text, name)?.parse().ok()
}

/// A figure that the file gives in KiB, in bytes.
pub(crate) fn figure(text: &str, name: &str) -> Option<u64> {
    number(text, name).map(|kib: u64| kib << 10)
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
