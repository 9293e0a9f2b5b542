//! The board for replay pages: the cross with the square to fill, geese and foxes by their letters.

use crate::board::{BOARD, Cell, SQUARE, each, one};
use crate::moves::Move;
use crate::rules::{FOXES, GEESE, Position};
use crate::spelling::spell;
use engine::drawing::{Drawing, Place};

fn place(cell: Cell) -> Place {
    (usize::from(cell & 7), usize::from(cell >> 3))
}

/// The board, and the way of the move that led here from the position before.
pub fn draw(position: &Position, last: Option<(&Position, Move)>) -> Drawing {
    let mut drawing = Drawing::new(7, 7);
    for row in 0..7 {
        for column in 0..7 {
            let cell = crate::board::cell(row, column);
            let drawn = drawing.cell(place(cell));
            drawn.missing = BOARD & one(cell) == 0;
            drawn.zone = (SQUARE & one(cell) != 0).then_some(GEESE);
            let owner = if position.board().foxes & one(cell) != 0 { FOXES } else { GEESE };
            let symbol = position.symbol(cell);
            drawn.piece = (!drawn.missing && symbol != '-').then_some((owner, symbol));
        }
    }
    if let Some((before, mv)) = last {
        let (mut at, mut path) = (mv.from, vec![place(mv.from)]);
        for way in spell(before.board(), mv).unwrap_or_default() {
            let next = way.shift(one(at));
            let to = if mv.captured & next != 0 { way.shift(next) } else { next };
            at = to.trailing_zeros() as Cell;
            path.push(place(at));
        }
        drawing.path = path;
        drawing.changed = each(mv.captured).map(place).collect();
    }
    drawing
}
