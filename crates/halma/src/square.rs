//! A square of the 16 x 16 board and its text form.

use engine::protocol::quote;
use engine::squares::coordinates;
use std::fmt;
use std::str::FromStr;

/// The number of squares along an edge.
pub const SIZE: usize = 16;

/// A square, stored as the index `16 * y + x`: x counts to the right and y down from `0,0`, the
/// top-left corner.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Square(u8);

impl Square {
    /// Returns the square with an index.
    #[inline]
    #[must_use]
    pub const fn new(index: u8) -> Square {
        Square(index)
    }

    /// Returns the square at `x,y`.
    ///
    /// # Panics
    /// If a coordinate is 16 or more.
    #[must_use]
    pub const fn at(x: usize, y: usize) -> Square {
        assert!(x < SIZE && y < SIZE, "both coordinates are below 16");
        Square((y * SIZE + x) as u8)
    }

    /// Returns the square some columns to the right and some rows down, or `None` if that is off
    /// the board.
    #[must_use]
    pub const fn moved(self, columns: i32, rows: i32) -> Option<Square> {
        let (x, y) = (self.x() as i32 + columns, self.y() as i32 + rows);
        if x < 0 || y < 0 || x >= SIZE as i32 || y >= SIZE as i32 {
            return None;
        }
        Some(Square::at(x as usize, y as usize))
    }

    /// Returns all squares in reading order.
    pub fn all() -> impl Iterator<Item = Square> {
        (0..=u8::MAX).map(Square)
    }

    /// Returns the index, from 0 to 255.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the column, from 0 to 15.
    #[inline]
    #[must_use]
    pub const fn x(self) -> usize {
        self.index() % SIZE
    }

    /// Returns the row, from 0 to 15.
    #[inline]
    #[must_use]
    pub const fn y(self) -> usize {
        self.index() / SIZE
    }

    /// Returns the absolute differences in columns and in rows between two squares.
    #[inline]
    #[must_use]
    pub const fn abs_diff(self, other: Square) -> (usize, usize) {
        (self.x().abs_diff(other.x()), self.y().abs_diff(other.y()))
    }

    /// Returns the square that a jump passes over.
    #[inline]
    #[must_use]
    pub const fn jumped_over(self, landing: Square) -> Square {
        Square(self.0.midpoint(landing.0))
    }
}

/// Formats the square as `x,y`, as in Halma's files.
impl fmt::Display for Square {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{},{}", self.x(), self.y())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

/// Parses `x,y`, as in Halma's files; the error says what was expected and what was found.
impl FromStr for Square {
    type Err = String;

    fn from_str(text: &str) -> Result<Square, String> {
        coordinates(text)
            .filter(|&(x, y)| x < SIZE && y < SIZE)
            .map(|(x, y)| Square::at(x, y))
            .ok_or_else(|| {
                format!(
                    "expected a square X,Y with both from 0 to {}, found {}",
                    SIZE - 1,
                    quote(text)
                )
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_are_read_as_they_are_written() {
        for square in Square::all() {
            assert_eq!(square.to_string().parse(), Ok(square));
            assert_eq!(Square::at(square.x(), square.y()), square);
        }
        for text in ["16,0", "0,16", "-1,0", "+1,0", "1", "1,", "1,2,3", "1, 2", ""] {
            assert_eq!(
                text.parse::<Square>(),
                Err(format!("expected a square X,Y with both from 0 to 15, found {}", quote(text)))
            );
        }
    }

    #[test]
    fn a_jump_passes_over_the_square_between() {
        for (from, to, over) in
            [("3,4", "5,4", "4,4"), ("3,4", "3,2", "3,3"), ("9,9", "7,11", "8,10")]
        {
            let [from, to, over]: [Square; 3] = [from, to, over].map(|text| text.parse().unwrap());
            assert_eq!((from.jumped_over(to), to.jumped_over(from)), (over, over));
        }
        assert_eq!(Square::at(3, 4).abs_diff(Square::at(5, 1)), (2, 3));
    }
}
