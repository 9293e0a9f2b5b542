//! SHEEP with its sideways steps in one direction: what it wins so, it wins under the deadlock rule
//! too.
//!
//! The rule lets a side lose that makes a board come back. A step ahead and a capture make boards
//! that were never there. With each of them SHEEP chooses a direction anew, inwards or outwards, in
//! which it steps sideways until the next one: so none of its boards comes back, and one that FOX
//! makes come back loses for FOX.

use engine::Game;
use foxgame::board::PointSet;
use foxgame::rules::{Move, Position, SHEEP};

/// The column of the pen's middle.
const MIDDLE: usize = 3;

/// A direction of sideways steps: each leads to a point with a smaller number, by its distance from
/// the middle column.
#[derive(Debug)]
pub(crate) struct Direction([u8; 4]);

/// The directions from which SHEEP chooses: inwards and outwards. Each sideways step is in one of
/// them.
pub(crate) const DIRECTIONS: [Direction; 2] = [Direction([0, 1, 2, 3]), Direction([3, 2, 1, 0])];

impl Direction {
    /// Returns the sum of the numbers of points: at most so many steps are left for sheep there.
    pub(crate) fn steps_left(&self, points: PointSet) -> u32 {
        points.into_iter().map(|point| u32::from(self.0[point.x().abs_diff(MIDDLE)])).sum()
    }

    /// Returns whether a sideways step from one point to another is in this direction.
    pub(crate) fn has(&self, from: PointSet, to: PointSet) -> bool {
        self.steps_left(to) < self.steps_left(from)
    }
}

/// Returns a move with which SHEEP, to move, wins whatever FOX does: a step ahead, or one sideways
/// in a direction, after which at most `sideways` - 1 others in it are needed until a step ahead or
/// the game's end. `is_won` says whether SHEEP wins a position with FOX to move so, in whatever
/// direction.
///
/// # Errors
/// An error of `is_won`.
pub(crate) fn winning_move<E>(
    position: &mut Position,
    direction: &Direction,
    sideways: u32,
    is_won: &mut impl FnMut(&Position) -> Result<bool, E>,
) -> Result<Option<Move>, E> {
    let moves = position.legal_moves();
    let ahead = |mv: &Move| mv.from.y() != mv.to.y();
    let in_direction = |mv: &&Move| {
        sideways > 0 && !ahead(mv) && direction.has(PointSet::one(mv.from), PointSet::one(mv.to))
    };
    for &mv in moves.iter().filter(|mv| ahead(mv)).chain(moves.iter().filter(in_direction)) {
        let undo = position.play(mv);
        let wins = match position.outcome() {
            Some(outcome) => Ok(outcome.winner() == Some(SHEEP)),
            None if ahead(&mv) => is_won(position),
            None => match is_won(position) {
                Ok(true) => wins_after_steps(position, direction, sideways - 1, is_won),
                other => other,
            },
        };
        position.undo(mv, undo);
        if wins? {
            return Ok(Some(mv));
        }
    }
    Ok(None)
}

/// Returns whether SHEEP has a [`winning_move`] after each step of FOX, to move. Its captures are
/// not looked at.
///
/// # Errors
/// An error of `is_won`.
pub(crate) fn wins_after_steps<E>(
    position: &mut Position,
    direction: &Direction,
    sideways: u32,
    is_won: &mut impl FnMut(&Position) -> Result<bool, E>,
) -> Result<bool, E> {
    let sheep = position.board().sheep;
    for mv in position.legal_moves() {
        let undo = position.play(mv);
        let wins = match position.outcome() {
            Some(outcome) => Ok(outcome.winner() == Some(SHEEP)),
            None if position.board().sheep != sheep => Ok(true),
            None => winning_move(position, direction, sideways, is_won).map(|mv| mv.is_some()),
        };
        position.undo(mv, undo);
        if !wins? {
            return Ok(false);
        }
    }
    Ok(true)
}
