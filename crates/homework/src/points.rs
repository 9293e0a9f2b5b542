//! Points: which are allowed, how they are written, and those of a program.

use anyhow::{Result, ensure};

pub(crate) const MOST_POINTS: f64 = 1e6;

/// Refuses points of a key that are negative or too many.
pub fn check_points(key: &str, points: f64) -> Result<()> {
    let is_good = (0.0..=MOST_POINTS).contains(&points);
    ensure!(is_good, "{key}: expected points from 0 to {MOST_POINTS}, found {points}");
    Ok(())
}

/// Writes points with as few digits as needed.
pub fn number(points: f64) -> String {
    ((points * 1e6).round() / 1e6).to_string()
}

/// The points of a program.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Points {
    /// The points.
    pub points: f64,
    /// The most that can be had.
    pub most: f64,
    /// The points of each case, and the most that it can have: a case has its share of its group.
    pub cases: Vec<(f64, f64)>,
    /// The points of each group.
    pub groups: Vec<f64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_have_a_range_and_few_digits() {
        for (points, is_good) in [(0.0, true), (1e6, true), (-0.1, false), (1e6 + 1.0, false)] {
            assert_eq!(check_points("points", points).is_ok(), is_good, "{points}");
        }
        let shown = [2.0, 1.0 / 3.0, 0.1 + 0.2, -0.5].map(number);
        assert_eq!(shown, ["2", "0.333333", "0.3", "-0.5"]);
    }
}
