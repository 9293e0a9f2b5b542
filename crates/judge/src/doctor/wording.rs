//! How lists and sizes are worded.

/// Words with something between them, or what is said where there are none.
pub(super) fn listed(words: &[String], between: &str, none: &str) -> String {
    if words.is_empty() { none.to_string() } else { words.join(between) }
}

/// Bytes in GiB, with one decimal.
pub(super) fn gib(bytes: u64) -> String {
    format!("{:.1}", bytes as f64 / (1_u64 << 30) as f64)
}
