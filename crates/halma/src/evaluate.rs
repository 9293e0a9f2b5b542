//! What the search knows of Halma: the worth of squares, the end of a filled camp, and the frontier without moves.

use crate::apart::spread;
use crate::board::{BLACK, PIECES, Square};
use crate::frontier;
use crate::rules::{Move, Position};
use crate::tunable::tunables;
use engine::search::{Knowledge, Score, Selectivity};
use engine::{Game, Side};

/// The number of arrived pieces from which on the evaluation looks at the holes of a side's target one by one.
const LATE_ARRIVALS: u32 = 10;

/// Rows and columns that a move covers on average, and the moves that the end of a game takes beyond those: what is left at
/// the end is not worth anything, but who spends half of the clock by a third of the game lacks it where armies pass.
const WAY_OF_MOVE: u32 = 6;
const MOVES_OF_END: u32 = 6;

/// The rows and columns between a square and a side's far corner, added up.
pub(crate) fn distance(side: Side, square: Square) -> u32 {
    let sum = (square.x() + square.y()) as u32;
    if side == BLACK { 30 - sum } else { sum }
}

/// The sum of [`distance`] over the squares of a full target.
pub(crate) const FULL_DISTANCE: u32 = {
    // 15 squares within distance 4, and the 4 of distance 5 that are in the camp.
    2 + 2 * 3 + 3 * 4 + 4 * 5 + 4 * 5
};

/// The knowledge that the Halma agent plays with.
#[derive(Clone, Copy, Debug, Default)]
pub struct Evaluation;

impl Evaluation {
    /// The points that a side gets on top of its squares' worth, once it is late in the game.
    fn late_part(self, position: &Position, side: Side) -> Score {
        let scale = position.worths().late_scale();
        if scale == 0 || !is_late(position, side) {
            return 0;
        }
        scale * (tunables().late - spread(position.holes(side), position.pieces(side).minus(Position::target(side))))
    }
}

/// Whether enough of a side's pieces have arrived for the evaluation to look at the holes one by one.
#[inline]
pub(crate) fn is_late(position: &Position, side: Side) -> bool {
    position.pieces(side).and(Position::target(side)).len() >= LATE_ARRIVALS
}

/// Whether both sides' late parts are 0 before and after any one move of each: the evaluation is the difference in worth.
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
        position.worth(own) - position.worth(other) + position.worths().tempo() + self.late_part(position, own)
            - self.late_part(position, other)
    }

    /// The gain in worth; a gain of one diagonal step weighs as much as some history.
    #[inline]
    fn order(&self, position: &Position, mv: Move) -> i32 {
        let side = position.side_to_move();
        (position.worths().of(side, mv.to) - position.worths().of(side, mv.from)) * position.worths().order_scale()
    }

    /// The best move by its gain in worth, known without making it: the evaluation is a sum over pieces except near the
    /// end.
    fn frontier(&self, position: &Position, _: Score, beta: Score) -> Option<(Score, Move)> {
        if !is_early(position) {
            return None;
        }
        frontier::one_ply(position, beta)
    }

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

    /// The moves that games still last, by the way that is left.
    fn moves_left(&self, position: &Position) -> u32 {
        let side = position.side_to_move();
        let pieces = position.pieces(side);
        let to_go: u32 = pieces.into_iter().map(|square| distance(side, square)).sum();
        let full = FULL_DISTANCE * pieces.len() / PIECES as u32;
        to_go.saturating_sub(full) / WAY_OF_MOVE + MOVES_OF_END
    }

    fn selectivity(&self, _: Side) -> Selectivity {
        Selectivity {
            late_moves: Some(tunables().late_moves()),
            late_pruning: Some(tunables().late_pruning()),
            ..Selectivity::NONE
        }
    }

    fn aspiration(&self) -> Score {
        tunables().aspiration
    }

    /// Fewer positions than are searched: the last two plies are not stored.
    fn stored_per_second(&self) -> u32 {
        300_000
    }
}
