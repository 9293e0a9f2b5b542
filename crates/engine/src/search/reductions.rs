//! Late-move reductions as a table, so that no logarithm is taken in the search.

use super::knowledge::LateMoves;

/// The depth, and the number of moves, from which on reductions grow no more.
pub(super) const REDUCTIONS: usize = 64;

/// A table of reductions, in plies, by the depth and the number of the move.
pub(super) type Reductions = Vec<[u8; REDUCTIONS]>;

/// The reductions that a game's options ask for.
pub(super) fn reductions(options: Option<LateMoves>) -> Reductions {
    let mut table = vec![[0; REDUCTIONS]; REDUCTIONS];
    if let Some(options) = options {
        // A process that has three milliseconds for its move cannot take thousands of logarithms.
        let logarithms: [f32; REDUCTIONS] = std::array::from_fn(|number| (number as f32).ln());
        for (row, depth) in table.iter_mut().zip(logarithms).skip(1) {
            for (plies, number) in row.iter_mut().zip(logarithms).skip(1) {
                *plies = (options.base + depth * number / options.divisor).max(0.0) as u8;
            }
        }
    }
    table
}
