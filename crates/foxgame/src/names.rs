//! Names of pieces: the symbols of FoxGame's files, and the sides' names for messages.

use crate::board::{Board, Point};
use crate::rules::{FOX, Position, SHEEP};
use engine::Protocol;

/// The symbol of a cell of the 7 by 7 grid: `F` or `S` for a piece, `.` for an empty point, `#` off
/// the board.
pub(crate) fn symbol(board: Board, point: Option<Point>) -> char {
    match point {
        Some(point) if board.foxes.contains(point) => 'F',
        Some(point) if board.sheep.contains(point) => 'S',
        Some(_) => '.',
        None => '#',
    }
}

/// The name of the side whose piece stands on a point; `None` if the point is empty.
pub(crate) fn owner_word(board: Board, point: Point) -> Option<&'static str> {
    match symbol(board, Some(point)) {
        'F' => Some(Position::side_word(FOX)),
        'S' => Some(Position::side_word(SHEEP)),
        _ => None,
    }
}
