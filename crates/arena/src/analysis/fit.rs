//! Curves of winning chances fitted to results of games.

use engine::score::Score;
use engine::{Curve, Side};

/// A position that was looked at, and how its game ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// The score of the best move for the first side; an estimate.
    pub score: Score,
    /// The first side's result: 1 for a win, 0.5 for a draw, 0 for a loss.
    pub result: f64,
}

/// The mean log loss, in nats a position, of chances for the first side.
fn loss(samples: &[Sample], expected: impl Fn(&Sample) -> f64) -> f64 {
    let of = |sample: &Sample| {
        let chance = expected(sample).clamp(1e-9, 1.0 - 1e-9);
        -(sample.result * chance.ln() + (1.0 - sample.result) * (1.0 - chance).ln())
    };
    samples.iter().map(of).sum::<f64>() / samples.len().max(1) as f64
}

/// The mean log loss of a curve, in nats a position.
#[must_use]
pub fn log_loss(curve: Curve, samples: &[Sample]) -> f64 {
    loss(samples, |sample| curve.expected(sample.score, Side::First))
}

/// The mean log loss of always expecting the mean result of other samples, in nats a position.
#[must_use]
pub fn log_loss_of_mean(of: &[Sample], samples: &[Sample]) -> f64 {
    let mean = of.iter().map(|sample| sample.result).sum::<f64>() / of.len().max(1) as f64;
    loss(samples, |_| mean)
}

/// Steps of Newton's method; far more than it takes.
const STEPS: usize = 200;
/// A curve flatter than odds of e to 1 at so many points says that the score tells nothing.
const FLATTEST: f64 = 1e5;
/// A weak pull of both numbers towards 0, in squared units of a thousandth of a sample each, so that games that are won
/// by one side alone have a finite fit.
const PULL: f64 = 1e-3;

/// The curve of the least log loss: logistic regression by Newton's method with halved steps. `None` without samples.
#[must_use]
pub fn fit(samples: &[Sample]) -> Option<Curve> {
    if samples.is_empty() {
        return None;
    }
    // Scores on a scale of about 1.
    let unit = (samples.iter().map(|sample| f64::from(sample.score).powi(2)).sum::<f64>() / samples.len() as f64)
        .sqrt()
        .max(1.0);
    let curve = |[slope, first]: [f64; 2]| Curve { points: unit / slope, first };
    let pulled = |at: [f64; 2]| {
        let squares = at[0] * at[0] + at[1] * at[1];
        loss(samples, |sample| curve(at).expected(sample.score, Side::First)) + PULL * squares / samples.len() as f64
    };
    let mut at = [unit / FLATTEST, 0.0];
    for _ in 0..STEPS {
        let (mut gradient, mut bend) = ([0.0; 2], [[0.0; 2]; 2]);
        for sample in samples {
            let chance = curve(at).expected(sample.score, Side::First);
            let x = [f64::from(sample.score) / unit, 1.0];
            for i in 0..2 {
                gradient[i] += (chance - sample.result) * x[i];
                for j in 0..2 {
                    bend[i][j] += chance * (1.0 - chance) * x[i] * x[j];
                }
            }
        }
        for i in 0..2 {
            gradient[i] += 2.0 * PULL * at[i];
            bend[i][i] += 2.0 * PULL;
        }
        let size = bend[0][0] * bend[1][1] - bend[0][1] * bend[1][0];
        let step = [
            (bend[1][1] * gradient[0] - bend[0][1] * gradient[1]) / size,
            (bend[0][0] * gradient[1] - bend[1][0] * gradient[0]) / size,
        ];
        let before = pulled(at);
        let mut part = 1.0;
        let moved = |part: f64| [(at[0] - part * step[0]).max(unit / FLATTEST), at[1] - part * step[1]];
        while pulled(moved(part)) > before && part > 1e-6 {
            part /= 2.0;
        }
        let next = moved(part);
        let still = (next[0] - at[0]).abs() + (next[1] - at[1]).abs() < 1e-10;
        at = next;
        if still {
            break;
        }
    }
    Some(curve(at))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Samples whose results are exactly what a curve expects.
    fn samples(curve: Curve) -> Vec<Sample> {
        let scores = (-20..=20).map(|step| step * 25);
        scores.map(|score| Sample { score, result: curve.expected(score, Side::First) }).collect()
    }

    #[test]
    fn a_fit_finds_the_curve_that_made_the_results() {
        for curve in [Curve { points: 120.0, first: 0.0 }, Curve { points: 300.0, first: -0.8 }] {
            let samples = samples(curve);
            let found = fit(&samples).unwrap();
            assert!((found.points / curve.points - 1.0).abs() < 0.01, "{found:?}");
            assert!((found.first - curve.first).abs() < 0.01, "{found:?}");
            assert!(log_loss(found, &samples) < log_loss_of_mean(&samples, &samples));
        }
    }

    #[test]
    fn one_sided_results_and_useless_scores_still_have_a_fit() {
        let won = [Sample { score: 10, result: 1.0 }; 50];
        let found = fit(&won).unwrap();
        assert!(found.points.is_finite() && found.first.is_finite() && found.expected(10, Side::First) > 0.9);
        let against = [Sample { score: 100, result: 0.0 }, Sample { score: -100, result: 1.0 }];
        assert!(fit(&against).unwrap().points > 1_000.0);
        assert_eq!(fit(&[]), None);
    }
}
