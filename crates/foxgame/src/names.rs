//! Words of FoxGame's files for points and pieces.

use crate::board::{BOARD, Board, Point, one, point, x_of, y_of};
use crate::rules::{FOX, Position, SHEEP};
use engine::Protocol;
use engine::protocol::quote;

/// The symbol of a point of the seven by seven: a piece, an empty point or a missing corner.
pub(crate) fn symbol(board: Board, here: Point) -> char {
    match one(here) {
        place if board.foxes & place != 0 => 'F',
        place if board.sheep & place != 0 => 'S',
        place if BOARD & place != 0 => '.',
        _ => '#',
    }
}

/// A point as the files have it: `x,y`, from 0.
pub(crate) fn name(point: Point) -> String {
    format!("{},{}", x_of(point), y_of(point))
}

/// The point of a name; an error says what is wrong with it.
pub(crate) fn by_name(text: &str) -> Result<Point, String> {
    let number = |digits: &str| match digits.parse::<usize>() {
        Ok(value) if value < 7 && digits.bytes().all(|byte| byte.is_ascii_digit()) => Some(value),
        _ => None,
    };
    text.split_once(',')
        .and_then(|(x, y)| Some(point(number(x)?, number(y)?)))
        .filter(|&point| BOARD & one(point) != 0)
        .ok_or_else(|| format!("expected a point X,Y of the board, both from 0 to 6, found {}", quote(text)))
}

/// The word for whoever owns a piece.
pub(crate) fn owner_word(board: Board, here: Point) -> Option<&'static str> {
    match symbol(board, here) {
        'F' => Some(Position::side_word(FOX)),
        'S' => Some(Position::side_word(SHEEP)),
        _ => None,
    }
}
