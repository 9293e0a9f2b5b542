//! The knowledge of the search: two evaluations, and the order of moves.

use crate::board::{ALL, SQUARES, Square, Squares, Values, take};
use crate::features::{FEATURES, features, heat};
use crate::rules::{Move, Position};
use engine::Game;
use engine::search::{Knowledge, Score};
use std::cmp::Reverse;

/// The evaluation that a search uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Evaluation {
    /// The difference of the sums, the homework's E(s): for plain algorithms, and searches limited
    /// by depth or nodes.
    #[default]
    Difference,
    /// The learned estimate of the final difference: the present difference, and a weighted sum of
    /// the features (`features.rs`). For searches limited by the clock.
    Learned,
}

/// The fixed-point scale of the weights.
const UNIT: i64 = 1_024;

/// The weights of the features, in 1/[`UNIT`], by the number of empty squares, fitted to exact
/// values by `lab squirrels-weights`.
static WEIGHTS: [[i16; FEATURES]; SQUARES + 1] = include!("../data/weights.rs");

impl Knowledge<Position> for Evaluation {
    #[inline]
    fn evaluate(&self, position: &Position) -> Score {
        match self {
            Evaluation::Difference => position.difference(position.side_to_move()),
            Evaluation::Learned => {
                let (own, opp) = sides(position);
                estimate(position.values(), own, opp)
            }
        }
    }

    /// The immediate swing of a move or the heat of its square. Either outweighs the history
    /// heuristic.
    #[inline]
    fn order(&self, position: &Position, Move(square): Move) -> i32 {
        let worth = match self {
            Evaluation::Difference => position.swing(square),
            Evaluation::Learned => heat_of(position, square),
        };
        worth * 64
    }

    /// For `Difference` the best move is the one with the largest swing; for `Learned` it has the
    /// best estimate after it.
    #[inline]
    fn frontier(&self, position: &Position, _: Score, beta: Score) -> Option<(Score, Move)> {
        match self {
            Evaluation::Difference => {
                let swing = |square| (position.swing(square), Reverse(square));
                let (swing, Reverse(square)) = position.empty().into_iter().map(swing).max()?;
                Some((self.evaluate(position) + swing, Move(square)))
            }
            Evaluation::Learned => best_estimate(position, beta),
        }
    }

    /// Every move fills a square.
    fn plies_to_end(&self, position: &Position) -> Option<u32> {
        Some(position.empty().len())
    }

    fn moves_left(&self, position: &Position) -> u32 {
        position.empty().len().div_ceil(2)
    }

    fn aspiration(&self) -> Score {
        40
    }
}

/// The pieces of the side to move, and those of the other side.
#[inline]
fn sides(position: &Position) -> (Squares, Squares) {
    let side = position.side_to_move();
    (position.pieces(side), position.pieces(side.other()))
}

#[inline]
fn heat_of(position: &Position, square: Square) -> i32 {
    let (own, opp) = sides(position);
    heat(position.values().sums(), own, opp, square)
}

/// The best learned estimate after a move, and that move. Tries the hottest squares first and stops
/// at `beta`.
#[inline]
fn best_estimate(position: &Position, beta: Score) -> Option<(Score, Move)> {
    let (own, opp) = sides(position);
    let mut best: Option<(Score, Move)> = None;
    let mut left = position.empty();
    while let Some((_, Reverse(square))) =
        left.into_iter().map(|square| (heat_of(position, square), Reverse(square))).max()
    {
        left.remove(square);
        let (own, opp) = take(own, opp, square);
        let score = -estimate(position.values(), opp, own);
        if best.is_none_or(|(least, _)| score > least) {
            best = Some((score, Move(square)));
            if score >= beta {
                break;
            }
        }
    }
    best
}

/// The learned estimate of the final difference for the side to move; exact on a full board.
#[inline]
fn estimate(values: &Values, own: Squares, opp: Squares) -> Score {
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
    let parts = found.iter().zip(weights);
    let rest: i64 = parts.map(|(&feature, &weight)| i64::from(feature) * i64::from(weight)).sum();
    // No game can end with a larger difference than the sum of all values.
    let most = i64::from(values.sum(ALL));
    (i64::from(now) + rest / UNIT).clamp(-most, most) as Score
}
