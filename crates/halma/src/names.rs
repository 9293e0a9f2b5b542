//! Names of squares in Halma's files.

use crate::board::{SIZE, Square, square, x_of, y_of};
use engine::protocol::quote;

/// A square as the files have it: `x,y`.
pub(crate) fn name(square: Square) -> String {
    format!("{},{}", x_of(square), y_of(square))
}

/// The square of a name; an error says what is wrong with it.
pub(crate) fn by_name(text: &str) -> Result<Square, String> {
    let number = |digits: &str| match digits.parse::<usize>() {
        Ok(value) if value < SIZE && digits.bytes().all(|byte| byte.is_ascii_digit()) => Some(value),
        _ => None,
    };
    text.split_once(',')
        .and_then(|(x, y)| Some(square(number(x)?, number(y)?)))
        .ok_or_else(|| format!("expected a square X,Y with both from 0 to {}, found {}", SIZE - 1, quote(text)))
}
