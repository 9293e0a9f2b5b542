//! The board: squares, sets of squares as 25 bits, and the values that never change.

use crate::sums::Sums;

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

/// The largest value of a square; the smallest is 0 (squirrels.md, "Rules").
pub const MOST_VALUE: u16 = 10_000;

/// Values up to this, of which no more than [`MOST_NARROW_SUM`] is the sum, are narrow: the exact solver keeps their sums
/// and bounds in less memory. All boards of the assignment's own values, 1 to 99, are.
const MOST_NARROW: u16 = 255;
/// The largest sum of all values that are narrow.
pub(crate) const MOST_NARROW_SUM: i32 = 4_094;

/// The values of the squares, with the sums of all sets.
#[derive(Clone, PartialEq, Eq)]
pub struct Values {
    squares: [u16; SQUARES],
    key: u64,
    sums: Sums<i32>,
    narrow: Option<Sums<i16>>,
}

impl std::fmt::Debug for Values {
    fn fmt(&self, formatter: &mut std::fmt::Formatter) -> std::fmt::Result {
        formatter.debug_tuple("Values").field(&self.squares).finish()
    }
}

impl Values {
    /// The values of A1, B1 .. E5, each from 0 to [`MOST_VALUE`].
    #[must_use]
    pub fn new(squares: [u16; SQUARES]) -> Values {
        debug_assert!(squares.iter().all(|&value| value <= MOST_VALUE));
        let sums = Sums::new(squares.map(i32::from));
        let is_narrow = squares.iter().all(|&value| value <= MOST_NARROW) && sums.sum(ALL) <= MOST_NARROW_SUM;
        let narrow = is_narrow.then(|| Sums::new(squares.map(|value| value as i16)));
        let key = squares.iter().fold(0, |key, &value| engine::split_mix(key ^ u64::from(value)));
        Values { squares, key, sums, narrow }
    }

    /// A square's value.
    #[inline]
    #[must_use]
    pub fn of(&self, square: Square) -> i32 {
        self.sums.of(square)
    }

    /// The values from A1 to E5.
    #[must_use]
    pub fn squares(&self) -> &[u16; SQUARES] {
        &self.squares
    }

    /// The sum of the values of a set.
    #[inline]
    #[must_use]
    pub fn sum(&self, set: Squares) -> i32 {
        self.sums.sum(set)
    }

    /// The sums of any values.
    #[must_use]
    pub fn sums(&self) -> &Sums<i32> {
        &self.sums
    }

    /// The sums in half the memory, if the values are narrow.
    #[must_use]
    pub fn narrow(&self) -> Option<&Sums<i16>> {
        self.narrow.as_ref()
    }

    /// A key that tells boards of different values apart.
    #[must_use]
    pub fn key(&self) -> u64 {
        self.key
    }
}
