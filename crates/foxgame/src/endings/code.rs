//! The values of the endgame tables and their packing, four bits for each point that the fox may
//! stand on.
//!
//! A **leg** is the part of a game between two irreversible events: a sheep's step ahead, a
//! capture, or the end of the game. A value holds the winner and the distance to the end of the
//! leg, in plies, if the winner shortens the leg and the loser prolongs it: odd if the side to move
//! wins, even if it loses.

use super::index::mirror;
use crate::board::{BOARD, Point, PointSet};
use crate::rules::LEAST_SHEEP;
use engine::Side;

/// The number of bytes for the codes of one flock of `sheep` sheep and one side to move.
pub const fn bytes(sheep: u32) -> usize {
    (33 - sheep as usize).div_ceil(2)
}

/// The largest distance, in plies, in a code. It also stands for all larger even distances, and the
/// one before it for all larger odd ones, which are in a separate list (see [`super::table`]).
pub const MOST_PLIES: u8 = 14;

/// The value of a position: the winner and the distance to the end of the leg.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// The side that wins.
    pub winner: Side,
    /// The distance to the end of the leg in plies, the move that ends it included.
    pub plies: u8,
}

/// The place of a fox: the number of its point among the points without a sheep, in the order of
/// their indices.
#[inline]
pub fn place(sheep: PointSet, fox: Point) -> usize {
    ((BOARD - sheep).bits() & ((1 << fox.index()) - 1)).count_ones() as usize
}

/// The codes of one flock and side to move, by the fox's [`place`], two a byte; larger flocks leave
/// the last bytes unused. Code 0 means that neither side wins; any other code is the distance to
/// the end of the leg plus one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Codes(pub [u8; bytes(LEAST_SHEEP)]);

impl Codes {
    /// The codes that are packed in `bytes`, of which there must not be too many.
    #[inline]
    pub fn read(bytes: &[u8]) -> Codes {
        let mut codes = Codes::default();
        codes.0[..bytes.len()].copy_from_slice(bytes);
        codes
    }

    /// The code at a place.
    #[inline]
    pub fn get(&self, place: usize) -> u8 {
        self.0[place / 2] >> (place % 2 * 4) & 15
    }

    /// Stores the distance to the end of the leg at a place that has no code yet. Returns whether
    /// the distance exceeds the range of a code and belongs in the list of long distances.
    #[inline]
    pub fn set(&mut self, place: usize, plies: u8) -> bool {
        debug_assert_eq!(self.get(place), 0);
        let stored = plies.min(MOST_PLIES - (MOST_PLIES ^ plies) % 2);
        self.0[place / 2] |= (stored + 1) << (place % 2 * 4);
        stored < plies
    }

    /// For the flock `sheep`, the points of the fox on which each side wins.
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

/// The value of a code; `None` if neither side wins. The distance of the two largest codes is a
/// lower bound.
#[inline]
pub fn value(code: u8, to_move: Side) -> Option<Value> {
    let plies = code.checked_sub(1)?;
    Some(Value { winner: if plies % 2 == 1 { to_move } else { to_move.other() }, plies })
}

/// For a flock and a side to move, the points of the one fox on which each side wins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verdicts {
    /// The points on which FOX wins.
    pub fox: PointSet,
    /// The points on which SHEEP wins.
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
            assert_eq!(Codes::read(&codes.0), codes);
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
