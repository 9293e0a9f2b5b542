//! What an analysis is told of Halma: races that are proven, and what can be counted.

use crate::board::{BLACK, CAMPS, Square};
use crate::race;
use crate::rules::{Move, Position};
use engine::{Count, Game, Outcome, Proven, Side};

/// Calls of [`race::plan`]'s `stop` after which a plan is given up: each is 128 positions.
const MOST_POLLS: u32 = 24;

/// A race in which both sides' plans are proven the shortest: the side that needs fewer moves wins, and of equals the side
/// to move. The sides run: that one gives up its own race and turns back to stand in the other's way is not looked at.
pub(crate) fn proven(position: &Position) -> Option<Proven<Move>> {
    let (side, other) = (position.side_to_move(), position.side_to_move().other());
    let turned = Position::new([BLACK, BLACK.other()].map(|side| position.pieces(side)), other, position.rules(other));
    if !race::has_begun(position) || !race::has_begun(&turned) {
        return None;
    }
    let shortest = |position: &Position| {
        let mut polls = 0;
        let plan = race::plan(position, |_| {
            polls += 1;
            polls > MOST_POLLS
        });
        plan.filter(|plan| plan.shortest).map(|plan| plan.moves)
    };
    let own = shortest(position)?;
    let theirs = shortest(&turned)?;
    let (needed, needed_by_other) = (own.len() as u32, theirs.len() as u32);
    let (winner, plies) = if needed <= needed_by_other { (side, 2 * needed - 1) } else { (other, 2 * needed_by_other) };
    let best = own.first().copied().filter(|&mv| position.is_legal(mv));
    Some(Proven { outcome: Outcome::Win(winner), plies: Some(plies), best, source: "counting both races" })
}

/// The rows and columns that a side's pieces are away from its far corner.
fn way_to_go(position: &Position, side: Side) -> i32 {
    let from_corner = |square: Square| {
        let sum = (square.x() + square.y()) as i32;
        if side == BLACK { 30 - sum } else { sum }
    };
    position.pieces(side).into_iter().map(from_corner).sum()
}

/// The way that is left, pieces left behind, holes of the far camp; the opponent's way and holes as well.
pub(crate) fn counts(position: &Position, side: Side) -> Vec<Count> {
    let other = side.other();
    let at_home = position.pieces(side).and(CAMPS[side.index()]).len() as i32;
    let arrived = position.pieces(side).and(Position::target(side)).len() as i32;
    let count = |what, number, more_is_better| Count { what, number, more_is_better };
    vec![
        count("rows and columns still to go", way_to_go(position, side), false),
        count("pieces left in the own camp", at_home, false),
        count("pieces in the far camp", arrived, true),
        count("rows and columns the opponent has still to go", way_to_go(position, other), true),
    ]
}
