//! The crate `minimax` on our boards, with our evaluation and our move generator: only the searches differ.

use engine::Game;
use engine::search::Knowledge;
use halma::{Evaluation, Move, Position};
use minimax::{Evaluator, IterativeOptions, IterativeSearch, Winner};

/// Halma's rules, as the crate wants them.
pub struct HalmaRules;

impl minimax::Game for HalmaRules {
    type S = Position;
    type M = Move;

    fn generate_moves(position: &Position, moves: &mut Vec<Move>) -> Option<Winner> {
        position.moves(moves);
        None
    }

    fn apply(position: &mut Position, mv: Move) -> Option<Position> {
        position.play(mv);
        None
    }

    fn undo(position: &mut Position, mv: Move) {
        position.undo(mv, ());
    }

    fn get_winner(position: &Position) -> Option<Winner> {
        position.outcome().map(|_| Winner::PlayerJustMoved)
    }

    fn zobrist_hash(position: &Position) -> u64 {
        position.key()
    }
}

/// Halma's evaluation, as the crate wants it.
pub struct HalmaEvaluator;

impl Evaluator for HalmaEvaluator {
    type G = HalmaRules;

    fn evaluate(&self, position: &Position) -> minimax::Evaluation {
        Evaluation.evaluate(position) as minimax::Evaluation
    }
}

/// The crate's search for Halma with a table of this size.
#[must_use]
pub fn minimax_search(hash_bytes: usize) -> IterativeSearch<HalmaEvaluator> {
    IterativeSearch::new(HalmaEvaluator, IterativeOptions::new().with_table_byte_size(hash_bytes))
}
