//! The worths of squares: the points that a piece on each of them counts in the evaluation. Those of
//! the agent (`learned.rs`) depend on the root of the search; those of plain searches
//! (`formula.rs`) are the same in all positions.

use crate::board::Square;
use crate::jumps::neighbours_by_worth;
use crate::parity::{PARITIES, square_of};
use engine::{Side, split_mix};
use std::fmt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The number of levels into which the worths are divided.
const LEVELS: usize = 64;

/// The worths of all squares for both sides during one search, and values derived from them.
pub struct Worths {
    tables: [[i16; 256]; 2],
    /// Computed when a search first asks for it.
    by_parity: OnceLock<Box<[WorthsByParity; 2]>>,
    /// The neighbours by side and square, ordered by their worth and packed into one byte each; 0
    /// until first needed, since a short search needs those of few squares.
    neighbours: [[AtomicU64; 256]; 2],
    tempo: i32,
    key: u64,
}

impl Worths {
    /// Creates worths from tables by side and square. The right to move counts `tempo` points.
    #[must_use]
    pub fn new(tables: [[i16; 256]; 2], tempo: i32) -> Worths {
        let fold = |key, worth: &i16| split_mix(key ^ u64::from(*worth as u16));
        let key = tables.as_flattened().iter().fold(split_mix(tempo as u64), fold);
        let neighbours = [const { [const { AtomicU64::new(0) }; 256] }; 2];
        Worths { tables, by_parity: OnceLock::new(), neighbours, tempo, key }
    }

    /// Returns the worth of a side's piece on a square, in points.
    #[inline]
    #[must_use]
    pub fn of(&self, side: Side, square: Square) -> i32 {
        i32::from(self.tables[side.index()][square.index()])
    }

    /// Returns the worths for one side, by square.
    #[inline]
    #[must_use]
    pub fn table(&self, side: Side) -> &[i16; 256] {
        &self.tables[side.index()]
    }

    /// Returns the worths for one side by parity.
    #[inline]
    pub(crate) fn by_parity(&self, side: Side) -> &WorthsByParity {
        &self.by_parity.get_or_init(|| Box::new(self.tables.each_ref().map(WorthsByParity::new)))
            [side.index()]
    }

    /// Returns the neighbours of a square, ordered by their worth to a side
    /// ([`neighbours_by_worth`]).
    #[inline]
    pub(crate) fn neighbours(&self, side: Side, square: Square) -> [u8; 8] {
        let sorted = &self.neighbours[side.index()][square.index()];
        match sorted.load(Relaxed) {
            0 => {
                let neighbours = neighbours_by_worth(&self.tables[side.index()], square);
                sorted.store(u64::from_ne_bytes(neighbours), Relaxed);
                neighbours
            }
            known => known.to_ne_bytes(),
        }
    }

    /// Returns the value of the right to move, in points.
    #[inline]
    #[must_use]
    pub fn tempo(&self) -> i32 {
        self.tempo
    }

    /// Returns these worths as those of the formula, whose key is 0.
    pub(crate) fn by_formula(self) -> Worths {
        Worths { key: 0, ..self }
    }

    /// Returns whether these are the formula's worths.
    #[inline]
    pub(crate) fn are_by_formula(&self) -> bool {
        self.key == 0
    }

    /// Returns a hash of the worths, which is part of a position's key.
    #[must_use]
    pub fn key(&self) -> u64 {
        self.key
    }
}

/// The worths of the squares for one side, by parity and bit within the parity.
pub(crate) struct WorthsByParity {
    worths: [[i16; 64]; PARITIES],
    /// The squares of each parity by level of worth: those of this level or a higher one.
    at_least: [[u64; LEVELS]; PARITIES],
    /// The least worth, which is of level 0.
    least: i32,
    /// The binary logarithm of the points between two levels.
    level_shift: u32,
}

impl WorthsByParity {
    fn new(table: &[i16; 256]) -> WorthsByParity {
        let worths = std::array::from_fn(|parity| {
            std::array::from_fn(|bit| table[square_of(parity, bit as u32).index()])
        });
        let (least, most) = table.iter().fold((i16::MAX, i16::MIN), |(least, most), &worth| {
            (least.min(worth), most.max(worth))
        });
        let (least, most) = (i32::from(least), i32::from(most));
        let level_shift =
            (i32::BITS - (most - least).leading_zeros()).saturating_sub(LEVELS.ilog2());
        let at_least = worths.map(|worths| {
            let mut squares = [0; LEVELS];
            for (bit, worth) in worths.into_iter().enumerate() {
                squares[(i32::from(worth) - least) as usize >> level_shift] |= 1 << bit;
            }
            for level in (1..LEVELS).rev() {
                squares[level - 1] |= squares[level];
            }
            squares
        });
        WorthsByParity { worths, at_least, least, level_shift }
    }

    /// Returns the worth of the square of a bit, from 0 to 63, of a parity.
    #[inline]
    pub(crate) fn of(&self, parity: usize, bit: u32) -> i32 {
        i32::from(self.worths[parity][bit as usize & 63])
    }

    /// Returns squares of a parity among which are all that are worth more than this.
    #[inline]
    pub(crate) fn above(&self, parity: usize, worth: i32) -> u64 {
        let level = (worth - self.least).max(0) as u32 >> self.level_shift;
        self.at_least[parity].get(level as usize).copied().unwrap_or(0)
    }
}

/// Compares worths by their keys.
impl PartialEq for Worths {
    fn eq(&self, other: &Worths) -> bool {
        self.key == other.key
    }
}

impl fmt::Debug for Worths {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(formatter, "Worths({:#x})", self.key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parity::{bit_of, parity_of};

    #[test]
    fn no_square_that_is_worth_more_is_missing_among_those_above() {
        for spread in [0, 1, 7, 100, 30_000] {
            let table: [i16; 256] = std::array::from_fn(|square| {
                ((split_mix(square as u64) % (2 * spread + 1)) as i32 - spread as i32) as i16
            });
            let worths = WorthsByParity::new(&table);
            for square in Square::all() {
                let (parity, bit, worth) =
                    (parity_of(square), bit_of(square), i32::from(table[square.index()]));
                assert_eq!(worths.of(parity, bit.trailing_zeros()), worth);
                for least in [worth - 1, worth - 50, -40_000] {
                    assert!(worths.above(parity, least) & bit != 0, "{square} is worth {worth}");
                }
                assert!((0..PARITIES).all(|parity| worths.above(parity, 40_000) == 0));
            }
        }
    }
}
