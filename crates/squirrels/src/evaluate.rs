//! What the search knows of Squirrels: two estimates of how a game ends, and which squares bear on it most.

use crate::board::{Square, Squares, flips};
use crate::features::heat;
use crate::learned;
use crate::rules::{Move, Position};
use engine::Game;
use engine::search::{Knowledge, Score};
use std::cmp::Reverse;

/// The knowledge that the Squirrels agent plays with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Evaluation {
    /// The homework's E(s), the difference of the sums: for plain algorithms, and for searches of a depth or a number of
    /// nodes.
    #[default]
    Difference,
    /// The final difference as exact values of other boards suggest it (`learned.rs`): for searches by the clock.
    Learned,
}

impl Knowledge<Position> for Evaluation {
    #[inline]
    fn evaluate(&self, position: &Position) -> Score {
        let (own, opp) = sides(position);
        match self {
            Evaluation::Difference => position.difference(position.side_to_move()),
            Evaluation::Learned => learned::estimate(position.values(), own, opp),
        }
    }

    /// By what a move swings at once, which outweighs all history; by the clock also by what it keeps from the other side.
    #[inline]
    fn order(&self, position: &Position, Move(square): Move) -> i32 {
        let worth = match self {
            Evaluation::Difference => position.swing(square),
            Evaluation::Learned => heat_of(position, square),
        };
        worth * 64
    }

    /// One ply above the leaves the best move is the one of the largest swing; or else the one with the best estimate
    /// after it, of which no move has to be made.
    #[inline]
    fn frontier(&self, position: &Position, _: Score, beta: Score) -> Option<(Score, Move)> {
        match self {
            Evaluation::Difference => {
                let moves = position.empty().into_iter();
                let (swing, first) = moves.map(|square| (position.swing(square), Reverse(square))).max()?;
                Some((self.evaluate(position) + swing, Move(first.0)))
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

/// The pieces of the side to move, and the other's.
#[inline]
fn sides(position: &Position) -> (Squares, Squares) {
    let side = position.side_to_move();
    (position.pieces(side), position.pieces(side.other()))
}

/// [`heat`] in a position.
#[inline]
fn heat_of(position: &Position, square: Square) -> i32 {
    let (own, opp) = sides(position);
    heat(position.values().sums(), own, opp, square)
}

/// The best learned estimate after a move, the hottest squares first, until one reaches `beta`.
#[inline]
fn best_estimate(position: &Position, beta: Score) -> Option<(Score, Move)> {
    let (own, opp) = sides(position);
    let mut best: Option<(Score, Move)> = None;
    let mut left = position.empty();
    while let Some((_, Reverse(square))) =
        left.into_iter().map(|square| (heat_of(position, square), Reverse(square))).max()
    {
        left.remove(square);
        let (own, opp) = after(own, opp, square);
        let score = -learned::estimate(position.values(), opp, own);
        if best.is_none_or(|(least, _)| score > least) {
            best = Some((score, Move(square)));
            if score >= beta {
                break;
            }
        }
    }
    best
}

/// The pieces of both sides after the first has taken a square.
#[inline]
fn after(own: Squares, opp: Squares, square: Square) -> (Squares, Squares) {
    let flips = flips(own, opp, square);
    ((own | flips).with(square), opp - flips)
}
