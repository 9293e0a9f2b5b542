//! The crate `minimax` on our boards, with our evaluation and our move generator, and with our order of moves or without:
//! only the searches differ. Our search has shortcuts one and two plies above the leaves besides, which the crate's
//! interface has no room for.

mod clocked;
mod listener;

pub use clocked::best_move_until;

use engine::search::Knowledge;
use engine::{Game, Protocol};
use halma::{Evaluation, Move, Position};
use minimax::{Evaluator, IterativeOptions, IterativeSearch, Winner};
use std::cmp::Reverse;

/// Halma's rules, as the crate wants them. If `ORDERED`, moves come in the order in which our search tries them before
/// it knows anything better; otherwise as they are generated.
pub struct HalmaRules<const ORDERED: bool>;

impl<const ORDERED: bool> minimax::Game for HalmaRules<ORDERED> {
    type S = Position;
    type M = Move;

    fn generate_moves(position: &Position, moves: &mut Vec<Move>) -> Option<Winner> {
        position.moves(moves);
        if ORDERED {
            moves.sort_unstable_by_key(|&mv| Reverse(Evaluation.order(position, mv)));
        }
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

    fn notation(position: &Position, mv: Move) -> Option<String> {
        listener::tell(position, mv);
        Some(position.describe_move(mv))
    }
}

/// Halma's evaluation, as the crate wants it.
pub struct HalmaEvaluator<const ORDERED: bool>;

impl<const ORDERED: bool> Evaluator for HalmaEvaluator<ORDERED> {
    type G = HalmaRules<ORDERED>;

    fn evaluate(&self, position: &Position) -> minimax::Evaluation {
        Evaluation.evaluate(position) as minimax::Evaluation
    }
}

/// The crate's search for Halma with a table of this size.
#[must_use]
pub fn minimax_search<const ORDERED: bool>(hash_bytes: usize) -> IterativeSearch<HalmaEvaluator<ORDERED>> {
    IterativeSearch::new(HalmaEvaluator, IterativeOptions::new().with_table_byte_size(hash_bytes))
}
