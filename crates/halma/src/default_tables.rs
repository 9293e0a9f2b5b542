//! The default worth tables, parsed from `data/worths.txt` at compile time.
//!
//! [`Tables::read`](crate::learned::Tables::read) documents the format.

use crate::stage::{PLACES, Stage};

/// The text of `data/worths.txt`.
pub(crate) const TEXT: &str = include_str!("../data/worths.txt");

/// The count of integers in a stage: its two parameters and its worths.
const STAGE_NUMBERS: usize = 2 + PLACES;

const COUNT: usize = parse_numbers(TEXT, &mut []);
const NUMBERS: [i16; COUNT] = {
    let mut numbers = [0; COUNT];
    parse_numbers(TEXT, &mut numbers);
    numbers
};

/// The worth tables of all stages.
pub(crate) static STAGES: [Stage; COUNT / STAGE_NUMBERS] = {
    assert!(COUNT % STAGE_NUMBERS == 0, "every stage is whole");
    let mut stages =
        [const { Stage { to_go: 0, tempo: 0, worths: [0; PLACES] } }; COUNT / STAGE_NUMBERS];
    let mut stage = 0;
    while stage < stages.len() {
        let first = stage * STAGE_NUMBERS;
        stages[stage].to_go = NUMBERS[first] as u32;
        stages[stage].tempo = NUMBERS[first + 1];
        let mut place = 0;
        while place < PLACES {
            stages[stage].worths[place] = NUMBERS[first + 2 + place];
            place += 1;
        }
        stage += 1;
    }
    stages
};

/// Parses the integers of a text, skipping comments that start with `#`, into `places`, and returns
/// how many integers the text has; those that do not fit into `places` are only counted.
pub(crate) const fn parse_numbers(text: &str, places: &mut [i16]) -> usize {
    let text = text.as_bytes();
    let (mut count, mut at) = (0, 0);
    while at < text.len() {
        if text[at] == b'#' {
            while at < text.len() && text[at] != b'\n' {
                at += 1;
            }
        } else if text[at].is_ascii_digit() {
            let sign = if at > 0 && text[at - 1] == b'-' { -1 } else { 1 };
            let mut number = 0;
            while at < text.len() && text[at].is_ascii_digit() {
                number = number * 10 + (text[at] - b'0') as i16;
                at += 1;
            }
            if count < places.len() {
                places[count] = sign * number;
            }
            count += 1;
        } else {
            at += 1;
        }
    }
    count
}
