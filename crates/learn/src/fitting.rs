//! The coefficients that explain best how games ended.

use crate::fit::{Fit, Term};
use crate::played::{Played, positions};
use crate::regression::Sums;
use engine::split_mix;
use std::fmt;

/// One game in so many is held out of the first fits, which choose the penalties.
const HELD_OUT_EVERY: usize = 8;
/// Penalties that are tried: on the size of each coefficient, and on ties.
const PENALTIES: [(f64, f64); 4] = [(30.0, 300.0), (100.0, 1_000.0), (300.0, 3_000.0), (1_000.0, 10_000.0)];
/// The leaves that a position of a game is the root of are the positions less than so many plies later.
const LEAF_PLIES: u64 = 7;

/// The penalties that were chosen, and the parts of the variance of held-out margins that are explained.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    penalties: (f64, f64),
    before: f64,
    after: f64,
}

impl fmt::Display for Choice {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Choice { penalties: (ridge, ties), before, after } = self;
        write!(
            formatter,
            "R2 of held-out margins {before:.4} by the version before, {after:.4} by this one; ridge {ridge}, ties {ties}"
        )
    }
}

/// A version fitted to the ends of games; `None` if its coefficients are not determined. `heard` hears how many fits of how
/// many are done.
pub fn fit_to_games<F: Fit>(
    fit: &F,
    games: &[Played],
    before: &F::Version,
    mut heard: impl FnMut(usize, usize),
) -> Option<(F::Version, Choice)> {
    let ties = fit.ties();
    let observed = Observations::of(fit, games, true);
    let mut best: Option<Choice> = None;
    let explained_before = observed.explained(&fit.coefficients(before));
    for (step, penalties) in PENALTIES.into_iter().enumerate() {
        if let Some(coefficients) = observed.sums.solve(penalties.0, &scaled(&ties, penalties.1)) {
            let after = observed.explained(&coefficients);
            if best.is_none_or(|best| after > best.after) {
                best = Some(Choice { penalties, before: explained_before, after });
            }
        }
        heard(step + 1, PENALTIES.len());
    }
    let best = best?;
    let all = Observations::of(fit, games, false);
    let coefficients = all.sums.solve(best.penalties.0, &scaled(&ties, best.penalties.1))?;
    Some((fit.completed(fit.with_coefficients(before, &coefficients), games), best))
}

fn scaled(ties: &[(f64, Vec<Term>)], factor: f64) -> Vec<(f64, Vec<Term>)> {
    ties.iter().map(|(weight, terms)| (weight * factor, terms.clone())).collect()
}

/// What a fit is made of: the sums of the games that it sees, and the terms and margins of those held out.
struct Observations {
    sums: Sums,
    held_out: Vec<(Vec<Term>, f64)>,
}

impl Observations {
    fn of<F: Fit>(fit: &F, games: &[Played], hold_out: bool) -> Observations {
        let mut all = Observations { sums: Sums::new(fit.count()), held_out: Vec::new() };
        let mut terms = Vec::new();
        for (number, played) in games.iter().enumerate() {
            let Some(margin) = played.margin else { continue };
            let positions: Vec<F::Game> = positions(played);
            for (ply, root) in positions.iter().enumerate().skip(played.opening) {
                let ahead = split_mix((number as u64 + 1) << 16 ^ ply as u64) % LEAF_PLIES;
                let Some(leaf) = positions.get(ply + ahead as usize) else { continue };
                terms.clear();
                fit.terms(root, leaf, &mut terms);
                if hold_out && number.is_multiple_of(HELD_OUT_EVERY) {
                    all.held_out.push((terms.clone(), margin));
                } else {
                    all.sums.add(&terms, margin);
                }
            }
        }
        all
    }

    /// The part of the held-out margins' variance that these coefficients explain.
    fn explained(&self, coefficients: &[f64]) -> f64 {
        let (mut left, mut whole) = (0.0, 0.0);
        for (terms, margin) in &self.held_out {
            let estimate: f64 = terms.iter().map(|&(number, factor)| coefficients[number] * factor).sum();
            left += (margin - estimate).powi(2);
            whole += margin * margin;
        }
        1.0 - left / whole
    }
}
