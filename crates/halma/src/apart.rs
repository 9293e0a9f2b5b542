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

fn steps_between(a: Square, b: Square) -> u8 {
    let (columns, rows) = a.apart(b);
    columns.max(rows) as u8
}

/// The number of steps that stands for none: there is no hole, or no piece.
const NONE: u8 = u8::MAX;

/// The spread of one set of pieces, kept so that the spread after a move follows from it in few steps.
pub(crate) struct Apart {
    holes: [Square; PIECES],
    count: usize,
    /// For each hole the steps to the nearest piece outside the target, and to the second nearest.
    nearest: [[u8; 2]; PIECES],
    /// The steps from all pieces outside to their nearest holes, added up.
    from_pieces: i32,
}

impl Apart {
    /// The spread of some holes and pieces outside the target.
    pub(crate) fn new(holes: Squares, outside: Squares) -> Apart {
        let mut apart =
            Apart { holes: [Square::new(0); PIECES], count: 0, nearest: [[NONE; 2]; PIECES], from_pieces: 0 };
        holes.each(|hole| {
            apart.holes[apart.count] = hole;
            apart.count += 1;
        });
        outside.each(|piece| {
            let mut to_hole = NONE;
            for (&hole, [first, second]) in apart.holes[..apart.count].iter().zip(&mut apart.nearest) {
                let steps = steps_between(piece, hole);
                to_hole = to_hole.min(steps);
                *second = (*second).min(steps.max(*first));
                *first = (*first).min(steps);
            }
            apart.from_pieces += steps_or_none(to_hole);
        });
        apart
    }

    /// The spread, in points, after a move that leaves these `holes` and these pieces `outside`.
    pub(crate) fn after(&self, from: Square, to: Square, holes: Squares, outside: Squares) -> Score {
        // What moves within the target, or into it, changes the holes.
        if !outside.contains(to) {
            return spread(holes, outside);
        }
        let (mut before, mut after, mut from_holes) = (NONE, NONE, 0);
        for (&hole, &[first, second]) in self.holes[..self.count].iter().zip(&self.nearest) {
            let (left, reached) = (steps_between(from, hole), steps_between(to, hole));
            before = before.min(left);
            after = after.min(reached);
            from_holes += steps_or_none(if left == first { second } else { first }.min(reached));
        }
        let apart = self.from_pieces - steps_or_none(before) + steps_or_none(after) + from_holes;
        let score = tunables().hole * self.count as Score + tunables().apart * apart;
        debug_assert_eq!(score, spread(holes, outside));
        score
    }
}

fn steps_or_none(steps: u8) -> i32 {
    if steps == NONE { 0 } else { i32::from(steps) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spread_after_a_move_is_that_of_the_position_after_it() {
        let squares: Vec<Square> = Square::all().collect();
        for seed in 0..200 {
            let at = |number: usize| squares[(engine::split_mix(seed * 100 + number as u64) % 256) as usize];
            let holes: Squares = (0..1 + seed as usize % 6).map(at).collect();
            let outside = (10..11 + seed as usize % 8).map(at).collect::<Squares>().minus(holes);
            let apart = Apart::new(holes, outside);
            let Some(from) = outside.into_iter().next() else { continue };
            for to in (20..40).map(at).filter(|&to| !holes.contains(to) && !outside.contains(to)) {
                let mut after = outside;
                after.toggle(from);
                after.toggle(to);
                assert_eq!(apart.after(from, to, holes, after), spread(holes, after), "seed {seed}: {from} to {to}");
            }
        }
    }
}
