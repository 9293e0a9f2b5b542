//! Fits coefficients to the margins of games, with penalties chosen by validation on held-out
//! games.

use crate::learn::game_record::{GameRecord, positions};
use crate::learn::model::{LinearModel, Term, sum_of};
use crate::learn::regression::NormalEquations;
use engine::split_mix;
use std::fmt;

/// One game in this many is held out of the fits that choose the penalties.
const HELD_OUT_EVERY: usize = 8;
/// The candidate penalties: on the square of each coefficient (ridge), and on the ties.
const PENALTIES: [(f64, f64); 6] = [
    (3.0, 30.0),
    (10.0, 100.0),
    (30.0, 300.0),
    (100.0, 1_000.0),
    (300.0, 3_000.0),
    (1_000.0, 10_000.0),
];
/// The upper bound of the distance, in plies, between a position taken as the root and the later
/// one taken as its leaf.
const LEAF_PLIES: u64 = 7;

/// The chosen penalties, and the coefficients of determination (R2) on held-out margins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PenaltyChoice {
    /// The penalties of ridge and ties.
    penalties: (f64, f64),
    /// R2 of the version before.
    before: f64,
    /// R2 of the fitted version.
    after: f64,
}

impl fmt::Display for PenaltyChoice {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PenaltyChoice { penalties: (ridge, ties), before, after } = self;
        write!(
            formatter,
            "R2 of held-out margins {before:.4} by the version before, {after:.4} by this one; ridge {ridge}, ties {ties}"
        )
    }
}

/// Fits a version to the margins of games; `None` if the coefficients are not determined.
/// `progress` is called with the number of finished fits and their total.
pub(crate) fn fit_to_games<F: LinearModel>(
    model: &F,
    games: &[GameRecord],
    before: &F::Version,
    lambda: f64,
    mut progress: impl FnMut(usize, usize),
) -> Option<(F::Version, PenaltyChoice)> {
    let ties = model.ties();
    let own = model.coefficients(before);
    let observed = Observations::of(model, games, &own, lambda);
    let mut best: Option<PenaltyChoice> = None;
    let explained_before = observed.explained(&own);
    for (step, penalties) in PENALTIES.into_iter().enumerate() {
        if let Some(coefficients) = observed.sums.solve(penalties.0, &scale(&ties, penalties.1)) {
            let after = observed.explained(&coefficients);
            if best.is_none_or(|best| after > best.after) {
                best = Some(PenaltyChoice { penalties, before: explained_before, after });
            }
        }
        progress(step + 1, PENALTIES.len());
    }
    let best = best?;
    let coefficients = observed.all().solve(best.penalties.0, &scale(&ties, best.penalties.1))?;
    Some((model.completed(model.with_coefficients(before, &coefficients), games), best))
}

/// Multiplies the weights of ties by a factor. A tie is a weighted sum of coefficients whose square
/// the fit penalizes.
fn scale(ties: &[(f64, Vec<Term>)], factor: f64) -> Vec<(f64, Vec<Term>)> {
    ties.iter().map(|(weight, terms)| (weight * factor, terms.clone())).collect()
}

/// Returns what each position of a game is fitted to, by TD(lambda) (Sutton 1988): with `lambda` 1
/// the game's margin, with less partly the estimates of the positions that follow, each `lambda`
/// times the one before. `before` has the coefficients of the estimates: the mean over a position
/// and the next one, as each estimate favours the side that has moved.
fn targets<F: LinearModel>(
    model: &F,
    positions: &[F::Game],
    margin: f64,
    before: &[f64],
    lambda: f64,
) -> Vec<f64> {
    let mut targets = vec![margin; positions.len()];
    if lambda == 1.0 {
        return targets;
    }
    let mut terms = Vec::new();
    let mut estimate = |position: &F::Game| {
        terms.clear();
        model.terms(position, position, &mut terms);
        sum_of(&terms, before)
    };
    let mut next = None;
    for at in (0..positions.len().saturating_sub(1)).rev() {
        let estimates =
            [estimate(&positions[at]), next.unwrap_or_else(|| estimate(&positions[at + 1]))];
        next = Some(estimates[0]);
        targets[at] =
            (1.0 - lambda) * (estimates[0] + estimates[1]) / 2.0 + lambda * targets[at + 1];
    }
    targets
}

