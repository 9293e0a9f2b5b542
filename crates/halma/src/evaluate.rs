//! The evaluation of Halma: the worth of the squares, the holes of an almost filled camp, and exact
//! values near the leaves (`frontier.rs`).

use crate::board::{BLACK, PIECES, Square};
use crate::frontier;
use crate::hole_cost::hole_cost;
use crate::rules::{Move, Position};
use crate::tunable::{ASPIRATION, LATE, LATE_MOVES, LATE_PRUNING};
use engine::clock::MOVES_BEYOND;
use engine::search::{Knowledge, Score, Selectivity};
use engine::{Game, Side};

/// The number of a side's pieces in its target camp from which the evaluation adds the late part,
/// with holes and their distances.
const LATE_ARRIVALS: u32 = 10;

/// The rows and columns that a move covers on average, and the moves added to the estimate for the
/// end of a game. Time left at the end is worth nothing, but a side that spends half of its clock
/// in the first third of the game lacks that time when the armies pass each other.
const DISTANCE_PER_MOVE: u32 = 6;
const EXTRA_MOVES: u32 = 6;

/// The moves at the end of a game that need hardly any time, since the race is planned.
const RACE_MOVES: f64 = 9.0;
/// The least number of moves among which the clock is divided. With it the last moves of a game get
/// the usual share, and those of a game that does not end where it was expected to do not run out
/// of time.
const LEAST_SHARES: f64 = EXTRA_MOVES as f64 + 1.0 + MOVES_BEYOND;

/// Returns the factor by which a move of a game may use more than the usual share of the clock,
/// `moves_left` moves before the end. What the usual shares keep for moves beyond the expected ones
/// and for the race is spent before.
pub(crate) fn clock_factor(moves_left: u32) -> f64 {
    let moves = f64::from(moves_left) + 1.0;
    (moves + MOVES_BEYOND) / (moves - RACE_MOVES).max(LEAST_SHARES)
}

/// Returns the number of rows plus columns between a square and a side's far corner.
pub(crate) fn distance(side: Side, square: Square) -> u32 {
    let sum = (square.x() + square.y()) as u32;
    if side == BLACK { 30 - sum } else { sum }
}

/// The sum of [`distance`] over the squares of a target camp.
pub(crate) const FULL_DISTANCE: u32 = {
    // The 15 squares within distance 4, and the 4 squares of the camp at distance 5.
    2 + 2 * 3 + 3 * 4 + 4 * 5 + 4 * 5
};

/// The evaluation and search parameters of the Halma agent.
#[derive(Clone, Copy, Debug, Default)]
pub struct Evaluation;

impl Evaluation {
    /// Returns the points that a side gets in addition to the worth of its squares once
    /// [`LATE_ARRIVALS`] of its pieces have arrived: a bonus less the cost of its holes.
    fn late_part(self, position: &Position, side: Side) -> Score {
        let scale = position.worths().late_scale();
        if scale == 0 || !is_late(position, side) {
            return 0;
        }
        scale
            * (LATE
                - hole_cost(
                    position.holes(side),
                    position.pieces(side).minus(Position::target(side)),
                ))
    }
}

/// Returns whether enough of a side's pieces have arrived for the evaluation to add the late part.
#[inline]
pub(crate) fn is_late(position: &Position, side: Side) -> bool {
    position.pieces(side).and(Position::target(side)).len() >= LATE_ARRIVALS
}

/// Returns whether both sides' late parts are 0 before and after any one move of each side, so that
/// the evaluation is the difference in worth.
#[inline]
fn is_early(position: &Position) -> bool {
    position.worths().late_scale() == 0
        || Side::BOTH
            .into_iter()
            .all(|side| position.pieces(side).and(Position::target(side)).len() + 1 < LATE_ARRIVALS)
}

impl Knowledge<Position> for Evaluation {
    #[inline]
    fn evaluate(&self, position: &Position) -> Score {
        let (own, other) = (position.side_to_move(), position.side_to_move().other());
        position.worth(own) - position.worth(other)
            + position.worths().tempo()
            + self.late_part(position, own)
            - self.late_part(position, other)
    }

    /// Orders moves by their gain in worth, scaled so that one diagonal step weighs about as much
    /// as the history score.
    #[inline]
    fn order(&self, position: &Position, mv: Move) -> i32 {
        let side = position.side_to_move();
        (position.worths().of(side, mv.to) - position.worths().of(side, mv.from))
            * position.worths().order_scale()
    }

    /// Returns the move with the largest gain in worth, found without making moves: the evaluation
    /// is a sum over pieces except near the end.
    fn frontier(&self, position: &Position, _: Score, beta: Score) -> Option<(Score, Move)> {
        if !is_early(position) {
            return None;
        }
        frontier::one_ply(position, beta)
    }

    /// Returns the value, the best move and the best reply from the gains in worth
    /// (`frontier::two_plies`); `None` near the end.
    fn pre_frontier(
        &self,
        position: &mut Position,
        alpha: Score,
        beta: Score,
        most_moves: usize,
    ) -> Option<(Score, [Move; 2])> {
        if !is_early(position) {
            return None;
        }
        frontier::two_plies(position, alpha, beta, most_moves)
    }

    /// Estimates the moves that the side to move has still to make from the distance that its
    /// pieces have to go.
    fn moves_left(&self, position: &Position) -> u32 {
        let side = position.side_to_move();
        let pieces = position.pieces(side);
        let to_go: u32 = pieces.into_iter().map(|square| distance(side, square)).sum();
        let full = FULL_DISTANCE * pieces.len() / PIECES as u32;
        to_go.saturating_sub(full) / DISTANCE_PER_MOVE + EXTRA_MOVES
    }

    fn selectivity(&self, _: Side) -> Selectivity {
        Selectivity {
            late_moves: Some(LATE_MOVES),
            late_pruning: Some(LATE_PRUNING),
            ..Selectivity::NONE
        }
    }

    fn aspiration(&self) -> Score {
        ASPIRATION
    }

    /// The positions stored per second: fewer than are searched, because the last two plies are not
    /// stored.
    fn stored_per_second(&self) -> u32 {
        700_000
    }
}
