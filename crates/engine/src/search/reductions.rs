//! A precomputed table of late-move reductions, so that the search takes no logarithms.

use super::knowledge::LateMoves;

/// Larger depths and move numbers use the last row and column.
pub(super) const REDUCTION_TABLE_SIZE: usize = 64;

/// Late-move reductions in plies, by depth and by move number.
pub(super) type Reductions = Vec<[u8; REDUCTION_TABLE_SIZE]>;

pub(super) fn reductions(options: Option<LateMoves>) -> Reductions {
    let mut table = vec![[0; REDUCTION_TABLE_SIZE]; REDUCTION_TABLE_SIZE];
    if let Some(options) = options {
        // One logarithm per row and column, not per cell: an agent may have only three milliseconds
        // for its move.
        let logarithms: [f32; REDUCTION_TABLE_SIZE] =
            std::array::from_fn(|number| (number as f32).ln());
        for (row, depth) in table.iter_mut().zip(logarithms).skip(1) {
            for (plies, number) in row.iter_mut().zip(logarithms).skip(1) {
                *plies = (options.base + depth * number / options.divisor).max(0.0) as u8;
            }
        }
    }
    table
}
