//! The learned evaluation: the present difference of the sums, and a weighted sum of the features (`features.rs`) that
//! estimates how it will change.
//!
//! The command `lab squirrels-weights` fits the weights to exact values and writes `data/weights.rs`; a comment in that file
//! gives the command line and the errors.

use crate::board::{ALL, SQUARES, Squares, Values};
use crate::features::{FEATURES, features};
use engine::search::Score;

/// The fixed-point scale of the weights: a weight of `UNIT` is 1.
const UNIT: i64 = 1_024;

/// The weights of the features, in 1/[`UNIT`], by the number of empty squares.
static WEIGHTS: [[i16; FEATURES]; SQUARES + 1] = include!("../data/weights.rs");

/// Estimates the final difference for the side to move. The estimate is exact on a full board.
#[inline]
pub(crate) fn estimate(values: &Values, own: Squares, opp: Squares) -> Score {
    let now = values.sum(own) - values.sum(opp);
    let empty = ALL - (own | opp);
    if empty.is_empty() {
        return now;
    }
    let found = match values.narrow() {
        Some(narrow) => features(narrow, own, opp),
        None => features(values.sums(), own, opp),
    };
    let weights = &WEIGHTS[empty.len() as usize];
    let rest: i64 = found.iter().zip(weights).map(|(&feature, &weight)| i64::from(feature) * i64::from(weight)).sum();
    // No game can end with a larger difference than the sum of all values.
    let most = i64::from(values.sum(ALL));
    (i64::from(now) + rest / UNIT).clamp(-most, most) as Score
}
