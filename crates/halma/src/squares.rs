//! Sets of squares, stored as 256 bits.

use crate::square::Square;
use std::fmt;
use std::str::FromStr;

/// A set of squares with one bit for each square.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Squares([u64; 4]);

impl Squares {
    /// The empty set.
    pub const EMPTY: Squares = Squares([0; 4]);

    /// Returns the set of one square.
    #[must_use]
    pub const fn one(square: Square) -> Squares {
        let mut set = Squares::EMPTY;
        set.insert(square);
        set
    }

    /// Returns the set whose bits are those of four words, the lowest bit of the first being the
    /// first square.
    #[inline]
    pub(crate) const fn from_words(words: [u64; 4]) -> Squares {
        Squares(words)
    }

    /// Returns whether a square is in the set.
    #[inline]
    #[must_use]
    pub const fn contains(self, square: Square) -> bool {
        self.0[square.index() >> 6] >> (square.index() & 63) & 1 != 0
    }

    /// Adds a square.
    #[inline]
    pub const fn insert(&mut self, square: Square) {
        self.0[square.index() >> 6] |= 1 << (square.index() & 63);
    }

    /// Adds a square that is not in the set, or removes one that is.
    #[inline]
    pub const fn toggle(&mut self, square: Square) {
        self.0[square.index() >> 6] ^= 1 << (square.index() & 63);
    }

    /// Returns the number of squares in the set.
    #[inline]
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0[0].count_ones()
            + self.0[1].count_ones()
            + self.0[2].count_ones()
            + self.0[3].count_ones()
    }

    /// Returns whether the set is empty.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0[0] | self.0[1] | self.0[2] | self.0[3] == 0
    }

    /// Returns the union of two sets.
    #[inline]
    #[must_use]
    pub const fn or(self, other: Squares) -> Squares {
        let (a, b) = (self.0, other.0);
        Squares([a[0] | b[0], a[1] | b[1], a[2] | b[2], a[3] | b[3]])
    }

    /// Returns the intersection of two sets.
    #[inline]
    #[must_use]
    pub const fn and(self, other: Squares) -> Squares {
        let (a, b) = (self.0, other.0);
        Squares([a[0] & b[0], a[1] & b[1], a[2] & b[2], a[3] & b[3]])
    }

    /// Returns the squares of this set that are not in the other.
    #[inline]
    #[must_use]
    pub const fn minus(self, other: Squares) -> Squares {
        let (a, b) = (self.0, other.0);
        Squares([a[0] & !b[0], a[1] & !b[1], a[2] & !b[2], a[3] & !b[3]])
    }
}

/// Returns the square of a bit in a 64-bit word of a set.
#[inline]
const fn square(word: usize, bit: u32) -> Square {
    Square::new((word as u32 * 64 + bit) as u8)
}

/// An iterator over the squares of a set in reading order.
pub struct Iter([u64; 4]);

impl Iterator for Iter {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        for (index, word) in self.0.iter_mut().enumerate() {
            if *word != 0 {
                let bit = word.trailing_zeros();
                *word &= *word - 1;
                return Some(square(index, bit));
            }
        }
        None
    }
}

impl IntoIterator for Squares {
    type Item = Square;
    type IntoIter = Iter;

    #[inline]
    fn into_iter(self) -> Iter {
        Iter(self.0)
    }
}

impl Squares {
    /// Calls a function with each square until it returns `true`, in reading order or in its
    /// reverse.
    #[inline]
    pub fn visit_until(self, backwards: bool, mut visit: impl FnMut(Square) -> bool) {
        for number in 0..4 {
            let index = if backwards { 3 - number } else { number };
            let mut word = self.0[index];
            while word != 0 {
                let bit = if backwards { 63 - word.leading_zeros() } else { word.trailing_zeros() };
                if visit(square(index, bit)) {
                    return;
                }
                word ^= 1 << bit;
            }
        }
    }

    /// Calls a function with each square in reading order: the fastest way to visit a set.
    #[inline]
    pub fn each(self, mut visit: impl FnMut(Square)) {
        for (index, mut word) in self.0.into_iter().enumerate() {
            while word != 0 {
                visit(square(index, word.trailing_zeros()));
                word &= word - 1;
            }
        }
    }
}

impl Squares {
    /// Returns the set and all squares up to two rows and two columns away.
    #[must_use]
    pub const fn spread_by_two(self) -> Squares {
        /// Repeats a mask of the columns that a shift within a row may fill for each of a word's
        /// four rows.
        const fn columns(row: u64) -> u64 {
            row * 0x0001_0001_0001_0001
        }
        let mut wide = [0; 6];
        let mut index = 0;
        while index < 4 {
            let word = self.0[index];
            wide[index + 1] = word
                | word << 1 & columns(0xFFFE)
                | word << 2 & columns(0xFFFC)
                | word >> 1 & columns(0x7FFF)
                | word >> 2 & columns(0x3FFF);
            index += 1;
        }
        // A word holds four rows.
        let mut words = [0; 4];
        index = 0;
        while index < 4 {
            let (above, word, below) = (wide[index], wide[index + 1], wide[index + 2]);
            words[index] = word
                | word << 16
                | word << 32
                | word >> 16
                | word >> 32
                | above >> 48
                | above >> 32
                | below << 48
                | below << 32;
            index += 1;
        }
        Squares(words)
    }
}

impl FromIterator<Square> for Squares {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Squares {
        let mut set = Squares::EMPTY;
        squares.into_iter().for_each(|square| set.insert(square));
        set
    }
}

/// Formats the squares in reading order, separated by blanks.
impl fmt::Display for Squares {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, square) in self.into_iter().enumerate() {
            write!(formatter, "{}{square}", if number == 0 { "" } else { " " })?;
        }
        Ok(())
    }
}

impl fmt::Debug for Squares {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_set().entries(*self).finish()
    }
}

/// Parses squares separated by white space.
impl FromStr for Squares {
    type Err = String;

    fn from_str(text: &str) -> Result<Squares, String> {
        text.split_whitespace().map(str::parse).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_list_their_squares_in_order() {
        let squares = [0, 63, 64, 127, 128, 200, 255].map(Square::new);
        let set: Squares = squares.into_iter().collect();
        assert!(set.into_iter().eq(squares));
        assert_eq!(set.len(), 7);
        for (backwards, expected) in [(false, [0, 63, 64]), (true, [255, 200, 128])] {
            let mut seen = Vec::new();
            set.visit_until(backwards, |square| {
                seen.push(square);
                seen.len() == 3
            });
            assert_eq!(seen, expected.map(Square::new));
        }
    }

    #[test]
    fn sets_are_read_and_written_by_the_names_of_their_squares() {
        let set: Squares = "15,15 0,0  3,4".parse().unwrap();
        assert_eq!(set.to_string(), "0,0 3,4 15,15");
        assert_eq!(format!("{set:?}"), "{0,0, 3,4, 15,15}");
        assert!("0,0 3,16".parse::<Squares>().unwrap_err().ends_with("found '3,16'"));
    }

    #[test]
    fn a_set_spreads_by_two_and_not_over_edges() {
        for text in ["0,0", "15,15", "15,0", "1,14", "7,3", "8,4", "2,12"] {
            let centre: Square = text.parse().unwrap();
            let near = |square: &Square| matches!(square.abs_diff(centre), (0..=2, 0..=2));
            assert_eq!(
                Squares::one(centre).spread_by_two(),
                Square::all().filter(near).collect(),
                "{text}"
            );
        }
    }
}
