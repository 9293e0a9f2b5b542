//! FoxGame: fits the weights of the features, in the opening and at the end, to the winners of games.

use crate::learn::model::{LinearModel, Term};
use engine::{Game, Side};
use foxgame::evaluate::{PHASES, measure, phase};
use foxgame::feature::{COUNT, PLACES, SHEEP as SHEEP_ON_PLACES, Weights};
use foxgame::rules::{FOX, SHEEP};
use foxgame::{Evaluation, Position, weights};

/// The score, in points, that corresponds to a certain win (margin 1); a draw is 0.
const POINTS: f64 = 400.0;
/// The factor of FOX's nodes over SHEEP's. With equal nodes SHEEP wins nearly all games, which leaves little to learn from.
const FOX_SHARE: u64 = 4;
/// The weight of the tie between the two weights of a feature.
const TIE: f64 = 0.2;
/// The weight of each sheep in the first version, in points.
const SHEEP_AT_FIRST: i16 = 100;

/// The linear model of FoxGame's evaluation.
pub(crate) struct FoxGameWeights;

impl LinearModel for FoxGameWeights {
    type Game = Position;
    /// Weights are leaked: they live as long as the process and take a few hundred bytes each.
    type Version = &'static Weights;

    /// Returns material only: each sheep has the same weight, every other feature 0.
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

    /// Returns two weights for each feature.
    fn count(&self) -> usize {
        2 * COUNT
    }

    fn terms(&self, _: &Position, leaf: &Position, out: &mut Vec<Term>) {
        let mut totals = [0; COUNT];
        measure(leaf.board(), leaf.side_to_move(), |feature, amount| totals[feature] += amount);
        let early = f64::from(phase(leaf.board())) / f64::from(PHASES);
        for (feature, total) in totals.into_iter().enumerate().filter(|&(_, total)| total != 0) {
            // Weights are points for SHEEP, the second side.
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
    use crate::learn::game_record::positions;
    use crate::learn::games::{GameConditions, play};
    use crate::learn::model::sum_of;
    use engine::search::Knowledge;

    const QUICK: GameConditions = GameConditions { nodes: 30, opening: (4, 4), random_every: 10, longest: 320 };

    #[test]
    fn the_terms_of_a_position_add_up_to_its_evaluation_for_the_fox() {
        let (model, version) = (FoxGameWeights, &weights::WEIGHTS);
        let coefficients = model.coefficients(&version);
        assert_eq!(model.with_coefficients(&version, &coefficients), version);
        let positions: Vec<Position> = positions(&play(&model, [&version, &version], 0, QUICK, 3));
        for position in positions.iter().filter(|position| position.outcome().is_none()).step_by(3) {
            let mut terms = Vec::new();
            model.terms(position, position, &mut terms);
            assert!(terms.is_sorted_by(|a, b| a.0 < b.0));
            let sum = sum_of(&terms, &coefficients);
            let score = model.knowledge(&version).evaluate(position);
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
