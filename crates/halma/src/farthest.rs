//! The distance of the farthest piece of a race from its nearest hole, updated incrementally. The
//! race lasts at least as many moves as that piece needs.

use crate::board::{PIECES, Square, Squares};
use crate::hole_cost::steps_between;

/// The distance of the farthest piece outside the target camp to its nearest hole, and the second
/// largest such distance, from which the largest after a move is computed quickly.
pub(crate) struct Farthest {
    holes: [Square; PIECES],
    count: usize,
    /// The farthest piece and its distance in steps; `None` and 0 if no piece is outside.
    first: (Option<Square>, u8),
    /// The steps from the second farthest piece to its nearest hole.
    second: u8,
}

impl Farthest {
    /// Computes the distances of the pieces outside the target for a set of holes, at least one.
    pub(crate) fn new(holes: Squares, outside: Squares) -> Farthest {
        let mut farthest =
            Farthest { holes: [Square::new(0); PIECES], count: 0, first: (None, 0), second: 0 };
        holes.each(|hole| {
            farthest.holes[farthest.count] = hole;
            farthest.count += 1;
        });
        outside.each(|piece| {
            let steps = farthest.to_hole(piece);
            if steps > farthest.first.1 || farthest.first.0.is_none() {
                farthest.second = farthest.first.1;
                farthest.first = (Some(piece), steps);
            } else {
                farthest.second = farthest.second.max(steps);
            }
        });
        farthest
    }

    /// Returns the largest distance after a move of an outside piece to another square outside the
    /// target.
    #[inline]
    pub(crate) fn after(&self, from: Square, to: Square) -> u8 {
        let others = if self.first.0 == Some(from) { self.second } else { self.first.1 };
        others.max(self.to_hole(to))
    }

    /// Returns the largest distance, in steps; 0 if no piece is outside.
    pub(crate) fn steps(&self) -> u8 {
        self.first.1
    }

    /// Returns the steps from a square to the nearest hole.
    #[inline]
    fn to_hole(&self, piece: Square) -> u8 {
        self.holes[..self.count].iter().map(|&hole| steps_between(piece, hole)).min().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_farthest_piece_after_a_move_is_that_of_the_position_after_it() {
        let squares: Vec<Square> = Square::all().collect();
        for seed in 0..200 {
            let at = |number: usize| {
                squares[(engine::split_mix(seed * 100 + number as u64) % 256) as usize]
            };
            let holes: Squares = (0..1 + seed as usize % 6).map(at).collect();
            let outside = (10..11 + seed as usize % 8).map(at).collect::<Squares>().minus(holes);
            let farthest = Farthest::new(holes, outside);
            let Some(from) = outside.into_iter().next() else { continue };
            for to in (20..40).map(at).filter(|&to| !holes.contains(to) && !outside.contains(to)) {
                let mut after = outside;
                after.toggle(from);
                after.toggle(to);
                assert_eq!(
                    farthest.after(from, to),
                    Farthest::new(holes, after).steps(),
                    "seed {seed}: {from} to {to}"
                );
            }
        }
    }
}
