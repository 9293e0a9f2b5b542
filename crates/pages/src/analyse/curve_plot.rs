//! The plot of a fitted curve of winning chances, with the mean results of positions of similar scores.

use arena::analysis::fit::{Sample, log_loss, log_loss_of_mean};
use arena::plain::shown;
use engine::score::Score;
use engine::{Curve, Side};
use maud::{Markup, html};

/// The width and the height of a plot, in pixels.
const SIZE: (f64, f64) = (640.0, 360.0);
/// The left, right, upper and lower edge of the area in which data is drawn.
pub(super) const PLOT_AREA: (f64, f64, f64, f64) = (60.0, 620.0, 40.0, 300.0);
/// The maximum number of groups of positions.
const MAX_GROUPS: usize = 15;
/// The number of line segments of the curve.
const STEPS: i32 = 120;

/// The samples for a fit, split by game.
pub(crate) struct Samples {
    /// The samples that the curve is fitted to.
    pub fitted: Vec<Sample>,
    /// The samples of other games, on which the error is measured.
    pub tested: Vec<Sample>,
}

/// A group of positions with similar scores: their mean score and result, and their number.
struct Group {
    score: f64,
    result: f64,
    count: usize,
}

/// Splits samples, ordered by score, into groups of equal size.
fn groups(samples: &[Sample], curve: Curve) -> Vec<Group> {
    let mut sorted: Vec<(Score, f64)> =
        samples.iter().map(|sample| (sample.first_sides_score(curve), sample.result)).collect();
    sorted.sort_by_key(|(score, _)| *score);
    let size = sorted.len().div_ceil(MAX_GROUPS).max(1);
    let group = |part: &[(Score, f64)]| {
        let count = part.len() as f64;
        Group {
            score: part.iter().map(|(score, _)| f64::from(*score)).sum::<f64>() / count,
            result: part.iter().map(|(_, result)| result).sum::<f64>() / count,
            count: part.len(),
        }
    };
    sorted.chunks(size).map(group).collect()
}

/// Returns the y coordinate of an expected result from 0 to 1.
pub(super) fn y(expected: f64) -> f64 {
    let (_, _, top, bottom) = PLOT_AREA;
    bottom - (bottom - top) * expected
}

/// Returns a coordinate with a tenth of a pixel.
pub(super) fn tenth(coordinate: f64) -> String {
    format!("{coordinate:.1}")
}

/// Returns a plot as SVG, with horizontal lines for expected results in per cent. Control and other invisible characters become
/// visible escape sequences.
pub(super) fn plot(title: &str, contents: &Markup) -> String {
    let ((width, height), (left, right, ..)) = (SIZE, PLOT_AREA);
    let svg = html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox={ "0 0 " (width) " " (height) } font-family="sans-serif" font-size="13" {
            rect width=(width) height=(height) fill="#fff" {}
            text x=(left) y="24" font-size="15" { (title) }
            @for part in [0, 25, 50, 75, 100] {
                @let at = y(f64::from(part) / 100.0);
                line x1=(left) x2=(right) y1=(tenth(at)) y2=(tenth(at)) stroke="#ddd" {}
                text x=(tenth(left - 6.0)) y=(tenth(at + 4.0)) text-anchor="end" { (part) " %" }
            }
            (contents)
        }
    };
    shown(&svg.0) + "\n"
}

/// Returns a vertical line of the grid with its number.
pub(super) fn grid_line(at: f64, number: &str) -> Markup {
    let (_, _, top, bottom) = PLOT_AREA;
    html! {
        line x1=(tenth(at)) x2=(tenth(at)) y1=(top) y2=(bottom) stroke="#ddd" {}
        text x=(tenth(at)) y=(tenth(bottom + 18.0)) text-anchor="middle" { (number) }
    }
}

/// Returns the plot as SVG; `first` names the side whose results it shows.
pub(crate) fn curve_plot(title: &str, first: &str, curve: Curve, samples: &Samples) -> String {
    let groups = groups(&samples.tested, curve);
    let widest = groups.iter().map(|group| group.score.abs()).fold(curve.points, f64::max) * 1.1;
    let (left, right, _, bottom) = PLOT_AREA;
    let x = |score: f64| left + (right - left) * (score / widest + 1.0) / 2.0;
    let step = round_step(widest / 2.5);
    let lines = (widest / step).floor() as i32;
    let expected = |score: f64| curve.expected(score as i32, Side::First);
    let points: Vec<String> = (0..=STEPS)
        .map(|index| {
            let score = widest * (f64::from(2 * index) / f64::from(STEPS) - 1.0);
            format!("{:.1},{:.1}", x(score), y(expected(score)))
        })
        .collect();
    let (loss, constant) = (log_loss(curve, &samples.tested), log_loss_of_mean(&samples.fitted, &samples.tested));
    let contents = html! {
        @for score in (-lines..=lines).map(|line| f64::from(line) * step) {
            (grid_line(x(score), &format!("{score:+.0}")))
        }
        polyline points=(points.join(" ")) fill="none" stroke="#b8401f" stroke-width="2" {}
        @for group in &groups {
            circle cx=(tenth(x(group.score))) cy=(tenth(y(group.result))) r="4" fill="#2b5fa8" {
                title { (group.count) " positions" }
            }
        }
        text x=(left) y=(tenth(bottom + 42.0)) font-size="11" {
            "line: the curve; dots: " (samples.tested.len()) " positions of other games in equal groups; "
            (format_args!("log loss {loss:.3}, of a constant {constant:.3}"))
        }
    };
    plot(&format!("{title}: expected result of {first} by its score"), &contents)
}

/// Returns the largest distance of grid lines of the form 1, 2 or 5 times a power of ten that is at most `maximum`, but not
/// less than 1.
pub(super) fn round_step(maximum: f64) -> f64 {
    let power = 10f64.powf(maximum.max(1.0).log10().floor());
    [5.0, 2.0].into_iter().map(|times| times * power).find(|step| *step <= maximum).unwrap_or(power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_a_plot_are_text() {
        let svg = plot("</text><script>\"\u{202e}", &html! { title { "<b>" } });
        assert!(
            svg.contains(">&lt;/text&gt;&lt;script&gt;&quot;\\u{202e}</text>") && svg.contains("&lt;b&gt;"),
            "{svg}"
        );
    }
}
