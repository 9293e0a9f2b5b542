//! The evaluation of Halma: the worth of the squares, and exact values near the leaves
//! (`frontier.rs`).

use crate::board::{BLACK, PIECES, Square};
use crate::formula::late_part;
use crate::frontier;
use crate::rules::{Move, Position};
use engine::clock::MOVES_BEYOND;
use engine::search::{Knowledge, LateMoves, LatePruning, Score, Selectivity};
use engine::{Game, Side};

/// The number of a side's pieces in its target camp from which most of its army has arrived.
const LATE_ARRIVALS: u32 = 10;

/// The units of history score that a point of worth counts in move ordering.
const ORDER: i32 = 40;
/// Half the width of the first aspiration window, in points.
const ASPIRATION: Score = 300;
/// The reduction of late moves.
const LATE_MOVES: LateMoves = LateMoves { least_depth: 3, full_moves: 4, base: 0.5, divisor: 2.0 };
/// The pruning of late moves. Of the hundred moves of a middle-game position, most go sideways or
/// back.
const LATE_PRUNING: LatePruning = LatePruning { most_depth: 6, base: 4, factor: 1 };

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

/// Returns whether most of a side's army has arrived.
#[inline]
pub(crate) fn has_mostly_arrived(position: &Position, side: Side) -> bool {
    position.pieces(side).and(Position::target(side)).len() >= LATE_ARRIVALS
}

impl Knowledge<Position> for Evaluation {
    #[inline]
    fn evaluate(&self, position: &Position) -> Score {
        let (own, other) = (position.side_to_move(), position.side_to_move().other());
        let sum = position.worth(own) - position.worth(other) + position.worths().tempo();
        if position.worths().are_by_formula() {
            let late = |side: Side| {
                let outside = position.pieces(side).minus(Position::target(side));
                let arrived = has_mostly_arrived(position, side);
                if arrived { late_part(position.holes(side), outside) } else { 0 }
            };
            sum + late(own) - late(other)
        } else {
            sum
        }
    }

    /// Orders moves by their gain in worth, scaled so that one diagonal step weighs about as much
    /// as the history score.
    #[inline]
    fn order(&self, position: &Position, mv: Move) -> i32 {
        let side = position.side_to_move();
        (position.worths().of(side, mv.to) - position.worths().of(side, mv.from)) * ORDER
    }

    /// Returns the move with the largest gain in worth, found without making moves, where the
    /// evaluation is a sum over pieces: not with the formula's worths.
    fn frontier(&self, position: &Position, _: Score, beta: Score) -> Option<(Score, Move)> {
        if position.worths().are_by_formula() {
            return None;
        }
        frontier::one_ply(position, beta)
    }

    /// Returns the value, the best move and the best reply from the gains in worth
    /// (`frontier::two_plies`).
    fn pre_frontier(
        &self,
        position: &mut Position,
        alpha: Score,
        beta: Score,
        most_moves: usize,
    ) -> Option<(Score, [Move; 2])> {
        if position.worths().are_by_formula() {
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
