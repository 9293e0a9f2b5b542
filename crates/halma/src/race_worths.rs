//! What squares are worth in a race: learned from how many moves races still last, read when the crate is compiled.

use crate::board::{BLACK, SIZE, Square, WHITE};
use crate::chosen::read;
use crate::stage::{PLACES, place};

/// The text of the file.
const TEXT: &str = include_str!("../data/race.txt");

const NUMBERS: [i16; 1 + PLACES] = {
    let mut numbers = [0; 1 + PLACES];
    assert!(read(TEXT, &mut numbers) == 1 + PLACES, "one number for the farthest piece, and one for each place");
    numbers
};

/// Hundredths of a move that a race lasts longer for each step between the farthest piece and its nearest hole.
pub(crate) const FARTHEST: i32 = NUMBERS[0] as i32;

/// Hundredths of a move that a race is shorter for a side's piece on a square.
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
