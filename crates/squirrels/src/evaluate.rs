//! What the search knows of Squirrels: the difference of the sums, and which squares swing it most.

use crate::rules::{Play, Position};
use engine::Game;
use engine::search::{Knowledge, Score};

/// The knowledge that the Squirrels agent plays with: the homework's E(s), the difference of the sums.
#[derive(Clone, Copy, Debug, Default)]
pub struct Evaluation;

impl Knowledge<Position> for Evaluation {
    #[inline]
    fn evaluate(&self, position: &Position) -> Score {
        position.difference(position.side_to_move())
    }

    /// By the immediate swing, which outweighs all history.
    #[inline]
    fn order(&self, position: &Position, Play(square): Play) -> i32 {
        position.swing(square) * 64
    }

    /// One ply above the leaves the best play is the one of the largest swing.
    #[inline]
    fn frontier(&self, position: &Position, _: Score, _: Score) -> Option<(Score, Play)> {
        let plays = crate::board::each(position.empty());
        let (swing, first) = plays.map(|square| (position.swing(square), std::cmp::Reverse(square))).max()?;
        Some((self.evaluate(position) + swing, Play(first.0)))
    }

    /// Every play fills a square.
    fn plies_to_end(&self, position: &Position) -> Option<u32> {
        Some(position.empty().count_ones())
    }

    fn plays_left(&self, position: &Position) -> u32 {
        position.empty().count_ones().div_ceil(2)
    }

    fn aspiration(&self) -> Score {
        40
    }
}
