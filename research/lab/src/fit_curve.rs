//! `lab fit-curve`: fits a game's curve of winning chances to the results of recorded games.

use anygame::Position;
use anyhow::{Context, Result, bail};
use arena::analysis::ThreadTime;
use arena::analysis::finding::Effort;
use arena::analysis::position::best_of;
use arena::record::Record;
use arena::replayed::ReplayedGame;
use clap::Args;
use engine::score::{Score, distance_to_end};
use engine::{Curve, Side};
use rayon::prelude::*;
use std::path::PathBuf;
use terminal::games::game_of;

/// Explanations and an example for the help text.
pub(crate) const EXAMPLE: &str = "\
The curve is the game's CURVE (crates/GAME/src/lib.rs). It is fitted to half of the pairs of games; the other half measures the error.

Example (docs/analysis.md has the games of each curve):
  lab fit-curve games.jsonl --nodes 400";

/// Options of `lab fit-curve`.
#[derive(Args)]
pub(crate) struct Options {
    /// The records of the games
    #[arg(required = true, value_name = "RECORD")]
    records: Vec<PathBuf>,

    /// Nodes to search for the score of each position
    #[arg(long, value_name = "COUNT", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
}

/// One of this many pairs of games measures the error and is not fitted to.
const PAIRS_PER_TEST: usize = 2;

/// Estimates the score of every position of the records, and prints the fitted curve with its
/// error.
pub(crate) fn run(options: &Options) -> Result<()> {
    let effort = Effort::Nodes(options.nodes);
    let (mut fitted, mut tested) = (Vec::new(), Vec::new());
    let (mut name, mut games) = (None, 0);
    for path in &options.records {
        let record = Record::read(path)?;
        let any_game = game_of(&record)?;
        if name.get_or_insert(any_game.name) != &any_game.name {
            bail!("{}: a record of another game than {}", path.display(), name.unwrap_or_default());
        }
        for game in record.games.values().filter(|game| game.end.fault.is_none()) {
            let result = match game.end.winner {
                Some(0) => 1.0,
                Some(_) => 0.0,
                None => 0.5,
            };
            let replayed =
                ReplayedGame::of(any_game, &record.header, &game.start.opening, &game.moves)
                    .with_context(|| format!("{}: game {}", path.display(), game.end.game))?;
            let turns: Vec<_> = game.moves.iter().zip(replayed.into_turns()).collect();
            let samples = turns.into_par_iter().filter_map(|(mv, turn)| {
                let (score, depth) = estimate(&turn.position, effort)?;
                let mover = if mv.side == any_game.sides[0] { Side::First } else { Side::Second };
                distance_to_end(score).is_none().then_some(Sample { score, mover, depth, result })
            });
            let is_test = games / 2 % PAIRS_PER_TEST == 1;
            if is_test { &mut tested } else { &mut fitted }.par_extend(samples);
            games += 1;
        }
    }
    let curve = fit(&fitted).context("the records have no position to fit the curve to")?;
    println!("{}: {games} games, {effort} a position", name.unwrap_or_default());
    println!(
        "Curve {{ points: {:.0}.0, first: {:.3}, tempo: {:.0}.0 }}",
        curve.points, curve.first, curve.tempo
    );
    println!(
        "fitted to {} positions; on {} positions of other games: log loss {:.4}, of a constant {:.4}",
        fitted.len(),
        tested.len(),
        log_loss(curve, &tested),
        log_loss_of_mean(&fitted, &tested),
    );
    Ok(())
}

/// The score of the best move for the side to move, whatever proofs say of it, and the depth of its
/// search in plies; `None` for a game whose rules are a program.
fn estimate(position: &Position, effort: Effort) -> Option<(Score, u32)> {
    macro_rules! of_its_type {
        ($($game:ident,)*) => {$(
            if let Some(position) = position.as_any().downcast_ref::<games::$game::Position>() {
                let found = best_of(position, effort, &ThreadTime);
                return Some((found.score, found.depth));
            }
        )*};
    }
    games::each_game!(of_its_type);
    None
}

/// A position that was looked at, and how its game ended.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Sample {
    /// The score of the best move for the side to move; an estimate.
    score: Score,
    /// The side to move.
    mover: Side,
    /// The depth of the search, in plies.
    depth: u32,
    /// The first side's result: 1 for a win, 0.5 for a draw, 0 for a loss.
    result: f64,
}

impl Sample {
    /// 1 where the first side is to move, else -1.
    fn sign(&self) -> Score {
        if self.mover == Side::First { 1 } else { -1 }
    }

    /// The score for the first side, levelled by a curve ([`Curve::levelled`]).
    fn first_sides_score(&self, curve: Curve) -> Score {
        self.sign() * curve.levelled(self.score, self.depth)
    }

