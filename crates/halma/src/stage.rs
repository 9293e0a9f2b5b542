//! The worth table of one stage of the game, and its index by square.

use crate::board::SIZE;

/// The number of squares on the long diagonal and on one side of it: the length of a worth table.
pub const PLACES: usize = SIZE * (SIZE + 1) / 2;

/// Returns the index into a worth table of a square of Black's board; the same for squares that
/// mirror each other about the long diagonal.
pub(crate) const fn place(x: usize, y: usize) -> usize {
    let (less, more) = if x < y { (x, y) } else { (y, x) };
    more * (more + 1) / 2 + less
}

/// A worth table and the distance to go that it applies to.
#[derive(Clone, Debug, PartialEq)]
pub struct Stage {
    /// The rows and columns that all pieces of both sides together still have to go.
    pub to_go: u32,
    /// The value of the right to move, in points: half of the difference between scores of searches
    /// of an odd and of an even number of plies.
    pub tempo: i16,
    /// The worth of each square by its index (`place`), in points.
    pub worths: [i16; PLACES],
}
