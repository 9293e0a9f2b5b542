//! Words with a bit for each set of one or two foxes on the empty points of a flock.
//!
//! The empty points are numbered in reading order. The bit of a pair `i < j` is `j * (j + 1) / 2 +
//! i`, that of a single fox `j` is `j * (j + 1) / 2 + j`: the rows of a triangle with its diagonal.
//! With 9 sheep that is 300 bits, with 20 sheep 91.

use foxgame::board::{BOARD, Board, PointSet};
use foxgame::endings::index::mirror;

/// Returns the number of words of 64 bits for the sets of foxes on so many points.
pub(crate) const fn words(points: usize) -> usize {
    (points * (points + 1) / 2).div_ceil(64)
}

/// Returns the bit of a pair, or of a single fox if both points are the same.
#[inline(always)]
pub(crate) const fn pair(x: usize, y: usize) -> usize {
    let (low, high) = if x < y { (x, y) } else { (y, x) };
    high * (high + 1) / 2 + low
}

/// Returns the number of an empty point in reading order, from the bits of the empty points and
/// that of the point.
#[inline(always)]
pub(crate) const fn number(empty: u64, point: u64) -> usize {
    (empty & (point - 1)).count_ones() as usize
}

/// Returns the bit of a board's foxes, or of their mirror image beside that of the flock.
///
/// # Panics
/// If there are not one or two foxes.
pub(crate) fn bit(board: Board, mirrored: bool) -> usize {
    let image = |set: PointSet| if mirrored { mirror(set) } else { set };
    let empty = image(BOARD - board.sheep).bits();
    let mut foxes = image(board.foxes).into_iter().map(|fox| number(empty, 1 << fox.index()));
    let one = foxes.next().expect("a fox");
    pair(one, foxes.next().unwrap_or(one))
}
