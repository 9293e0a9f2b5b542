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
        for (depth, row) in table.iter_mut().enumerate().skip(1) {
            for (number, plies) in row.iter_mut().enumerate().skip(1) {
                let (depth, number) = (depth as f32, number as f32);
                *plies = (options.base + depth.ln() * number.ln() / options.divisor).max(0.0) as u8;
            }
        }
    }
    table
}
