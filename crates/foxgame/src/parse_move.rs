//! Parsing and checking a move, with an exact reason where it is illegal.

use crate::board::Point;
use crate::names::owner_word;
use crate::rules::{Move, Position, SHEEP};
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
    let kind = if first.is_jump { MoveKind::Jumps } else { MoveKind::Step };
    legal_move_over(position, &stops, kind, |point| point.to_string())
        .map_err(|(leg, reason)| illegal_leg(&legs, leg, reason))
}

/// The kind of a move.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum MoveKind {
    /// A single step along a line.
    Step,
    /// One jump or a chain of them.
    Jumps,
}

/// The legal move over `stops`, of which there must be at least two. `name` formats a point for
/// messages. The error holds the leg at fault, counted from 0, and the reason.
pub(crate) fn legal_move_over(
    position: &Position,
    stops: &[Point],
    kind: MoveKind,
    name: fn(Point) -> String,
) -> Result<Move, (usize, String)> {
    let (board, side) = (position.board(), position.side_to_move());
    let (from, to) = (stops[0], stops[stops.len() - 1]);
    let word = Position::side_word(side);
    if position.outcome().is_some() {
        return Err((0, "the game is over".to_string()));
    }
    match owner_word(board, from) {
        Some(owner) if owner == word => {}
        Some(owner) => {
            return Err((
                0,
                format!("the piece on {} belongs to {owner}, and it is {word}'s turn", name(from)),
            ));
        }
        None => return Err((0, format!("{word} has no piece on {}", name(from)))),
    }
    let mut sheep = board.sheep;
    for (leg, pair) in stops.windows(2).enumerate() {
        let (at, next) = (pair[0], pair[1]);
        if (board.foxes | sheep).contains(next) && next != from {
            return Err((leg, format!("{} is occupied", name(next))));
        }
        if kind == MoveKind::Step {
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
    let between =
        |one: usize, other: usize| (one.abs_diff(other) % 2 == 0).then_some((one + other) / 2);
    let middle = between(from.x(), to.x())
        .zip(between(from.y(), to.y()))
        .and_then(|(x, y)| Point::new(x, y));
    let is_near = from.x().abs_diff(to.x()).max(from.y().abs_diff(to.y())) == 2;
    match middle.filter(|&middle| is_near && !from.neighbours().contains(middle)) {
        Some(middle) => format!("no line joins {} to {}", name(from), name(middle)),
        None => format!("{} is not two points from {} along a straight line", name(to), name(from)),
    }
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
