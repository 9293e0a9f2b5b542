//! A histogram as a drawing in the page.

use crate::grade::result::number;
use std::fmt::Write;

/// Bars of a histogram.
const BARS: usize = 10;
const WIDTH: usize = 500;
const HEIGHT: usize = 170;
/// The heights of the line that bars stand on, and of the highest bar.
const FLOOR: usize = 140;
const HIGHEST: f64 = 110.0;

/// How many of these points lie in each tenth of the points to be had; the upper end belongs to the last one.
fn tenths(points: &[f64], most: f64) -> [usize; BARS] {
    let mut counts = [0; BARS];
    for &points in points {
        let part = if most > 0.0 { points / most } else { 0.0 };
        counts[((part * BARS as f64) as usize).min(BARS - 1)] += 1;
    }
    counts
}

/// The histogram of points.
pub(super) fn histogram(points: &[f64], most: f64) -> String {
    let counts = tenths(points, most);
    let tallest = counts.iter().copied().max().unwrap_or(0).max(1);
    let edge = |index: usize| number((most * index as f64 / BARS as f64 * 10.0).round() / 10.0);
    let told: Vec<String> = counts
        .iter()
        .enumerate()
        .map(|(index, count)| format!("{} to {}: {count}", edge(index), edge(index + 1)))
        .collect();
    let mut svg = format!(
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"Submissions by points. {}\">\n",
        told.join("; ")
    );
    let wide = WIDTH / BARS;
    for (index, count) in counts.into_iter().enumerate() {
        let height = (count as f64 / tallest as f64 * HIGHEST).round() as usize;
        let (x, y) = (index * wide, FLOOR - height);
        let middle = x + wide / 2;
        if count > 0 {
            let _ = writeln!(
                svg,
                "<rect x=\"{}\" y=\"{y}\" width=\"{}\" height=\"{height}\"></rect>\
                 <text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{count}</text>",
                x + 3,
                wide - 6,
                y - 5
            );
        }
        let anchor = if index == 0 { ("start", 2) } else { ("middle", x) };
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"{}\">{}</text>",
            anchor.1,
            FLOOR + 18,
            anchor.0,
            edge(index)
        );
    }
    let _ = write!(
        svg,
        "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n<line x1=\"0\" y1=\"{FLOOR}\" x2=\"{WIDTH}\" y2=\"{FLOOR}\"></line>\n</svg>\n",
        WIDTH - 2,
        FLOOR + 18,
        edge(BARS)
    );
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_lie_in_their_tenths_and_all_points_in_the_last() {
        assert_eq!(tenths(&[0.0, 9.9, 10.0, 55.0, 100.0], 100.0), [2, 1, 0, 0, 0, 1, 0, 0, 0, 1]);
        assert_eq!(tenths(&[0.0], 0.0)[0], 1);
        let svg = histogram(&[1.0, 2.0], 2.0);
        assert!(svg.contains("1 to 1.2: 1") && svg.matches("<rect").count() == 2, "{svg}");
    }
}
