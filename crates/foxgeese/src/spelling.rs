//! The letters that a move of the foxes is written with, one for each step or jump.

use crate::board::{Board, Cell, Cells, Direction, one};
use crate::moves::Move;

/// The first spelling, in the order of the directions, of a chain that takes these geese and ends there; of a step if
/// nothing is taken. `None` if there is no such chain.
#[must_use]
pub fn spell(board: Board, mv: Move) -> Option<Vec<Direction>> {
    if mv.captured == 0 {
        return Direction::ALL.into_iter().find(|way| way.shift(one(mv.from)) == one(mv.to)).map(|way| vec![way]);
    }
    let others = board.foxes & !one(mv.from);
    let blocked = (board.geese & !mv.captured) | others;
    let mut ways = Vec::new();
    jump(mv.from, mv.to, mv.captured, blocked, &mut ways).then_some(ways)
}

/// Finds jumps from `at` to `to` over all of `left`; landing on `blocked` cells or on geese still left is not possible.
fn jump(at: Cell, to: Cell, left: Cells, blocked: Cells, ways: &mut Vec<Direction>) -> bool {
    if left == 0 {
        return at == to;
    }
    for way in Direction::ALL {
        let over = way.shift(one(at)) & left;
        let landing = way.shift(over) & !blocked & !left;
        if landing != 0 {
            ways.push(way);
            if jump(landing.trailing_zeros() as Cell, to, left & !over, blocked, ways) {
                return true;
            }
            ways.pop();
        }
    }
    false
}

/// What the fox on `from` does by these letters: a step, or jumps; an error says which letter leads nowhere.
pub fn follow(board: Board, from: Cell, ways: &[Direction]) -> Result<Move, String> {
    let others = board.foxes & !one(from);
    let (mut geese, mut at) = (board.geese, from);
    for (index, way) in ways.iter().enumerate() {
        let letter = way.letter();
        let next = way.shift(one(at));
        let landing = way.shift(next & geese) & !geese & !others;
        if next == 0 {
            return Err(format!("'{letter}' (letter {}) leads off the board", index + 2));
        }
        if next & geese == 0 {
            if next & others == 0 && ways.len() == 1 {
                return Ok(Move::step(from, next.trailing_zeros() as Cell));
            }
            return Err(format!("'{letter}' (letter {}) meets no goose to jump over", index + 2));
        }
        if landing == 0 {
            return Err(format!("'{letter}' (letter {}) has no empty cell behind the goose", index + 2));
        }
        geese &= !next;
        at = landing.trailing_zeros() as Cell;
    }
    Ok(Move { from, to: at, captured: board.geese & !geese })
}
