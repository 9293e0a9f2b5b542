//! The numbers of the file that the agent's tables stand in, read when it is compiled. What its form is says
//! [`Tables::read`](crate::learned::Tables::read), which reads such files when the agent runs, and says what is wrong with them.

use crate::stage::{PLACES, Stage};

/// The text of the file.
pub(crate) const TEXT: &str = include_str!("../data/worths.txt");

/// The numbers before the first stage, and in front of each stage's worths.
const HEAD: usize = 2;
const OF_STAGE: usize = 2 + PLACES;

const COUNT: usize = read(TEXT, &mut []);
const NUMBERS: [i16; COUNT] = {
    let mut numbers = [0; COUNT];
    read(TEXT, &mut numbers);
    numbers
};

/// The tables of all stages.
pub(crate) static STAGES: [Stage; (COUNT - HEAD) / OF_STAGE] = {
    assert!((COUNT - HEAD).is_multiple_of(OF_STAGE), "every stage is whole");
    let mut stages = [const { Stage { to_go: 0, tempo: 0, worths: [0; PLACES] } }; (COUNT - HEAD) / OF_STAGE];
    let mut stage = 0;
    while stage < stages.len() {
        let first = HEAD + stage * OF_STAGE;
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

/// A number of the file, counted from its beginning.
pub(crate) const fn number(index: usize) -> i32 {
    NUMBERS[index] as i32
}

/// Writes all numbers of a text outside of comments to as many places as there are, and counts them.
pub(crate) const fn read(text: &str, places: &mut [i16]) -> usize {
    let text = text.as_bytes();
    let (mut count, mut at) = (0, 0);
    while at < text.len() {
        if text[at] == b'#' {
            while text[at] != b'\n' {
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
