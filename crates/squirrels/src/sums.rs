//! Sums of the values of any set of squares, by two table look-ups.

use crate::board::{SQUARES, Square, Squares};
use std::ops::Add;

/// The squares that the first table covers; the second covers the others.
const LOW_BITS: usize = 13;
const HIGH_BITS: usize = SQUARES - LOW_BITS;

/// An integer that can hold sums of values. Narrow ones make smaller tables, which fit into the
/// first-level cache.
pub trait Sum: Copy + Default + Add<Output = Self> + Into<i32> {}

impl Sum for i16 {}
impl Sum for i32 {}

/// The values of the squares, with tables that give the sum of any set.
#[derive(Clone, PartialEq, Eq)]
pub struct Sums<N> {
    squares: [N; SQUARES],
    low: Box<[N; 1 << LOW_BITS]>,
    high: Box<[N; 1 << HIGH_BITS]>,
}

impl<N: Sum> Sums<N> {
    /// Builds the tables for the values of A1, B1 .. E5. The sums of A1 to C3 and of D3 to E5 must
    /// fit into `N`.
    pub fn new(squares: [N; SQUARES]) -> Sums<N> {
        let mut low = Box::new([N::default(); 1 << LOW_BITS]);
        for set in 1..low.len() {
            low[set] = low[set & (set - 1)] + squares[set.trailing_zeros() as usize];
        }
        let mut high = Box::new([N::default(); 1 << HIGH_BITS]);
        for set in 1..high.len() {
            high[set] = high[set & (set - 1)] + squares[LOW_BITS + set.trailing_zeros() as usize];
        }
        Sums { squares, low, high }
    }

    /// The value of a square.
    #[inline]
    pub fn of(&self, square: Square) -> i32 {
        self.squares[square.index()].into()
    }

    /// The sum of the values of a set.
    #[inline]
    pub fn sum(&self, set: Squares) -> i32 {
        let set = set.bits() as usize;
        let (low, high) = (set & ((1 << LOW_BITS) - 1), set >> LOW_BITS & ((1 << HIGH_BITS) - 1));
        self.low[low].into() + self.high[high].into()
    }
}
