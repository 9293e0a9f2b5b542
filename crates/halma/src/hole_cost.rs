//! The evaluation's cost of the holes in a target camp and of their distances from the pieces that
//! must fill them.

use crate::board::{PIECES, Square, Squares};
use crate::tunable::{APART, HOLE};
use engine::search::Score;

/// Returns the cost, in points, of the holes and of the distances between them and the pieces
/// outside that must fill them. Without this cost the last pieces would shuffle in front of a camp
/// whose hole is on the other side.
pub(crate) fn hole_cost(holes: Squares, outside: Squares) -> Score {
    let mut to_piece = [u8::MAX; PIECES];
    let mut total_steps = 0;
    outside.each(|piece| {
        let mut to_hole = u8::MAX;
        let mut index = 0;
        holes.each(|hole| {
            let steps = steps_between(piece, hole);
            to_hole = to_hole.min(steps);
            to_piece[index] = to_piece[index].min(steps);
            index += 1;
        });
        total_steps += if to_hole == u8::MAX { 0 } else { i32::from(to_hole) };
    });
    let count = holes.len() as usize;
    total_steps += to_piece[..count]
        .iter()
        .filter(|&&steps| steps != u8::MAX)
        .map(|&steps| i32::from(steps))
        .sum::<i32>();
    HOLE * count as Score + APART * total_steps
}

/// Returns the number of steps between two squares: the larger of the differences in columns and in
/// rows.
#[inline]
pub(crate) fn steps_between(a: Square, b: Square) -> u8 {
    let (columns, rows) = a.abs_diff(b);
    columns.max(rows) as u8
}
