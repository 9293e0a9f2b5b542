//! The values of the squares of a board.

use crate::board::{ALL, SQUARES, Square, Squares};
use crate::sums::Sums;

/// The largest value of a square; the smallest is 0.
pub const MOST_VALUE: u16 = 10_000;

/// The largest value of a square on a narrow board, such as the assignment's own (1 to 99): the
/// exact solver keeps its sums and bounds in less memory.
const MOST_NARROW: u16 = 255;
/// The largest sum of all values of a narrow board.
pub(crate) const MOST_NARROW_SUM: i32 = 4_094;

/// The values of the squares, with tables of the sums of all sets.
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
    pub fn new(squares: [u16; SQUARES]) -> Values {
        debug_assert!(squares.iter().all(|&value| value <= MOST_VALUE));
        let sums = Sums::new(squares.map(i32::from));
        let is_narrow =
            squares.iter().all(|&value| value <= MOST_NARROW) && sums.sum(ALL) <= MOST_NARROW_SUM;
        let narrow = is_narrow.then(|| Sums::new(squares.map(|value| value as i16)));
        let key = squares.iter().fold(0, |key, &value| engine::split_mix(key ^ u64::from(value)));
        Values { squares, key, sums, narrow }
    }

    /// The value of a square.
    #[inline]
    pub fn of(&self, square: Square) -> i32 {
        self.sums.of(square)
    }

    /// The values of A1, B1 .. E5.
    pub fn squares(&self) -> &[u16; SQUARES] {
        &self.squares
    }

    /// The sum of the values of a set.
    #[inline]
    pub fn sum(&self, set: Squares) -> i32 {
        self.sums.sum(set)
    }

    /// The tables of sums in 32 bits, which hold any values.
    pub fn sums(&self) -> &Sums<i32> {
        &self.sums
    }

    /// The tables of sums in 16 bits, if the board is narrow.
    pub fn narrow(&self) -> Option<&Sums<i16>> {
        self.narrow.as_ref()
    }

    /// A hash of the values, which distinguishes boards.
    pub fn key(&self) -> u64 {
        self.key
    }
}
