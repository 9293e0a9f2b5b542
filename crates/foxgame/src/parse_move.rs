//! Parsing and checking a move, with an exact reason where it is illegal.

use crate::board::Point;
use crate::rules::{FOX, Move, Position, SHEEP};
use engine::legs::{illegal_leg, read_legs};
use engine::{Game, Protocol, Side, Violation};

/// The legal move that the text of an output file describes.
pub(crate) fn read_move(position: &Position, text: &str) -> Result<Move, Violation> {
    let legs = read_legs::<Point>(text)?;
    let Some(first) = legs.first() else {
        return Err(Violation::format(
            1,
            "expected a move such as 'E 3,4 3,3' or 'J 3,2 3,4', found an empty file",
        ));
    };
    let stops: Vec<Point> =
        std::iter::once(first.from).chain(legs.iter().map(|leg| leg.to)).collect();
    legal_move_over(position, &stops, first.is_jump, |point| point.to_string())
        .map_err(|(leg, reason)| illegal_leg(&legs, leg, reason))
}

/// The legal move over `stops`, of which there must be at least two: a chain of jumps, or else a
/// step. `name` formats a point for messages. The error holds the leg at fault, counted from 0, and
/// the reason.
pub(crate) fn legal_move_over(
    position: &Position,
    stops: &[Point],
    jumps: bool,
    name: fn(Point) -> String,
) -> Result<Move, (usize, String)> {
    let (board, side) = (position.board(), position.side_to_move());
    let (from, to) = (stops[0], stops[stops.len() - 1]);
    let word = Position::side_word(side);
    if position.outcome().is_some() {
        return Err((0, "the game is over".to_string()));
    }
    let own = if side == FOX { board.foxes } else { board.sheep };
    if board.empty().contains(from) {
        return Err((0, format!("{word} has no piece on {}", name(from))));
    }
    if !own.contains(from) {
        let (at, owner) = (name(from), Position::side_word(side.other()));
        return Err((0, format!("the piece on {at} belongs to {owner}, and it is {word}'s turn")));
    }
    let mut sheep = board.sheep;
    for (leg, pair) in stops.windows(2).enumerate() {
        let (at, next) = (pair[0], pair[1]);
        if (board.foxes | sheep).contains(next) && next != from {
            return Err((leg, format!("{} is occupied", name(next))));
        }
        if !jumps {
            check_step(side, at, next, name).map_err(|reason| (leg, reason))?;
            continue;
        }
        if side == SHEEP {
            return Err((leg, "sheep do not jump".to_string()));
        }
        let jump = at.jumps().iter().find(|jump| jump.to == next);
        let over = jump.ok_or_else(|| (leg, no_jump(at, next, name)))?.over;
        if !sheep.contains(over) {
            return Err((leg, format!("there is no sheep on {} to jump over", name(over))));
        }
        sheep.remove(over);
    }
    Ok(Move { from, to, captured: board.sheep - sheep })
}

/// The reason why no jump leads from one point to another.
fn no_jump(from: Point, to: Point, name: fn(Point) -> String) -> String {
    let distances = [from.x().abs_diff(to.x()), from.y().abs_diff(to.y())];
    if matches!(distances, [0, 2] | [2, 0] | [2, 2]) {
        let middle = Point::new(from.x().midpoint(to.x()), from.y().midpoint(to.y()));
        if let Some(middle) = middle.filter(|&middle| !from.neighbours().contains(middle)) {
            return format!("no line joins {} to {}", name(from), name(middle));
        }
    }
    format!("{} is not two points from {} along a straight line", name(to), name(from))
}

fn check_step(side: Side, from: Point, to: Point, name: fn(Point) -> String) -> Result<(), String> {
    if !from.neighbours().contains(to) {
        return Err(format!("no line joins {} to {}", name(from), name(to)));
    }
    if side == SHEEP && !from.ahead().contains(to) {
        return Err(format!("sheep do not go back, as from {} to {}", name(from), name(to)));
    }
    Ok(())
}
