//! Squares, sets of squares, and neighbourhoods.

pub(crate) use crate::values::MOST_NARROW_SUM;
pub use crate::values::{MOST_VALUE, Values};
use engine::protocol::quote;
use std::fmt;
use std::str::FromStr;

/// The number of columns (A to E) and of rows (1 to 5).
pub const SIZE: usize = 5;
/// The number of squares.
pub const SQUARES: usize = SIZE * SIZE;

/// A square, written as column and row, such as `D3`.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

/// A set of squares; bits 25 and above are never set.
pub type Squares = engine::squares::Squares<Square>;

/// All squares.
pub const ALL: Squares = Squares::from_bits((1 << SQUARES) - 1);

const FIRST_COLUMN: u32 = 0b00001_00001_00001_00001_00001;
const LAST_COLUMN: u32 = FIRST_COLUMN << (SIZE - 1);

/// The neighbours of at least one square of a set, and those of at least two, as bits. Either may
/// include squares of the set.
#[inline(always)]
pub(crate) const fn bits_around(set: u32) -> (u32, u32) {
    let (down, up) = (set << SIZE, set >> SIZE);
    let (right, left) = ((set & !LAST_COLUMN) << 1, (set & !FIRST_COLUMN) >> 1);
    let (vertical, horizontal) = (down | up, right | left);
    let twice = (down & up) | (vertical & horizontal) | (right & left);
    let all = ALL.bits() as u32;
    ((vertical | horizontal) & all, twice & all)
}

/// For each square of `squares`, its first neighbour (in the order up, left, right, down) that is
/// in `set`, as bits. No member of `set` may touch two of the squares.
#[inline(always)]
pub(crate) const fn bits_first_beside(squares: u32, set: u32) -> u32 {
    let up = (squares >> SIZE) & set;
    let squares = squares & !(up << SIZE);
    let left = ((squares & !FIRST_COLUMN) >> 1) & set;
    let squares = squares & !(left << 1);
    let right = ((squares & !LAST_COLUMN) << 1) & set;
    let squares = squares & !(right >> 1);
    up | left | right | ((squares << SIZE) & set)
}

/// The neighbours of at least one square of a set, and those of at least two. Either may include
/// squares of the set.
#[inline]
pub const fn around_once_and_twice(set: Squares) -> (Squares, Squares) {
    let (once, twice) = bits_around(set.bits() as u32);
    (Squares::from_bits(once as u64), Squares::from_bits(twice as u64))
}

/// The neighbours of at least one square of a set.
#[inline]
pub const fn around(set: Squares) -> Squares {
    around_once_and_twice(set).0
}

/// 32 entries, so that an index of five bits needs no bounds check.
static NEIGHBOURS: [Squares; 32] = {
    let mut table = [Squares::EMPTY; 32];
    let mut square = 0;
    while square < SQUARES {
        table[square] = around_once_and_twice(Squares::from_bits(1 << square)).0;
        square += 1;
    }
    table
};

impl Square {
    /// The square with an index, row by row from A1 = 0 to E5 = 24.
    #[inline]
    pub const fn from_index(index: usize) -> Option<Square> {
        if index < SQUARES { Some(Square(index as u8)) } else { None }
    }

    /// The index, from 0 to 24.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The column, from 0 for A to 4.
    pub const fn column(self) -> usize {
        self.index() % SIZE
    }

    /// The row, from 0 at the top to 4.
    pub const fn row(self) -> usize {
        self.index() / SIZE
    }

    /// The squares that share a border with this one.
    #[inline]
    pub fn neighbours(self) -> Squares {
        NEIGHBOURS[self.index() & 31]
    }

    /// The name, such as `D3`.
    pub const fn name(self) -> &'static str {
        const NAMES: [&str; SQUARES] = [
            "A1", "B1", "C1", "D1", "E1", "A2", "B2", "C2", "D2", "E2", "A3", "B3", "C3", "D3",
            "E3", "A4", "B4", "C4", "D4", "E4", "A5", "B5", "C5", "D5", "E5",
        ];
        NAMES[self.index()]
    }
}

/// The opponent's pieces that change sides when the side with `own` takes a square: on a Raid all
/// that touch it, on a Sneak none.
#[inline]
pub fn flips(own: Squares, opp: Squares, square: Square) -> Squares {
    let near = square.neighbours();
    if near.meets(own) { near & opp } else { Squares::EMPTY }
}

/// The pieces of both sides, own first, after the side with `own` has taken a square.
#[inline]
pub(crate) fn take(own: Squares, opp: Squares, square: Square) -> (Squares, Squares) {
    let flips = flips(own, opp, square);
    ((own | flips).with(square), opp - flips)
}

impl engine::squares::Square for Square {
    #[inline]
    fn index(self) -> usize {
        self.index()
    }

    #[inline]
    fn at(index: usize) -> Square {
        debug_assert!(index < SQUARES);
        Square(index as u8)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl FromStr for Square {
    type Err = String;

    fn from_str(text: &str) -> Result<Square, String> {
        let square = ALL.into_iter().find(|square| square.name() == text);
        square.ok_or_else(|| format!("expected a square from A1 to E5, found {}", quote(text)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_are_read_by_the_names_they_are_written_with() {
        for (index, square) in ALL.into_iter().enumerate() {
            assert_eq!((square.index(), square.row() * SIZE + square.column()), (index, index));
            assert_eq!(Square::from_index(index), Some(square));
            assert_eq!(square.to_string().parse(), Ok(square));
        }
        assert_eq!((Square::from_index(SQUARES), "F1".parse::<Square>().is_err()), (None, true));
        assert_eq!("D3".parse::<Square>().unwrap().neighbours().to_string(), "D2 C3 E3 D4");
    }

    fn first_beside(squares: Squares, set: Squares) -> Squares {
        Squares::from_bits(bits_first_beside(squares.bits() as u32, set.bits() as u32).into())
    }

    #[test]
    fn the_first_beside_a_square_is_above_it_or_left_or_right_or_below_and_never_over_the_edge() {
        for square in ALL {
            let one = Squares::one(square);
            assert_eq!(around(one), square.neighbours());
            for bits in 0..16 {
                let beside = (0..).zip(square.neighbours());
                let beside = beside.filter(|(number, _)| bits >> number & 1 != 0);
                let set: Squares = beside.map(|(_, square)| square).collect();
                let first = set.first().map_or(Squares::EMPTY, Squares::one);
                assert_eq!(first_beside(one, set), first);
                // Squares of the set that do not touch the square make no difference.
                assert_eq!(first_beside(one, set | (ALL - square.neighbours())), first);
            }
        }
        let [squares, set] = ["A1 E3 C5", "B1 A2 E2 D3 B5 D5"].map(|names| names.parse().unwrap());
        assert_eq!(first_beside(squares, set).to_string(), "B1 E2 B5");
    }
}
