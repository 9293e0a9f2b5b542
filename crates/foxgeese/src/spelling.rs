//! The letters that a move of the foxes is written with, one for each step or jump.

use crate::board::{Board, Cell, Cells, Direction};
use crate::moves::Move;

/// The first spelling, in the order of the directions, of a chain that takes these geese and ends there; of a step if
/// nothing is taken. `None` if there is no such chain.
#[must_use]
pub fn spell(board: Board, mv: Move) -> Option<Vec<Direction>> {
    if mv.captured.is_empty() {
        return Direction::ALL.into_iter().find(|way| way.step(mv.from) == Some(mv.to)).map(|way| vec![way]);
    }
    let blocked = (board.geese - mv.captured) | board.foxes.without(mv.from);
    let mut ways = Vec::new();
    jump(mv.from, mv.to, mv.captured, blocked, &mut ways).then_some(ways)
}

/// Finds jumps from `at` to `to` over all of `left`; landing on `blocked` cells or on geese still left is not possible.
fn jump(at: Cell, to: Cell, left: Cells, blocked: Cells, ways: &mut Vec<Direction>) -> bool {
    if left.is_empty() {
        return at == to;
    }
    for way in Direction::ALL {
        let over = way.shift(Cells::one(at)) & left;
        if let Some(landing) = (way.shift(over) - blocked - left).first() {
            ways.push(way);
            if jump(landing, to, left - over, blocked, ways) {
                return true;
            }
            ways.pop();
        }
    }
    false
}

/// The move of the fox on `from` by these letters: a step, or jumps; an error says which letter leads nowhere.
pub fn follow(board: Board, from: Cell, ways: &[Direction]) -> Result<Move, String> {
    let other_fox = board.foxes.without(from);
    let (mut geese, mut at) = (board.geese, from);
    for (index, way) in ways.iter().enumerate() {
        let letter = way.letter();
        let Some(next) = way.step(at) else {
            return Err(format!("'{letter}' (letter {}) leads off the board", index + 2));
        };
        if !geese.contains(next) {
            if !other_fox.contains(next) && ways.len() == 1 {
                return Ok(Move::step(from, next));
            }
            return Err(format!("'{letter}' (letter {}) meets no goose to jump over", index + 2));
        }
        let Some(landing) = way.step(next).filter(|&landing| !(geese | other_fox).contains(landing)) else {
            return Err(format!("'{letter}' (letter {}) has no empty cell behind the goose", index + 2));
        };
        geese.remove(next);
        at = landing;
    }
    Ok(Move { from, to: at, captured: board.geese - geese })
}
