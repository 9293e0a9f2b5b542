//! Drawings of the board for replay pages: the cross with the square to fill, and the pieces by their letters.

use crate::board::{BOARD, Cell, SIZE, SQUARE};
use crate::moves::Move;
use crate::rules::{FOXES, GEESE, Position};
use crate::spelling::spell;
use engine::drawing::{Drawing, Figure, Ground, Place};

fn place(cell: Cell) -> Place {
    (cell.column(), cell.row())
}

/// Draws a position, with the path of the move that led to it from the position before.
pub(crate) fn draw(position: &Position, last: Option<(&Position, Move)>) -> Drawing {
    let mut drawing = Drawing::new(SIZE, SIZE);
    (drawing.figures, drawing.ground) = ([Figure::Goose, Figure::Fox], Ground::Yard);
    // Moves are written with the letters of pieces, so row and column labels would be of no use.
    (drawing.columns, drawing.rows) = (vec![String::new(); SIZE], vec![String::new(); SIZE]);
    drawing.cells.iter_mut().for_each(|cell| cell.missing = true);
    for cell in BOARD {
        let drawn = drawing.cell(place(cell));
        drawn.missing = false;
        drawn.zone = SQUARE.contains(cell).then_some(GEESE);
        let owner = if position.board().foxes.contains(cell) { FOXES } else { GEESE };
        let symbol = position.symbol(cell);
        drawn.piece = (symbol != '-').then_some((owner, symbol));
    }
    if let Some((before, mv)) = last {
        let (mut at, mut path) = (mv.from, vec![place(mv.from)]);
        for way in spell(before.board(), mv).unwrap_or_default() {
            let next = way.step(at).filter(|&next| mv.captured.contains(next)).unwrap_or(at);
            at = way.step(next).expect("a legal move stays on the board");
            path.push(place(at));
        }
        drawing.path = path;
        drawing.changed = mv.captured.into_iter().map(place).collect();
    }
    drawing
}