    /// The weights of the curve's three numbers in the logarithm of the first side's odds: the
    /// score in these units, the first side's advantage, and half a tempo for or against it.
    fn weights(&self, unit: f64) -> [f64; 3] {
        let half = if self.depth % 2 == 1 { -0.5 } else { 0.5 };
        [f64::from(self.sign() * self.score) / unit, 1.0, f64::from(self.sign()) * half]
    }
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
fn log_loss(curve: Curve, samples: &[Sample]) -> f64 {
    loss(samples, |sample| curve.expected(sample.first_sides_score(curve), Side::First))
}

/// The mean log loss of always expecting the mean result of other samples, in nats a position.
fn log_loss_of_mean(of: &[Sample], samples: &[Sample]) -> f64 {
    let mean = of.iter().map(|sample| sample.result).sum::<f64>() / of.len().max(1) as f64;
    loss(samples, |_| mean)
}

/// Steps of Newton's method; far more than it takes.
const STEPS: usize = 200;
/// A curve flatter than odds of e to 1 at so many points says that the score tells nothing.
const FLATTEST: f64 = 1e5;
/// A weak pull of the numbers towards 0, in squared units of a thousandth of a sample each, so that
/// games that are won by one side alone have a finite fit.
const PULL: f64 = 1e-3;

/// The curve of the least log loss: logistic regression by Newton's method with halved steps.
/// `None` without samples.
fn fit(samples: &[Sample]) -> Option<Curve> {
    if samples.is_empty() {
        return None;
    }
    // Scores on a scale of about 1.
    let unit = (samples.iter().map(|sample| f64::from(sample.score).powi(2)).sum::<f64>()
        / samples.len() as f64)
        .sqrt()
        .max(1.0);
    let chance = |at: [f64; 3], sample: &Sample| {
        let odds: f64 =
            sample.weights(unit).iter().zip(at).map(|(weight, number)| weight * number).sum();
        1.0 / (1.0 + (-odds).exp())
    };
    let pulled = |at: [f64; 3]| {
        let squares = at.iter().map(|number| number * number).sum::<f64>();
        loss(samples, |sample| chance(at, sample)) + PULL * squares / samples.len() as f64
    };
    let mut at = [unit / FLATTEST, 0.0, 0.0];
    for _ in 0..STEPS {
        let (mut gradient, mut bend) = ([0.0; 3], [[0.0; 3]; 3]);
        for sample in samples {
            let (chance, weights) = (chance(at, sample), sample.weights(unit));
            for i in 0..3 {
                gradient[i] += (chance - sample.result) * weights[i];
                for j in 0..3 {
                    bend[i][j] += chance * (1.0 - chance) * weights[i] * weights[j];
                }
            }
        }
        for i in 0..3 {
            gradient[i] += 2.0 * PULL * at[i];
            bend[i][i] += 2.0 * PULL;
        }
        let step = solved(bend, gradient);
        let before = pulled(at);
        let mut part = 1.0;
        let moved = |part: f64| {
            let next = [0, 1, 2].map(|i| at[i] - part * step[i]);
            [next[0].max(unit / FLATTEST), next[1], next[2]]
        };
        while pulled(moved(part)) > before && part > 1e-6 {
            part /= 2.0;
        }
        let next = moved(part);
        let still = at.iter().zip(next).map(|(old, new)| (old - new).abs()).sum::<f64>() < 1e-10;
        at = next;
        if still {
            break;
        }
    }
    let points = unit / at[0];
    Some(Curve { points, first: at[1], tempo: at[2] * points })
}

/// The solution of three linear equations whose matrix is positive definite.
fn solved(mut matrix: [[f64; 3]; 3], mut right: [f64; 3]) -> [f64; 3] {
    for i in 0..3 {
        for j in i + 1..3 {
            let factor = matrix[j][i] / matrix[i][i];
            let row = matrix[i];
            matrix[j].iter_mut().zip(row).for_each(|(number, above)| *number -= factor * above);
            right[j] -= factor * right[i];
        }
    }
    for i in (0..3).rev() {
        for k in i + 1..3 {
            right[i] -= matrix[i][k] * right[k];
        }
        right[i] /= matrix[i][i];
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Samples of both sides and of odd and even depths, whose results are exactly what a curve
    /// expects.
    fn samples(curve: Curve) -> Vec<Sample> {
        let sample = |step: i32| {
            let mover = Side::BOTH[step as usize / 2 % 2];
            let sample =
                Sample { score: (step - 40) * 12, mover, depth: step as u32 % 2 + 3, result: 0.0 };
            Sample {
                result: curve.expected(sample.first_sides_score(curve), Side::First),
                ..sample
            }
        };
        (0..80).map(sample).collect()
    }

    /// A sample of three plies with the first side to move.
    fn sample(score: Score, result: f64) -> Sample {
        Sample { score, mover: Side::First, depth: 3, result }
    }

    #[test]
    fn a_fit_finds_the_curve_that_made_the_results() {
        let even = Curve { points: 120.0, first: 0.0, tempo: 0.0 };
        for curve in
            [even, Curve { points: 300.0, first: -0.8, tempo: 0.0 }, Curve { tempo: 200.0, ..even }]
        {
            let samples = samples(curve);
            let found = fit(&samples).unwrap();
            assert!((found.points / curve.points - 1.0).abs() < 0.01, "{found:?}");
            assert!((found.first - curve.first).abs() < 0.01, "{found:?}");
            assert!((found.tempo - curve.tempo).abs() < 2.0, "{found:?}");
            assert!(log_loss(found, &samples) < log_loss_of_mean(&samples, &samples));
        }
    }

    #[test]
    fn one_sided_results_and_useless_scores_still_have_a_fit() {
        let won = [sample(10, 1.0); 50];
        let found = fit(&won).unwrap();
        assert!(found.points.is_finite() && found.first.is_finite() && found.tempo.is_finite());
        assert!(log_loss(found, &won) < 0.1, "{found:?}");
        let against = [sample(100, 0.0), sample(-100, 1.0)];
        assert!(fit(&against).unwrap().points > 1_000.0);
        assert_eq!(fit(&[]), None);
    }
}
