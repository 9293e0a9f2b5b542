//! The weights of the evaluation, in the format that `lab learn --game foxgame` writes: for each feature a pair, its weight in the
//! opening and its weight at the end; for a feature of places, the pairs of the board's left half, row by row.

use crate::feature::{self, COUNT, NAMES, PLACES, ROWS_OF_PLACES, Weights};
use std::fmt::Write;

/// The weights that the agent plays with, for the features of [`measure`](crate::evaluate::measure).
#[rustfmt::skip]
pub static WEIGHTS: Weights = in_order(&[
    (feature::SHEEP, &[
        [187, 315], [133, 348],
        [239, 205], [198, 236],
        [158, 85], [114, 155], [149, 145], [85, 237],
        [113, 125], [117, 115], [123, 31], [117, 138],
        [161, 122], [128, 131], [84, 57], [115, 74],
        [96, 90], [102, 88],
        [108, 148], [58, 180],
    ]),
    (feature::FOX, &[
        [-56, -123], [-53, -92],
        [-79, -83], [-64, -188],
        [70, -58], [-53, -129], [-81, -157], [-64, -128],
        [32, -21], [-55, -118], [-83, -110], [-74, -99],
        [-61, 63], [-71, 14], [-161, -36], [-162, 3],
        [-144, 60], [-144, -28],
        [-102, 56], [-61, 16],
    ]),
    (feature::LOST, &[[5, -3]]),
    (feature::ALONE, &[[866, 616]]),
    (feature::OPEN, &[[4, -29]]),
    (feature::REACHED, &[[-19, 1]]),
    (feature::HANGING, &[[-2, -10]]),
    (feature::FORK, &[[-90, -11]]),
    (feature::REGION, &[[-31, -20]]),
    (feature::REGION_IN_PEN, &[[2, -46]]),
    (feature::FOX_STEPS, &[[10, 2]]),
    (feature::CRAMPED, &[[26, -4]]),
    (feature::SHEEP_STEPS, &[[-3, -4], [-5, 12], [-6, 14]]),
    (feature::TURN, &[[10, 17]]),
    (feature::CONSTANT, &[[-1504, -1481]]),
]);

/// The weights by feature number. Panics at compile time unless every feature is there, in the order of the numbers.
const fn in_order(named: &[(usize, &[[i16; 2]])]) -> Weights {
    let mut weights = [[0; 2]; COUNT];
    let mut next = 0;
    let mut index = 0;
    while index < named.len() {
        let (feature, pairs) = named[index];
        assert!(feature == next, "a feature has too few or too many weights, or is out of order");
        let mut pair = 0;
        while pair < pairs.len() {
            weights[next] = pairs[pair];
            next += 1;
            pair += 1;
        }
        index += 1;
    }
    assert!(next == COUNT, "the last features have no weights");
    weights
}

/// Formats weights with the names of their features, as this file's source has them.
pub fn text(weights: &Weights) -> String {
    let ends = NAMES.iter().skip(1).map(|&(_, first)| first).chain([COUNT]);
    let line = |pairs: &[[i16; 2]]| pairs.iter().map(|pair| format!("{pair:?}")).collect::<Vec<_>>().join(", ");
    let mut text = String::new();
    for (&(name, first), end) in NAMES.iter().zip(ends) {
        let mut pairs = &weights[first..end];
        if pairs.len() != PLACES {
            let _ = writeln!(text, "    (feature::{name}, &[{}]),", line(pairs));
            continue;
        }
        let _ = writeln!(text, "    (feature::{name}, &[");
        for length in ROWS_OF_PLACES {
            let (row, rest) = pairs.split_at(length);
            let _ = writeln!(text, "        {},", line(row));
            pairs = rest;
        }
        text += "    ]),\n";
    }
    text
}

/// Parses weights from the format of [`text()`], or from bare pairs of numbers.
///
/// # Errors
/// If the number of integers in the text is not twice the number of features.
pub fn read(text: &str) -> Result<Weights, String> {
    let numbers: Vec<i16> = text.split([' ', ',', '[', ']', '\n']).filter_map(|word| word.parse().ok()).collect();
    if numbers.len() != 2 * COUNT {
        return Err(format!("expected {} weights, found {}", 2 * COUNT, numbers.len()));
    }
    let mut weights = [[0; 2]; COUNT];
    weights.iter_mut().flatten().zip(numbers).for_each(|(weight, number)| *weight = number);
    Ok(weights)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_written_as_they_stand_in_the_source_and_read_again() {
        let written = text(&WEIGHTS);
        assert!(include_str!("weights.rs").contains(&written), "{written}");
        assert_eq!(read(&written), Ok(WEIGHTS));
        assert!(read(&written.replacen("187", "x", 1)).unwrap_err().contains("found 109"));
    }
}
