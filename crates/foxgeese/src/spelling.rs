//! Converts between moves of the foxes and their letters, one for each step or jump.

use crate::board::{Board, Cell, Cells, Direction};
use crate::moves::Move;

/// The letters of the step or jumps of a move; `None` if there are none. Of several chains of jumps
/// with this effect it spells the first in the order of [`Direction::ALL`].
pub(crate) fn spell(board: Board, mv: Move) -> Option<Vec<Direction>> {
    if mv.captured.is_empty() {
        return Direction::ALL
            .into_iter()
            .find(|direction| direction.step(mv.from) == Some(mv.to))
            .map(|direction| vec![direction]);
    }
    let blocked = (board.geese - mv.captured) | board.foxes.without(mv.from);
    let mut directions = Vec::new();
    find_jumps(mv.from, mv.to, mv.captured, blocked, &mut directions).then_some(directions)
}

/// Finds jumps from `at` to `to` over all geese of `left`, without landing on `blocked` cells.
fn find_jumps(
    at: Cell,
    to: Cell,
    left: Cells,
    blocked: Cells,
    directions: &mut Vec<Direction>,
) -> bool {
    if left.is_empty() {
        return at == to;
    }
    for direction in Direction::ALL {
        let over = direction.shift(Cells::one(at)) & left;
        if let Some(landing) = (direction.shift(over) - blocked - left).first() {
            directions.push(direction);
            if find_jumps(landing, to, left - over, blocked, directions) {
                return true;
            }
            directions.pop();
        }
    }
    false
}

/// Parses the letters of a move of the fox on `from`: a step, or jumps. The error names the letter
/// that leads nowhere.
pub(crate) fn parse_letters(
    board: Board,
    from: Cell,
    directions: &[Direction],
) -> Result<Move, String> {
    let other_fox = board.foxes.without(from);
    let (mut geese, mut at) = (board.geese, from);
    for (index, direction) in directions.iter().enumerate() {
        let fault = |why| format!("'{}' (letter {}) {why}", direction.letter(), index + 2);
        let next = direction.step(at).ok_or_else(|| fault("leads off the board"))?;
        if !geese.contains(next) {
            if !other_fox.contains(next) && directions.len() == 1 {
                return Ok(Move::step(from, next));
            }
            return Err(fault("meets no goose to jump over"));
        }
        let landing = direction.step(next).filter(|&cell| !(geese | other_fox).contains(cell));
        at = landing.ok_or_else(|| fault("has no empty cell behind the goose"))?;
        geese.remove(next);
    }
    Ok(Move { from, to: at, captured: board.geese - geese })
}
