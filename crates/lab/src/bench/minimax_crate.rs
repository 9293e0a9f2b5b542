//! The search of the crate `minimax` for Halma, with Menagerie's evaluation and move generator, and with or without
//! Menagerie's move ordering, so that only the searches differ. Menagerie's search also has shortcuts one and two plies
//! above the leaves, which the crate's interface does not allow.

use crate::bench::minimax_listener::report_move;
use engine::search::Knowledge;
use engine::{Game, Protocol};
use halma::{Evaluation, Move, Position};
use minimax::{Evaluator, IterativeOptions, IterativeSearch, Winner};
use std::cmp::Reverse;

/// Halma's rules as a [`minimax::Game`]. If `ORDERED`, moves come in the order of Menagerie's static move ordering;
/// otherwise in the order of generation.
pub(crate) struct HalmaRules<const ORDERED: bool>;

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
        report_move(position, mv);
        Some(position.describe_move(mv))
    }
}

/// Halma's evaluation as a [`minimax::Evaluator`].
pub(crate) struct HalmaEvaluator<const ORDERED: bool>;

impl<const ORDERED: bool> Evaluator for HalmaEvaluator<ORDERED> {
    type G = HalmaRules<ORDERED>;

    fn evaluate(&self, position: &Position) -> minimax::Evaluation {
        Evaluation.evaluate(position) as minimax::Evaluation
    }
}

/// Returns the crate's iterative search for Halma, with a transposition table of `hash_bytes` bytes.
pub(crate) fn minimax_search<const ORDERED: bool>(hash_bytes: usize) -> IterativeSearch<HalmaEvaluator<ORDERED>> {
    IterativeSearch::new(HalmaEvaluator, IterativeOptions::new().with_table_byte_size(hash_bytes))
}
