//! The moves of a recorded game, one by one, without the game's type.

use super::ThreadTime;
use super::finding::{Effort, Finding};
use super::look::{best_of, look};
use crate::record::{Header, MoveRecord};
use crate::terms::rule_set;
use anyhow::{Result, anyhow};
use engine::Playable;
use engine::score::Score;

/// A move of a recorded game, to be looked at with some effort.
pub struct Question {
    look: Box<dyn Fn(Effort) -> Finding + Send + Sync>,
    estimate: Box<dyn Fn(Effort) -> (Score, u32) + Send + Sync>,
}

impl Question {
    /// What is found of the move.
    #[must_use]
    pub fn look(&self, effort: Effort) -> Finding {
        (self.look)(effort)
    }

    /// The search's score for the side to move in the position before the move, whatever proofs say of it, and the depth
    /// of that search in plies.
    #[must_use]
    pub fn estimate(&self, effort: Effort) -> (Score, u32) {
        (self.estimate)(effort)
    }
}

/// The moves of a game, in order, each as a question.
pub fn questions<A: Playable>(header: &Header, opening: &str, moves: &[MoveRecord]) -> Result<Vec<Question>> {
    let rules = rule_set(header.rules.as_deref())?;
    let mut position = A::read_task(opening, rules).map_err(|error| anyhow!("the opening, line {error}"))?.position;
    let mut questions: Vec<Question> = Vec::new();
    for record in moves {
        let mv = position.read_move(&record.output).map_err(|error| anyhow!("ply {}: {error}", record.ply + 1))?;
        let before = position.clone();
        position.play(mv);
        let same = before.clone();
        questions.push(Question {
            look: Box::new(move |effort| look(&before, mv, effort, &ThreadTime)),
            estimate: Box::new(move |effort| {
                let found = best_of(&same, effort, &ThreadTime);
                (found.score, found.depth)
            }),
        });
    }
    Ok(questions)
}
