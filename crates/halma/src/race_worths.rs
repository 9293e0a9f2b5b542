//! The worth of squares in a race, fitted to the numbers of moves that races lasted, and parsed at
//! compile time.

use crate::board::{BLACK, SIZE, Square, WHITE};
use crate::default_tables::parse_numbers;
use crate::stage::{PLACES, place};

/// The text of `data/race.txt`.
const TEXT: &str = include_str!("../data/race.txt");

const NUMBERS: [i16; 1 + PLACES] = {
    let mut numbers = [0; 1 + PLACES];
    assert!(
        parse_numbers(TEXT, &mut numbers) == 1 + PLACES,
        "one number for the farthest piece, and one for each place"
    );
    numbers
};

/// The hundredths of a move by which a race is longer for each step between the farthest piece and
/// its nearest hole.
pub(crate) const FARTHEST: i32 = NUMBERS[0] as i32;

/// The hundredths of a move by which a race is shorter for a piece, by side and square.
pub(crate) static RACE_WORTH: [[i16; 256]; 2] = {
    let mut tables = [[0; 256]; 2];
    let mut index = 0;
    while index < 256 {
        let square = Square::new(index as u8);
        let (x, y) = (square.x(), square.y());
        tables[BLACK.index()][index] = NUMBERS[1 + place(x, y)];
        tables[WHITE.index()][index] = NUMBERS[1 + place(SIZE - 1 - x, SIZE - 1 - y)];
        index += 1;
    }
    tables
};
