//! How far the holes of a target and the pieces that have to fill them are apart.

use crate::board::{PIECES, Square, Squares};
use crate::tunable::tunables;
use engine::search::Score;

/// The cost, in points, of the holes and of the distances between them and the pieces that have to fill them. Without
/// it the last pieces would shuffle in front of a camp whose hole is on the other side.
pub(crate) fn spread(holes: Squares, outside: Squares) -> Score {
    let mut to_piece = [u8::MAX; PIECES];
    let mut apart = 0;
    outside.each(|piece| {
        let mut to_hole = u8::MAX;
        let mut index = 0;
        holes.each(|hole| {
            let steps = steps_between(piece, hole);
            to_hole = to_hole.min(steps);
            to_piece[index] = to_piece[index].min(steps);
            index += 1;
        });
        apart += if to_hole == u8::MAX { 0 } else { i32::from(to_hole) };
    });
    let count = holes.len() as usize;
    apart += to_piece[..count].iter().filter(|&&steps| steps != u8::MAX).map(|&steps| i32::from(steps)).sum::<i32>();
    tunables().hole * count as Score + tunables().apart * apart
}

/// The steps between two squares: rows or columns, whichever are more.
#[inline]
pub(crate) fn steps_between(a: Square, b: Square) -> u8 {
    let (columns, rows) = a.apart(b);
    columns.max(rows) as u8
}
