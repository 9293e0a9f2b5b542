//! Points: which are allowed, and how they are written.

use anyhow::{Result, bail};

const MAX_POINTS: f64 = 1e6;

pub(crate) fn check_points(key: &str, points: f64) -> Result<()> {
    if !(0.0..=MAX_POINTS).contains(&points) {
        bail!("{key}: expected points from 0 to {MAX_POINTS}, found {points}");
    }
    Ok(())
}

/// Writes points with as few digits as needed.
pub(crate) fn number(points: f64) -> String {
    ((points * 1e6).round() / 1e6).to_string()
}