/// The observations of a fit: the sums over the training games, and those of the held-out games one
/// by one.
struct Observations {
    sums: NormalEquations,
    held_out: Vec<HeldOut>,
}

/// An observation of a held-out game.
struct HeldOut {
    terms: Vec<Term>,
    /// The target of the fit to all games, as [`targets`] gives it.
    target: f64,
    /// The game's margin, by which the penalties are chosen.
    margin: f64,
}

impl Observations {
    /// Collects the observations of games; for `before` and `lambda` see [`targets`].
    fn of<F: LinearModel>(
        model: &F,
        games: &[GameRecord],
        before: &[f64],
        lambda: f64,
    ) -> Observations {
        let mut all =
            Observations { sums: NormalEquations::new(model.count()), held_out: Vec::new() };
        let mut terms = Vec::new();
        for (number, played) in games.iter().enumerate() {
            let Some(margin) = played.margin else { continue };
            let positions: Vec<F::Game> = positions(played);
            let targets = targets(model, &positions, margin, before, lambda);
            for (ply, root) in positions.iter().enumerate().skip(played.opening) {
                let ahead = split_mix((number as u64 + 1) << 16 ^ ply as u64) % LEAF_PLIES;
                let at = ply + ahead as usize;
                let Some(leaf) = positions.get(at) else { continue };
                terms.clear();
                model.terms(root, leaf, &mut terms);
                if number.is_multiple_of(HELD_OUT_EVERY) {
                    all.held_out.push(HeldOut {
                        terms: terms.clone(),
                        target: targets[at],
                        margin,
                    });
                } else {
                    all.sums.add(&terms, targets[at]);
                }
            }
        }
        all
    }

    /// Returns the sums over all games, the held-out ones included.
    fn all(self) -> NormalEquations {
        let Observations { mut sums, held_out } = self;
        held_out.iter().for_each(|one| sums.add(&one.terms, one.target));
        sums
    }

    /// Returns the share of the held-out margins' sum of squares that these coefficients explain
    /// (R2 about zero).
    fn explained(&self, coefficients: &[f64]) -> f64 {
        let (mut residual, mut total) = (0.0, 0.0);
        for HeldOut { terms, margin, .. } in &self.held_out {
            residual += (margin - sum_of(terms, coefficients)).powi(2);
            total += margin * margin;
        }
        1.0 - residual / total
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::games::{GameConditions, play};
    use crate::learn::halma_tables::HalmaTables;
    use halma::Position;
    use halma::learned::Tables;

    #[test]
    fn targets_are_the_margin_or_estimates_of_later_positions() {
        let (model, version) = (HalmaTables, Tables::in_use());
        let conditions =
            GameConditions { nodes: 30, opening: (4, 4), random_every: 10, longest: 40 };
        let positions: Vec<Position> =
            positions(&play(&model, [version, version], 1, conditions, 5));
        let own = model.coefficients(version);
        let estimates: Vec<f64> = positions
            .iter()
            .map(|position| {
                let mut terms = Vec::new();
                model.terms(position, position, &mut terms);
                sum_of(&terms, &own)
            })
            .collect();
        let [to_margin, to_estimates, to_both] =
            [1.0, 0.0, 0.5].map(|lambda| targets(&model, &positions, 7.0, &own, lambda));
        assert!(to_margin.iter().all(|&target| target == 7.0));
        let last = positions.len() - 1;
        assert_eq!((to_estimates[last], to_both[last]), (7.0, 7.0));
        for at in 0..last {
            assert!((to_estimates[at] - (estimates[at] + estimates[at + 1]) / 2.0).abs() < 1e-9);
            assert!((to_both[at] - (to_estimates[at] + to_both[at + 1]) / 2.0).abs() < 1e-9);
        }
    }
}
