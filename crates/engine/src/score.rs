//! Scores: estimates and proven results on one scale.

use crate::game::{Outcome, Side};

/// Points of the game's evaluation. Estimates and margins lie within ±[`MAX_ESTIMATE`]; values
/// beyond ±[`WIN_BOUND`] are wins and losses with their distance in plies.
pub type Score = i32;

/// The score of a game that is won now. A win in `n` plies scores `WIN - n`, a loss `n - WIN`.
pub const WIN: Score = 500_000;

/// The maximum absolute value of an estimate or a margin.
pub const MAX_ESTIMATE: Score = 450_000;

/// The scores beyond ± this value are wins or losses.
pub const WIN_BOUND: Score = WIN - 1_500;

/// A value larger than every score. The transposition table has 20 bits for a score.
pub const INFINITY: Score = (1 << 19) - 1;

/// The score of a finished game for `view`, `ply` plies below the root.
pub fn outcome_score(outcome: Outcome, view: Side, ply: u32) -> Score {
    let distance = ply as Score;
    match outcome {
        Outcome::Win(side) if side == view => WIN - distance,
        Outcome::Win(_) => distance - WIN,
        Outcome::Draw => 0,
        Outcome::Margin(difference) => {
            debug_assert!(difference.abs() <= MAX_ESTIMATE);
            if view == Side::First { difference } else { -difference }
        }
    }
}

/// The plies to the end of a win (positive score) or a loss; `None` for estimates.
pub fn distance_to_end(score: Score) -> Option<u32> {
    (score.abs() > WIN_BOUND).then(|| (WIN - score.abs()).max(0) as u32)
}

/// Formats a score for display: `+12`, `-3`, `win in 5`, `loss in 4` (plies).
pub fn describe(score: Score) -> String {
    match distance_to_end(score) {
        Some(plies) if score > 0 => format!("win in {plies}"),
        Some(plies) => format!("loss in {plies}"),
        None => format!("{score:+}"),
    }
}
