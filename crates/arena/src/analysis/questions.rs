//! The moves of a recorded game, one by one, without the game's type.

use super::finding::{Effort, Finding};
use super::look::look;
use crate::record::{Header, MoveRecord};
use crate::terms::rule_set;
use anyhow::{Result, anyhow};
use engine::Playable;

/// A move of a recorded game, to be looked at with some effort.
pub type Question = Box<dyn Fn(Effort) -> Finding + Send + Sync>;

/// The moves of a game, in order, each as a question.
pub fn questions<A: Playable>(header: &Header, opening: &str, moves: &[MoveRecord]) -> Result<Vec<Question>> {
    let rules = rule_set(header.rules.as_deref())?;
    let mut position = A::read_task(opening, rules).map_err(|error| anyhow!("the opening, line {error}"))?.position;
    let mut questions: Vec<Question> = Vec::new();
    for record in moves {
        let mv = position.read_move(&record.output).map_err(|error| anyhow!("ply {}: {error}", record.ply + 1))?;
        let before = position.clone();
        position.play(mv);
        questions.push(Box::new(move |effort| look(&before, mv, effort)));
    }
    Ok(questions)
}
