//! What the search knows of Squirrels: the difference of the sums, and which squares swing it most.

use crate::rules::{Move, Position};
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
    fn order(&self, position: &Position, Move(square): Move) -> i32 {
        position.swing(square) * 64
    }

    /// One ply above the leaves the best move is the one of the largest swing.
    #[inline]
    fn frontier(&self, position: &Position, _: Score, _: Score) -> Option<(Score, Move)> {
        let moves = position.empty().into_iter();
        let (swing, first) = moves.map(|square| (position.swing(square), std::cmp::Reverse(square))).max()?;
        Some((self.evaluate(position) + swing, Move(first.0)))
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
