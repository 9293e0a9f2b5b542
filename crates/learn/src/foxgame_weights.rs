//! FoxGame: the weights of its features, for the beginning and the end of the flock's way, fitted to who won.

use crate::fit::{Fit, Term};
use engine::{Game, Side};
use foxgame::evaluate::{PHASES, measure, phase};
use foxgame::feature::{COUNT, PLACES, SHEEP as SHEEP_ON_PLACES, Weights};
use foxgame::rules::{FOX, SHEEP};
use foxgame::{Evaluation, Position, weights};

/// Points of the evaluation for a game that is won beyond doubt; a drawn position is 0.
const POINTS: f64 = 400.0;
/// Nodes of a fox's search for one of a sheep's: between equals the sheep win nearly all games, which teaches nothing.
const FOX_SHARE: u64 = 4;
/// How much the two weights of a feature pull together.
const TIE: f64 = 0.2;
/// The worth of each sheep before anything is learned, in points.
const SHEEP_AT_FIRST: i16 = 100;

/// The fit of FoxGame's weights.
pub struct FoxGameWeights;

impl Fit for FoxGameWeights {
    type Game = Position;
    /// Weights are kept for the length of the process, a few hundred bytes each.
    type Version = &'static Weights;

    /// The number of sheep alone.
    fn first(&self) -> &'static Weights {
        let mut weights = [[0; 2]; COUNT];
        weights[SHEEP_ON_PLACES..SHEEP_ON_PLACES + PLACES].fill([SHEEP_AT_FIRST; 2]);
        Box::leak(Box::new(weights))
    }

    fn read(&self, text: &str) -> Result<&'static Weights, String> {
        Ok(Box::leak(Box::new(weights::read(text)?)))
    }

    fn text(&self, version: &&'static Weights) -> String {
        weights::text(version)
    }

    fn seen(&self, _: &&'static Weights, position: &Position) -> Position {
        position.clone()
    }

    fn knowledge(&self, version: &&'static Weights) -> Evaluation {
        Evaluation::with(version)
    }

    fn nodes(&self, side: Side, nodes: u64) -> u64 {
        if side == FOX { nodes.saturating_mul(FOX_SHARE) } else { nodes }
    }

    fn margin(&self, position: &Position) -> Option<f64> {
        Some(match position.outcome()?.winner() {
            Some(FOX) => 1.0,
            Some(SHEEP) => -1.0,
            None => 0.0,
        })
    }

    /// Two weights for each feature.
    fn count(&self) -> usize {
        2 * COUNT
    }

    fn terms(&self, _: &Position, leaf: &Position, out: &mut Vec<Term>) {
        let mut totals = [0; COUNT];
        measure(leaf.board(), leaf.side_to_move(), |feature, amount| totals[feature] += amount);
        let early = f64::from(phase(leaf.board())) / f64::from(PHASES);
        for (feature, total) in totals.into_iter().enumerate().filter(|&(_, total)| total != 0) {
            // Weights are points for the sheep, which are the second side.
            let amount = -f64::from(total);
            out.push((2 * feature, amount * early));
            out.push((2 * feature + 1, amount * (1.0 - early)));
        }
    }

    fn ties(&self) -> Vec<(f64, Vec<Term>)> {
        (0..COUNT).map(|feature| (TIE, vec![(2 * feature, 1.0), (2 * feature + 1, -1.0)])).collect()
    }

    fn coefficients(&self, version: &&'static Weights) -> Vec<f64> {
        version.iter().flatten().map(|&weight| f64::from(weight) / POINTS).collect()
    }

    fn with_coefficients(&self, _: &&'static Weights, coefficients: &[f64]) -> &'static Weights {
        let mut weights = [[0; 2]; COUNT];
        for (weight, coefficient) in weights.iter_mut().flatten().zip(coefficients) {
            *weight = (coefficient * POINTS).round().clamp(-15_000.0, 15_000.0) as i16;
        }
        Box::leak(Box::new(weights))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{Terms, play};
    use crate::played::positions;
    use engine::search::Knowledge;

    const QUICK: Terms = Terms { nodes: 30, opening: (4, 4), random_every: 10, longest: 320 };

    #[test]
    fn the_terms_of_a_position_add_up_to_its_evaluation_for_the_fox() {
        let (fit, version) = (FoxGameWeights, &weights::WEIGHTS);
        let coefficients = fit.coefficients(&version);
        assert_eq!(fit.with_coefficients(&version, &coefficients), version);
        let positions: Vec<Position> = positions(&play(&fit, [&version, &version], 0, QUICK, 3));
        for position in positions.iter().filter(|position| position.outcome().is_none()).step_by(3) {
            let mut terms = Vec::new();
            fit.terms(position, position, &mut terms);
            assert!(terms.is_sorted_by(|a, b| a.0 < b.0));
            let sum: f64 = terms.iter().map(|&(number, factor)| coefficients[number] * factor).sum();
            let score = fit.knowledge(&version).evaluate(position);
            let for_fox = f64::from(if position.side_to_move() == FOX { score } else { -score });
            assert!((sum * POINTS - for_fox).abs() <= 1.0, "{} for {for_fox}", sum * POINTS);
        }
    }

    #[test]
    fn games_end_with_a_winner() {
        let first = FoxGameWeights.first();
        for seed in 0..4 {
            let margin = play(&FoxGameWeights, [&first, &first], 0, QUICK, seed).margin;
            assert!(margin.is_some_and(|margin| margin.abs() == 1.0), "{margin:?}");
        }
    }
}
