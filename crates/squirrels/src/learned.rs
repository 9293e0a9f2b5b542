//! The learned evaluation: the present difference, and what the features (`features.rs`) say of the rest of the game.
//!
//! The weights were fitted to exact values by the example `learn_evaluation`, which writes their file and says there from
//! what.

use crate::board::{ALL, SQUARES, Squares, Values};
use crate::features::{FEATURES, features};
use engine::search::Score;

/// Parts of one that weights are counted in.
const UNIT: i64 = 1_024;

/// The weights of the features, in [`UNIT`]s, by the number of empty squares.
static WEIGHTS: [[i16; FEATURES]; SQUARES + 1] = include!("../data/weights.rs");

/// The final difference that is expected for the side to move; exact where no square is empty.
#[inline]
#[must_use]
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
    // No game ends with a larger difference than all squares are worth.
    let most = i64::from(values.sum(ALL));
    (i64::from(now) + rest / UNIT).clamp(-most, most) as Score
}
