//! The histogram of points as SVG.

use homework::number;
use maud::{Markup, html};

const BARS: usize = 10;
const WIDTH: usize = 500;
const HEIGHT: usize = 170;
/// The line that the bars stand on.
const BASE: usize = 140;
const HIGHEST: f64 = 110.0;

/// Counts the submissions in each tenth of the points; the last one includes its upper end.
fn count_tenths(points: &[f64], most: f64) -> [usize; BARS] {
    let mut counts = [0; BARS];
    for &points in points {
        let part = if most > 0.0 { points / most } else { 0.0 };
        counts[((part * BARS as f64) as usize).min(BARS - 1)] += 1;
    }
    counts
}

pub(super) fn histogram(points: &[f64], most: f64) -> Markup {
    let counts = count_tenths(points, most);
    let tallest = counts.iter().copied().max().unwrap_or(0).max(1);
    let edge = |index: usize| number((most * index as f64 / BARS as f64 * 10.0).round() / 10.0);
    let bars: Vec<String> = (0..BARS)
        .map(|index| format!("{} to {}: {}", edge(index), edge(index + 1), counts[index]))
        .collect();
    let wide = WIDTH / BARS;
    let top = |count: usize| BASE - (count as f64 / tallest as f64 * HIGHEST).round() as usize;
    let label = |x: usize, anchor: &str, index: usize| {
        html! { text x=(x) y=(BASE + 18) text-anchor=(anchor) { (edge(index)) } }
    };
    html! {
        svg viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role="img" aria-label={ "Submissions by points. " (bars.join("; ")) } {
            @for (index, count) in counts.into_iter().enumerate().filter(|(_, count)| *count > 0) {
                @let (x, y) = (index * wide, top(count));
                rect x=(x + 3) y=(y) width=(wide - 6) height=(BASE - y) {}
                text x=(x + wide / 2) y=(y - 5) text-anchor="middle" { (count) }
            }
            (label(2, "start", 0))
            @for index in 1..BARS { (label(index * wide, "middle", index)) }
            (label(WIDTH - 2, "end", BARS))
            line x1="0" y1=(BASE) x2=(WIDTH) y2=(BASE) {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_lie_in_their_tenths_and_all_points_in_the_last() {
        assert_eq!(
            count_tenths(&[0.0, 9.9, 10.0, 55.0, 100.0], 100.0),
            [2, 1, 0, 0, 0, 1, 0, 0, 0, 1]
        );
        assert_eq!(count_tenths(&[0.0], 0.0)[0], 1);
        let svg = histogram(&[1.0, 2.0], 2.0).0;
        assert!(svg.contains("1 to 1.2: 1") && svg.matches("<rect").count() == 2, "{svg}");
    }
}
