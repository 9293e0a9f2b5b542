//! The worth of squares: what a piece on each of them counts in the evaluation. The formula's is the same in all positions;
//! what was learned from games (`learned.rs`) depends on the root of a search.

use crate::board::{BLACK, CAMPS, SIZE, Square, WHITE};
use crate::jumps::directions_by_worth;
use crate::tunable::Tunables;
#[cfg(feature = "tuning")]
use crate::tunable::tunables;
use engine::{Side, split_mix};
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, LazyLock};

/// The worth of a piece by side and square, in points, by the formula: the closer to the far corner the more.
#[cfg(not(feature = "tuning"))]
pub static WORTH: [[i16; 256]; 2] = worth_tables(&Tunables::CHOSEN);
/// The worth of a piece by side and square, in points, from numbers that are set when the agent starts.
#[cfg(feature = "tuning")]
pub static WORTH: LazyLock<[[i16; 256]; 2]> = LazyLock::new(|| worth_tables(tunables()));

/// The worths of all squares for both sides, and what follows from them, during one search.
pub struct Worths {
    tables: [[i16; 256]; 2],
    /// The directions from each square by side, the most rewarding first, a byte for each; 0 until they are asked for,
    /// since a short search asks for those of few squares.
    directions: [[AtomicU64; 256]; 2],
    tempo: i32,
    late_scale: i32,
    order_scale: i32,
    key: u64,
}

impl Worths {
    /// Worths by side and square. To be the side to move is worth `tempo` points. The part of the evaluation for holes counts
    /// `late_scale` times, and a point weighs `order_scale` units of history where moves are ordered.
    #[must_use]
    pub fn new(tables: [[i16; 256]; 2], tempo: i32, late_scale: i32, order_scale: i32) -> Worths {
        let fold = |key, worth: &i16| split_mix(key ^ u64::from(worth.cast_unsigned()));
        let key = tables.as_flattened().iter().fold(split_mix(split_mix(late_scale as u64) ^ tempo as u64), fold);
        let directions = [const { [const { AtomicU64::new(0) }; 256] }; 2];
        Worths { tables, directions, tempo, late_scale, order_scale, key }
    }

    /// What a side's piece on a square is worth, in points.
    #[inline]
    #[must_use]
    pub fn of(&self, side: Side, square: Square) -> i32 {
        i32::from(self.tables[side.index()][square.index()])
    }

    /// The worths for one side, by square.
    #[inline]
    #[must_use]
    pub fn table(&self, side: Side) -> &[i16; 256] {
        &self.tables[side.index()]
    }

    /// The worths for both sides.
    #[inline]
    #[must_use]
    pub fn tables(&self) -> &[[i16; 256]; 2] {
        &self.tables
    }

    /// The directions from a square, that of the neighbour that is worth most to a side first.
    #[inline]
    pub(crate) fn directions(&self, side: Side, square: Square) -> [u8; 8] {
        let sorted = &self.directions[side.index()][square.index()];
        match sorted.load(Relaxed) {
            0 => {
                let directions = directions_by_worth(&self.tables[side.index()], square);
                sorted.store(u64::from_ne_bytes(directions), Relaxed);
                directions
            }
            known => known.to_ne_bytes(),
        }
    }

    /// What it is worth to be the side to move, in points.
    #[inline]
    #[must_use]
    pub fn tempo(&self) -> i32 {
        self.tempo
    }

    /// How many times the part of the evaluation for holes counts; 0 where it does not.
    #[inline]
    #[must_use]
    pub fn late_scale(&self) -> i32 {
        self.late_scale
    }

    #[inline]
    pub(crate) fn order_scale(&self) -> i32 {
        self.order_scale
    }

    /// A key of the worths: positions that are valued by others have other keys.
    #[must_use]
    pub fn key(&self) -> u64 {
        self.key
    }
}

/// Worths are the same if their keys are.
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

/// The formula's worths: the same at every root.
#[must_use]
pub fn formula() -> &'static Arc<Worths> {
    static FORMULA: LazyLock<Arc<Worths>> =
        LazyLock::new(|| Arc::new(Worths { key: 0, ..Worths::new(WORTH.to_owned(), 0, 1, 64) }));
    &FORMULA
}

const fn worth_tables(values: &Tunables) -> [[i16; 256]; 2] {
    [worth_table(values, BLACK), worth_table(values, WHITE)]
}

const fn worth_table(values: &Tunables, side: Side) -> [i16; 256] {
    let mut table = [0; 256];
    let mut index = 0;
    while index < 256 {
        let square = Square::new(index as u8);
        // Black's far corner is the bottom right.
        let (x, y) = match side {
            BLACK => (SIZE - 1 - square.x(), SIZE - 1 - square.y()),
            WHITE => (square.x(), square.y()),
        };
        let distance = (x + y) as i32;
        let aside = x as i32 - y as i32;
        let target = CAMPS[side.other().index()].contains(square);
        let hundredths = 70_000
            - values.distance * distance
            - values.distance_squared * distance * distance
            - values.aside_squared * aside * aside
            + if target { values.arrived } else { 0 };
        table[index] = (hundredths / 100) as i16;
        index += 1;
    }
    table
}
