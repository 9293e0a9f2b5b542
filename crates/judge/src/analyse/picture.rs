//! A curve of winning chances as a picture: the curve, and how games ended from positions of about the same score.

use arena::analysis::fit::{Sample, log_loss, log_loss_of_mean};
use engine::score::Score;
use engine::{Curve, Side};
use std::fmt::Write;

/// The size of the picture, in pixels.
const SIZE: (f64, f64) = (640.0, 360.0);
/// The left, right, upper and lower edge of the field that the curve is drawn in.
pub(super) const FIELD: (f64, f64, f64, f64) = (60.0, 620.0, 40.0, 300.0);
/// Groups of positions by score.
const GROUPS: usize = 15;
/// Points that the curve is drawn through.
const STEPS: i32 = 120;

/// The samples that a curve is fitted to, and those that it is measured on.
pub(crate) struct Samples {
    /// Fitted to.
    pub fitted: Vec<Sample>,
    /// Kept apart.
    pub tested: Vec<Sample>,
}

/// The mean score and result of a group of positions, and their number.
struct Group {
    score: f64,
    result: f64,
    count: usize,
}

/// Equally large groups by score.
fn groups(samples: &[Sample], curve: Curve) -> Vec<Group> {
    let mut sorted: Vec<(Score, f64)> =
        samples.iter().map(|sample| (sample.first_sides_score(curve), sample.result)).collect();
    sorted.sort_by_key(|(score, _)| *score);
    let size = sorted.len().div_ceil(GROUPS).max(1);
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

/// The height at which an expected result from 0 to 1 is drawn.
pub(super) fn y(expected: f64) -> f64 {
    let (_, _, top, bottom) = FIELD;
    bottom - (bottom - top) * expected
}

/// The beginning of a picture: its title, and lines for expected results in per cent.
pub(super) fn framed(title: &str) -> String {
    let ((width, height), (left, right, ..)) = (SIZE, FIELD);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
         font-size=\"13\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n\
         <text x=\"{left}\" y=\"24\" font-size=\"15\">{title}</text>\n"
    );
    for part in [0, 25, 50, 75, 100] {
        let at = y(f64::from(part) / 100.0);
        let _ = writeln!(
            svg,
            "<line x1=\"{left}\" x2=\"{right}\" y1=\"{at:.1}\" y2=\"{at:.1}\" stroke=\"#ddd\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{part} %</text>",
            left - 6.0,
            at + 4.0
        );
    }
    svg
}

/// The picture, as SVG.
pub(crate) fn curve(title: &str, first: &str, curve: Curve, samples: &Samples) -> String {
    let groups = groups(&samples.tested, curve);
    let widest = groups.iter().map(|group| group.score.abs()).fold(curve.points, f64::max) * 1.1;
    let (left, right, top, bottom) = FIELD;
    let x = |score: f64| left + (right - left) * (score / widest + 1.0) / 2.0;
    let mut svg = framed(&format!("{title}: expected result of {first} by its score"));
    let step = round_step(widest / 2.5);
    let mut score = -(widest / step).floor() * step;
    while score <= widest {
        let at = x(score);
        let _ = writeln!(
            svg,
            "<line x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"{top}\" y2=\"{bottom}\" stroke=\"#ddd\"/>\
             <text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{score:+.0}</text>",
            bottom + 18.0
        );
        score += step;
    }
    let expected = |score: f64| curve.expected(score as i32, Side::First);
    let points: Vec<String> = (0..=STEPS)
        .map(|index| {
            let score = widest * (f64::from(2 * index) / f64::from(STEPS) - 1.0);
            format!("{:.1},{:.1}", x(score), y(expected(score)))
        })
        .collect();
    let _ = writeln!(
        svg,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"#b8401f\" stroke-width=\"2\"/>",
        points.join(" ")
    );
    for group in &groups {
        let _ = writeln!(
            svg,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"4\" fill=\"#2b5fa8\"><title>{} positions</title></circle>",
            x(group.score),
            y(group.result),
            group.count
        );
    }
    let (loss, constant) = (log_loss(curve, &samples.tested), log_loss_of_mean(&samples.fitted, &samples.tested));
    let _ = writeln!(
        svg,
        "<text x=\"{left}\" y=\"{:.1}\" font-size=\"11\">line: the curve; dots: {} positions of other games in equal groups; \
         log loss {loss:.3}, of a constant {constant:.3}</text>\n</svg>",
        bottom + 42.0,
        samples.tested.len()
    );
    svg
}

/// 1, 2 or 5 times a power of ten, not above `most` where that is 1 or more.
pub(super) fn round_step(most: f64) -> f64 {
    let power = 10f64.powf(most.max(1.0).log10().floor());
    [5.0, 2.0].into_iter().map(|times| times * power).find(|step| *step <= most).unwrap_or(power)
}
