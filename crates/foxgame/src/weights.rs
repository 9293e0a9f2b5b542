//! The weights of the evaluation: for each feature a pair, its weight in the opening and its weight
//! at the end; for a feature of places, the pairs of the board's left half, row by row.

use crate::feature::{self, COUNT, Weights};

/// The weights that the agent plays with, for the features of
/// [`measure`](crate::evaluate::measure).
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

/// The weights by feature number. Panics unless every feature is there, in the order of the numbers.
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
