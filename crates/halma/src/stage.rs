//! The table of worths of one stage of the game.

use crate::board::SIZE;

/// Squares on and on one side of the long diagonal.
pub const PLACES: usize = SIZE * (SIZE + 1) / 2;

/// A table of worths, and the distance still to go at which it holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Stage {
    /// Rows and columns that all pieces of both sides together still have to go.
    pub to_go: u32,
    /// The worth of each place, in points.
    pub worths: [i16; PLACES],
}
