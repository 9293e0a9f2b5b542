//! Halma: fits a piece-square table for each stage of the game to the margin of the final race.

use crate::learn::game_record::GameRecord;
use crate::learn::model::{LinearModel, Term};
use crate::learn::tempo::with_tempo;
use engine::{Game, Outcome, Side};
use halma::board::{CAMPS, SIZE, Square};
use halma::formula;
use halma::learned::{PLACES, Stage, Tables, bracket, place_of, to_go};
use halma::{Evaluation, Position, Rules, race};

/// The score, in points, that corresponds to a margin of one move.
const POINTS: f64 = 300.0;
/// The stages of the tables, as distances still to go; between two stages the tables are
/// interpolated.
const STAGES: [u32; 8] = [60, 180, 300, 420, 540, 660, 780, 900];
/// The limit of margins, in moves; larger ones are clamped to it.
const LARGEST_MARGIN: f64 = 12.0;
/// The effort limit of a race plan: the number of times that it may ask whether to stop, about once
/// for every hundred positions.
const LONGEST_PLAN: u32 = 30;
/// The advantage of the side to move, in moves.
pub(crate) const TURN: f64 = 0.5;

/// The linear model of Halma's evaluation.
pub(crate) struct HalmaTables;

/// Returns the number of moves of the shortest plan found for a side, as if it were to move; `None`
/// if planning is cut off.
fn moves_to_fill(position: &Position, side: Side) -> Option<f64> {
    if position.has_filled(side) {
        return Some(0.0);
    }
    let pieces = Side::BOTH.map(|side| position.pieces(side));
    let turned = Position::new(pieces, side, Rules::Addendum);
    let mut asked = 0;
    let too_long = |_| {
        asked += 1;
        asked > LONGEST_PLAN
    };
    let plan = race::plan(&turned, too_long)?;
    Some(plan.moves.len() as f64)
}

/// Returns ties on the second differences of a piece-square table, along rows and along diagonals
/// of both directions.
fn mirror_ties() -> Vec<(f64, Vec<Term>)> {
    let size = 0..SIZE as isize;
    let mut ties = Vec::new();
    for (x, y) in size.clone().flat_map(|y| size.clone().map(move |x| (x, y))) {
        for (dx, dy) in [(1, 0), (1, 1), (1, -1)] {
            let three = [(x - dx, y - dy), (x, y), (x + dx, y + dy)];
            if three.iter().all(|(x, y)| size.contains(x) && size.contains(y)) {
                let squares = three.map(|(x, y)| Square::at(x as usize, y as usize));
                let [a, middle, b] = squares.map(|square| place_of(Side::First, square));
                ties.push((1.0, vec![(a, 1.0), (middle, -2.0), (b, 1.0)]));
            }
        }
    }
    ties
}

impl LinearModel for HalmaTables {
    type Game = Position;
    type Version = Tables;

    /// Returns the values of Halma's formula, times three, in every stage.
    fn first(&self) -> Tables {
        let mut worths = [0; PLACES];
        for square in Square::all() {
            worths[place_of(Side::First, square)] =
                (3 * formula::worths().of(Side::First, square) - 2_100) as i16;
        }
        let stages = STAGES.into_iter().map(|to_go| Stage { to_go, tempo: 0, worths }).collect();
        Tables { stages }
    }

    fn read(&self, text: &str) -> Result<Tables, String> {
        Tables::read(text)
    }

    fn text(&self, version: &Tables) -> String {
        version.text()
    }

    fn seen(&self, version: &Tables, position: &Position) -> Position {
        version.as_searched(position, None)
    }

    fn knowledge(&self, _: &Tables) -> Evaluation {
        Evaluation
    }

    fn margin(&self, position: &Position) -> Option<f64> {
        let winner = position.outcome().and_then(Outcome::winner);
        let mover = position.side_to_move();
        if winner.is_none() {
            let stays = |side: Side| !position.pieces(side).and(CAMPS[side.index()]).is_empty();
            if stays(mover.other()) || !race::has_begun(position) {
                return None;
            }
        }
        let [first, second] = Side::BOTH.map(|side| moves_to_fill(position, side));
        let margin = match (first, second, winner) {
            (Some(first), Some(second), _) => {
                second - first + if mover == Side::First { TURN } else { -TURN }
            }
            (_, _, Some(Side::First)) => LARGEST_MARGIN,
            (_, _, Some(Side::Second)) => -LARGEST_MARGIN,
            _ => return None,
        };
        Some(margin.clamp(-LARGEST_MARGIN, LARGEST_MARGIN))
    }

