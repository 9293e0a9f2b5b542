//! Words of FoxGame's files for pieces.

use crate::board::{Board, Point};
use crate::rules::{FOX, Position, SHEEP};
use engine::Protocol;

/// The symbol of a place in the seven by seven: a piece, an empty point, or `#` where the board has no point.
pub(crate) fn symbol(board: Board, here: Option<Point>) -> char {
    match here {
        Some(point) if board.foxes.contains(point) => 'F',
        Some(point) if board.sheep.contains(point) => 'S',
        Some(_) => '.',
        None => '#',
    }
}

/// The word for the side that has a piece on a point; `None` if it is empty.
pub(crate) fn owner_word(board: Board, here: Point) -> Option<&'static str> {
    match symbol(board, Some(here)) {
        'F' => Some(Position::side_word(FOX)),
        'S' => Some(Position::side_word(SHEEP)),
        _ => None,
    }
}
