//! The board: squares, sets of squares as 25 bits, and the values that never change.

pub(crate) use crate::values::MOST_NARROW_SUM;
pub use crate::values::{MOST_VALUE, Values};

/// Columns A to E, rows 1 to 5.
pub const SIZE: usize = 5;
/// The number of squares.
pub const SQUARES: usize = SIZE * SIZE;

/// A square, row by row from A1 = 0, B1 = 1 to E5 = 24.
pub type Square = u8;

/// A set of squares: bit `n` is square `n`; bits 25 and above are never set.
pub type Squares = u32;

/// All squares.
pub const ALL: Squares = (1 << SQUARES) - 1;

const FIRST_COLUMN: Squares = 0b00001_00001_00001_00001_00001;
const LAST_COLUMN: Squares = FIRST_COLUMN << (SIZE - 1);

/// The squares next to any square of a set (up, down, left, right); may include squares of the set.
#[inline]
#[must_use]
pub const fn around(set: Squares) -> Squares {
    (set << SIZE | set >> SIZE | (set & !LAST_COLUMN) << 1 | (set & !FIRST_COLUMN) >> 1) & ALL
}

/// The squares next to at least one square of a set, and those next to at least two.
#[inline]
#[must_use]
pub const fn around_once_and_twice(set: Squares) -> (Squares, Squares) {
    let (down, up) = (set << SIZE, set >> SIZE);
    let (right, left) = ((set & !LAST_COLUMN) << 1, (set & !FIRST_COLUMN) >> 1);
    let (vertical, horizontal) = (down | up, right | left);
    let twice = (down & up) | (vertical & horizontal) | (right & left);
    ((vertical | horizontal) & ALL, twice & ALL)
}

/// Each square's neighbours. 32 entries, so that an index of five bits needs no check.
pub static NEIGHBOURS: [Squares; 32] = {
    let mut table = [0; 32];
    let mut square = 0;
    while square < SQUARES {
        table[square] = around(1 << square);
        square += 1;
    }
    table
};

/// A square's neighbours.
#[inline]
#[must_use]
pub fn neighbours(square: Square) -> Squares {
    NEIGHBOURS[square as usize & 31]
}

/// The squares of a set, from A1 on.
pub fn each(mut set: Squares) -> impl Iterator<Item = Square> {
    std::iter::from_fn(move || {
        let square = set.trailing_zeros();
        set &= set.wrapping_sub(1);
        (square < 32).then_some(square as Square)
    })
}

/// A square's name, such as `D3`.
#[must_use]
pub fn name(square: Square) -> &'static str {
    const NAMES: [&str; SQUARES] = [
        "A1", "B1", "C1", "D1", "E1", "A2", "B2", "C2", "D2", "E2", "A3", "B3", "C3", "D3", "E3", "A4", "B4", "C4",
        "D4", "E4", "A5", "B5", "C5", "D5", "E5",
    ];
    NAMES[square as usize]
}

/// The square of a name; `None` for anything else.
#[must_use]
pub fn by_name(text: &str) -> Option<Square> {
    (0..SQUARES as Square).find(|&square| name(square) == text)
}
