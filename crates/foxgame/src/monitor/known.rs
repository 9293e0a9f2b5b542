//! The answer that the tables of endings give, without a search.

use super::thinker::Answer;
use crate::endings::advice::advise;
use crate::endings::store::Endings;
use crate::evaluate::Evaluation;
use crate::rules::Position;
use engine::score::outcome_score;
use engine::search::{Knowledge, MAX_PLY};
use engine::{Advice, Game};

/// The winning move that the tables of endings advise, if they do.
#[must_use]
pub fn advised(position: &Position, endings: &'static Endings) -> Option<Answer> {
    let Advice::Move(mv, _) = advise(position, endings) else { return None };
    let mut after = position.clone();
    after.play(mv);
    let score = match after.outcome() {
        Some(outcome) => outcome_score(outcome, position.side_to_move(), 1),
        None => -Evaluation::knowing(Some(endings)).evaluate(&after),
    };
    // Nothing that a search finds is to replace it.
    Some(Answer { mv, reply: None, score, depth: MAX_PLY, nodes: 0 })
}
