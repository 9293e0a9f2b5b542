//! Facts about a Halma position for the analysis: proven races, and counts.

use crate::board::{BLACK, CAMPS, Square};
use crate::race;
use crate::rules::{Move, Position};
use engine::search::Score;
use engine::{Count, Game, Outcome, Proven, Side};

/// The number of calls of `stop` after which [`race::plan`] is ended; it calls `stop` every 128
/// positions.
const MOST_POLLS: u32 = 24;

/// Returns the result of a race in which both sides' plans are proven shortest: the side that needs
/// fewer moves wins, and at equal numbers the side to move. The result assumes that both sides run:
/// a side that turns back to block the other is not considered.
pub(crate) fn proven(position: &Position) -> Option<Proven<Move>> {
    let (side, other) = (position.side_to_move(), position.side_to_move().other());
    let turned = Position::new(
        [BLACK, BLACK.other()].map(|side| position.pieces(side)),
        other,
        position.rules(other),
    );
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
    let (winner, plies) = if needed <= needed_by_other {
        (side, 2 * needed - 1)
    } else {
        (other, 2 * needed_by_other)
    };
    let best = own.first().copied().filter(|&mv| position.is_legal(mv));
    Some(Proven {
        outcome: Outcome::Win(winner),
        plies: Some(plies),
        best,
        source: "counting both races",
    })
}

/// Returns the sum of the rows and columns between a side's pieces and its far corner.
fn way_to_go(position: &Position, side: Side) -> i32 {
    let from_corner = |square: Square| {
        let sum = (square.x() + square.y()) as i32;
        if side == BLACK { 30 - sum } else { sum }
    };
    position.pieces(side).into_iter().map(from_corner).sum()
}

/// The mean worth of a row or column of a piece's way, in points: about 1,900 lie between the
/// learned worths of the two corners, 30 rows and columns apart.
const STEP: Score = 60;

/// Returns the distance to go, the pieces in the own camp, the pieces in the far camp, and the
/// opponent's distance to go.
pub(crate) fn counts(position: &Position, side: Side) -> Vec<Count> {
    let other = side.other();
    let at_home = position.pieces(side).and(CAMPS[side.index()]).len() as i32;
    let arrived = position.pieces(side).and(Position::target(side)).len() as i32;
    let count = |what, number, more_is_better, worth| Count { what, number, more_is_better, worth };
    vec![
        count("distance left", way_to_go(position, side), false, STEP),
        count("pieces left in the own camp", at_home, false, 2 * STEP),
        count("pieces in the far camp", arrived, true, 2 * STEP),
        count("distance left for the opponent", way_to_go(position, other), true, STEP),
    ]
}
