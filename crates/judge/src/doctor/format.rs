//! The format of lists and sizes in the output of `judge doctor`.

/// Joins items with a separator, or returns `none` if there are no items.
pub(super) fn join_or(items: &[String], separator: &str, none: &str) -> String {
    if items.is_empty() { none.to_string() } else { items.join(separator) }
}

/// Returns bytes as GiB with one decimal.
pub(super) fn gib(bytes: u64) -> String {
    format!("{:.1}", bytes as f64 / (1_u64 << 30) as f64)
}
