//! The worth of squares: what a piece on each of them counts in the evaluation.

use crate::board::{BLACK, CAMPS, SIZE, Square, WHITE};
use crate::tunable::Tunables;
#[cfg(feature = "tuning")]
use crate::tunable::tunables;
use engine::Side;

/// The worth of a piece by side and square, in points: the closer to the far corner the more.
#[cfg(not(feature = "tuning"))]
pub static WORTH: [[i16; 256]; 2] = worth_tables(&Tunables::CHOSEN);
/// The worth of a piece by side and square, in points, from numbers that are set when the agent starts.
#[cfg(feature = "tuning")]
pub static WORTH: std::sync::LazyLock<[[i16; 256]; 2]> = std::sync::LazyLock::new(|| worth_tables(tunables()));

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
