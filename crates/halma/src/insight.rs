//! Facts about a Halma position for the analysis: proven races, and counts.

use crate::board::{BLACK, CAMPS, Square, Squares};
use crate::race;
use crate::rules::{Move, Position};
use engine::drawing::Place;
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

/// A piece so many rows or columns off the diagonal is named.
const FAR_OFF: i32 = 2;

/// The mean worth of a row or column off the diagonal, in points, half way between the camps.
const OFF: Score = 80;

/// Returns the distance to go, the pieces in the own camp, those in the far camp, the distance
/// from the diagonal, and the opponent's distance to go.
pub(crate) fn counts(position: &Position, side: Side) -> Vec<Count> {
    let way = |what, of: Side| Count {
        is_way: true,
        ..Count::new(what, way_to_go(position, of), of != side, STEP)
    };
    let places = |squares: Squares| squares.into_iter().map(place);
    let at_home = places(position.pieces(side).and(CAMPS[side.index()]));
    let arrived = places(position.pieces(side).and(Position::target(side)));
    // The rows or columns that a piece lacks of standing on the diagonal between the camps.
    let off = |square: &Square| square.x().abs_diff(square.y()) as i32;
    let sum = position.pieces(side).into_iter().map(|square| off(&square)).sum();
    let far_off = position.pieces(side).into_iter().filter(|square| off(square) >= FAR_OFF);
    vec![
        way("distance left", side),
        Count::of("pieces left in the own camp", at_home, false, 2 * STEP),
        Count::of("pieces in the far camp", arrived, true, 2 * STEP),
        Count::new("distance from the diagonal between the camps", sum, false, OFF)
            .on(far_off.map(place)),
        way("distance left for the opponent", side.other()),
    ]
}

fn place(square: Square) -> Place {
    (square.x(), square.y())
}