    /// Counts a coefficient for each place in each stage, and one for the side to move.
    fn count(&self) -> usize {
        STAGES.len() * PLACES + 1
    }

    fn terms(&self, root: &Position, leaf: &Position, out: &mut Vec<Term>) {
        let (low, high, part) = bracket(STAGES.len(), |stage| STAGES[stage], to_go(root));
        let mut counts = [0.0; PLACES];
        for (side, sign) in [(Side::First, 1.0), (Side::Second, -1.0)] {
            leaf.pieces(side).each(|square| counts[place_of(side, square)] += sign);
        }
        for (stage, factor) in [(low, 1.0 - part), (high, part)] {
            if factor > 0.0 {
                let terms = counts.iter().enumerate().filter(|&(_, &count)| count != 0.0);
                out.extend(terms.map(|(place, &count)| (stage * PLACES + place, factor * count)));
            }
        }
        out.push((
            STAGES.len() * PLACES,
            if leaf.side_to_move() == Side::First { 1.0 } else { -1.0 },
        ));
    }

    /// Returns ties on the second differences within each stage, and on the differences between
    /// adjacent stages.
    fn ties(&self) -> Vec<(f64, Vec<Term>)> {
        let squares = mirror_ties();
        let mut ties = Vec::new();
        for stage in 0..STAGES.len() {
            let of_stage = |&(place, factor): &Term| (stage * PLACES + place, factor);
            ties.extend(
                squares
                    .iter()
                    .map(|(weight, terms)| (*weight, terms.iter().map(of_stage).collect())),
            );
        }
        for stage in 1..STAGES.len() {
            for place in 0..PLACES {
                ties.push((
                    0.2,
                    vec![(stage * PLACES + place, 1.0), ((stage - 1) * PLACES + place, -1.0)],
                ));
            }
        }
        ties
    }

    fn coefficients(&self, version: &Tables) -> Vec<f64> {
        let worths = version.stages.iter().flat_map(|stage| stage.worths);
        worths.map(|worth| f64::from(worth) / POINTS).chain([0.0]).collect()
    }

    fn with_coefficients(&self, version: &Tables, coefficients: &[f64]) -> Tables {
        let mut tables = version.clone();
        for (stage, worths) in
            tables.stages.to_mut().iter_mut().zip(coefficients.chunks_exact(PLACES))
        {
            for (worth, coefficient) in stage.worths.iter_mut().zip(worths) {
                *worth = (coefficient * POINTS).round().clamp(-15_000.0, 15_000.0) as i16;
            }
        }
        tables
    }

    fn completed(&self, version: Tables, games: &[GameRecord]) -> Tables {
        with_tempo(version, games)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::game_record::positions;
    use crate::learn::games::{GameConditions, play};
    use crate::learn::model::sum_of;

    const QUICK: GameConditions =
        GameConditions { nodes: 30, opening: (4, 4), random_every: 10, longest: 320 };

    #[test]
    fn the_terms_of_a_position_add_up_to_its_evaluation() {
        let (model, version) = (HalmaTables, Tables::in_use());
        let coefficients = model.coefficients(version);
        assert_eq!(&model.with_coefficients(version, &coefficients), version);
        let positions: Vec<Position> = positions(&play(&model, [version, version], 1, QUICK, 3));
        for pair in positions.windows(4).step_by(5) {
            let (root, leaf) = (&pair[0], &pair[3]);
            let mut terms = Vec::new();
            model.terms(root, leaf, &mut terms);
            assert!(terms.is_sorted_by(|a, b| a.0 < b.0));
            let sum = sum_of(&terms, &coefficients);
            let seen = leaf.with_worths(version.at_root(root, None));
            let worth = f64::from(seen.worth(Side::First) - seen.worth(Side::Second));
            // The value of each piece is rounded.
            assert!((sum * POINTS - worth).abs() <= 19.0, "{} for {worth}", sum * POINTS);
        }
    }

    #[test]
    fn games_end_with_a_margin_for_the_side_that_needs_fewer_moves() {
        let (model, version) = (HalmaTables, Tables::in_use());
        for seed in 0..4 {
            let played = play(&model, [version, version], 1, QUICK, seed);
            let margin = played.margin.expect("the armies part");
            let last: Position = positions(&played).pop().unwrap();
            let [first, second] = Side::BOTH.map(|side| moves_to_fill(&last, side).unwrap());
            assert!(margin.abs() <= LARGEST_MARGIN);
            assert!((margin - (second - first)).abs() <= TURN || margin.abs() == LARGEST_MARGIN);
        }
    }
}
