//! The worths of squares: the points that a piece on each of them counts in the evaluation. The
//! formula's worths are the same in all positions; those learned from games (`learned.rs`) depend
//! on the root of the search.

use crate::board::{BLACK, CAMPS, SIZE, Square, WHITE};
use crate::jumps::neighbours_by_worth;
use crate::parity::{PARITIES, square_of};
use crate::tunable::{ARRIVED, ASIDE_SQUARED, DISTANCE, DISTANCE_SQUARED};
use engine::{Side, split_mix};
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, LazyLock, OnceLock};

/// The worth of a piece by the formula, in points, by side and square: the nearer to the far
/// corner, the more.
pub static WORTH: [[i16; 256]; 2] = [worth_table(BLACK), worth_table(WHITE)];

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
    late_scale: i32,
    order_scale: i32,
    key: u64,
}

impl Worths {
    /// Creates worths from tables by side and square. The right to move counts `tempo` points, the
    /// late part of the evaluation counts `late_scale` times, and a point counts `order_scale`
    /// units of history score in move ordering.
    #[must_use]
    pub fn new(tables: [[i16; 256]; 2], tempo: i32, late_scale: i32, order_scale: i32) -> Worths {
        let fold = |key, worth: &i16| split_mix(key ^ u64::from(*worth as u16));
        let key = tables
            .as_flattened()
            .iter()
            .fold(split_mix(split_mix(late_scale as u64) ^ tempo as u64), fold);
        let neighbours = [const { [const { AtomicU64::new(0) }; 256] }; 2];
        Worths {
            tables,
            by_parity: OnceLock::new(),
            neighbours,
            tempo,
            late_scale,
            order_scale,
            key,
        }
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

    /// Returns the factor of the late part of the evaluation; 0 where it is not counted.
    #[inline]
    #[must_use]
    pub fn late_scale(&self) -> i32 {
        self.late_scale
    }

    /// Returns the units of history score that a point counts in move ordering.
    #[inline]
    pub(crate) fn order_scale(&self) -> i32 {
        self.order_scale
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

/// Returns the formula's worths, which are the same at every root.
#[must_use]
pub fn formula() -> &'static Arc<Worths> {
    static FORMULA: LazyLock<Arc<Worths>> =
        LazyLock::new(|| Arc::new(Worths { key: 0, ..Worths::new(WORTH.to_owned(), 0, 1, 64) }));
    &FORMULA
}

const fn worth_table(side: Side) -> [i16; 256] {
    let mut table = [0; 256];
    let mut index = 0;
    while index < 256 {
        let square = Square::new(index as u8);
        // Coordinates counted from the far corner, which is the bottom right for Black.
        let (x, y) = match side {
            BLACK => (SIZE - 1 - square.x(), SIZE - 1 - square.y()),
            WHITE => (square.x(), square.y()),
        };
        let distance = (x + y) as i32;
        let aside = x as i32 - y as i32;
        let target = CAMPS[side.other().index()].contains(square);
        let hundredths = 70_000
            - DISTANCE * distance
            - DISTANCE_SQUARED * distance * distance
            - ASIDE_SQUARED * aside * aside
            + if target { ARRIVED } else { 0 };
        table[index] = (hundredths / 100) as i16;
        index += 1;
    }
    table
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
