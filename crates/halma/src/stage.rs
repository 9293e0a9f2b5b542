//! The table of worths of one stage of the game.

use crate::board::SIZE;

/// Squares on and on one side of the long diagonal.
pub const PLACES: usize = SIZE * (SIZE + 1) / 2;

/// The place of a square of Black's board: the same on both sides of the long diagonal.
pub(crate) const fn place(x: usize, y: usize) -> usize {
    let (less, more) = if x < y { (x, y) } else { (y, x) };
    more * (more + 1) / 2 + less
}

/// A table of worths, and the distance still to go at which it holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Stage {
    /// Rows and columns that all pieces of both sides together still have to go.
    pub to_go: u32,
    /// What it is worth to be the side to move, in points: half of what a search of an odd number of plies sees more than one
    /// of an even number.
    pub tempo: i16,
    /// The worth of each place, in points.
    pub worths: [i16; PLACES],
}
