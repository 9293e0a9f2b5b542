//! Values of endings, packed: four bits for each empty point that the fox may stand on.
//!
//! A **leg** is what is played between two moves that cannot be taken back: a sheep's step ahead, a capture, or the end. A
//! value tells who wins, and how many plies of the leg are left at most if the winner hurries to the leg's last move and
//! the loser puts it off: an odd number if the side to move wins, an even one if it loses. So the winner who always takes
//! a move with the least number makes progress: with every ply the number falls, or the flock is further ahead or smaller.

use super::index::mirror;
use crate::board::{BOARD, Point, PointSet};
use engine::Side;

/// The most empty points beside a flock in a table.
pub const MOST_PLACES: usize = 24;

/// The most bytes for a flock and a side to move.
pub const MOST_BYTES: usize = MOST_PLACES / 2;

/// The bytes for a flock of so many sheep and a side to move.
#[must_use]
pub const fn bytes(sheep: u32) -> usize {
    (33 - sheep as usize).div_ceil(2)
}

/// The largest number of plies in a code. It and the one before stand for all larger ones of their kind, too; those are in
/// a list of their own.
pub const MOST_PLIES: u8 = 14;

/// The value of a position: the winner, and the plies that are left of the leg.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// The side that wins.
    pub winner: Side,
    /// The plies to the end of the leg: up to and with the move that ends it.
    pub plies: u8,
}

/// The number of a fox's point among the empty ones beside a flock.
#[inline]
#[must_use]
pub fn place(sheep: PointSet, fox: Point) -> usize {
    ((BOARD - sheep).bits() & ((1 << fox.index()) - 1)).count_ones() as usize
}

/// The codes of a flock with a side to move, by the place of the fox. 0 stands for positions that neither side wins; other
/// codes are one more than the plies that are left of the leg.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Codes([u8; MOST_BYTES]);

impl Codes {
    /// The codes that bytes stand for.
    ///
    /// # Panics
    /// If there are more than [`MOST_BYTES`].
    #[inline]
    #[must_use]
    pub fn read(bytes: &[u8]) -> Codes {
        let mut codes = Codes::default();
        codes.0[..bytes.len()].copy_from_slice(bytes);
        codes
    }

    /// The bytes that stand for these codes; for fewer than [`MOST_PLACES`] empty points the last do not matter.
    #[inline]
    #[must_use]
    pub fn bytes(&self) -> &[u8; MOST_BYTES] {
        &self.0
    }

    /// The code of a place.
    #[inline]
    #[must_use]
    pub fn get(&self, place: usize) -> u8 {
        self.0[place / 2] >> (place % 2 * 4) & 15
    }

    /// Notes, for a place that has no code yet, the plies that are left of the leg. Gives whether they are too many for a
    /// code and belong in the list of the long ones.
    #[inline]
    pub fn set(&mut self, place: usize, plies: u8) -> bool {
        debug_assert_eq!(self.get(place), 0);
        let stored = plies.min(MOST_PLIES - (MOST_PLIES ^ plies) % 2);
        self.0[place / 2] |= (stored + 1) << (place % 2 * 4);
        stored < plies
    }

    /// The fox's points on which each side wins, beside this flock.
    #[must_use]
    pub fn verdicts(&self, sheep: PointSet, to_move: Side) -> Verdicts {
        let mut won = [PointSet::EMPTY; 2];
        for (place, fox) in (BOARD - sheep).into_iter().enumerate() {
            if let Some(value) = value(self.get(place), to_move) {
                won[value.winner.index()].insert(fox);
            }
        }
        Verdicts { fox: won[0], sheep: won[1] }
    }
}

/// The value that a code stands for, as far as its plies are not too many; `None` where neither side wins.
#[inline]
#[must_use]
pub fn value(code: u8, to_move: Side) -> Option<Value> {
    let plies = code.checked_sub(1)?;
    Some(Value { winner: if plies % 2 == 1 { to_move } else { to_move.other() }, plies })
}

/// The points of one fox on which each side wins, with a flock and a side to move given. On the others neither can force
/// a win but by the deadlock rule, or the game ends as a draw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verdicts {
    /// The points of the fox on which FOX wins.
    pub fox: PointSet,
    /// The points of the fox on which SHEEP wins.
    pub sheep: PointSet,
}

impl Verdicts {
    /// The verdicts for the mirror image of the flock.
    #[inline]
    #[must_use]
    pub fn mirrored(self) -> Verdicts {
        Verdicts { fox: mirror(self.fox), sheep: mirror(self.sheep) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{FOX, SHEEP};

    #[test]
    fn codes_keep_the_winner_and_short_distances() {
        for plies in 0..=200 {
            let mut codes = Codes::default();
            let is_long = codes.set(5, plies);
            assert_eq!(is_long, plies > MOST_PLIES, "{plies}");
            let found = value(codes.get(5), FOX).unwrap();
            assert_eq!(found.winner, if plies % 2 == 1 { FOX } else { SHEEP });
            assert_eq!(found.plies, if is_long { 13 + (plies + 1) % 2 } else { plies });
            assert_eq!((codes.get(4), codes.get(6), value(codes.get(4), FOX)), (0, 0, None));
            assert_eq!(Codes::read(codes.bytes()), codes);
        }
    }

    #[test]
    fn verdicts_name_the_points_of_the_fox() {
        let sheep: PointSet = BOARD.into_iter().take(9).collect();
        let fox = (BOARD - sheep).into_iter().nth(3).unwrap();
        let mut codes = Codes::default();
        codes.set(place(sheep, fox), 2);
        let verdicts = codes.verdicts(sheep, FOX);
        assert_eq!((verdicts.sheep, verdicts.fox), (PointSet::one(fox), PointSet::EMPTY));
        assert_eq!(codes.verdicts(sheep, SHEEP).fox, PointSet::one(fox));
    }
}
