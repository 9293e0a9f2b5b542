//! A better move than the one played, and why it is better.

use crate::finding::Finding;
use engine::{Drawing, Outcome, Playable};

/// A better move than the one played, and why it is better.
pub struct Better {
    /// The line of play from the better move on.
    pub line: Vec<Step>,
    /// The opponent's best reply to the move that was played, for people.
    pub reply: Option<String>,
    /// What can be counted for it, each in a few words.
    pub why: Vec<String>,
}

/// A move of a line, and the position after it.
pub struct Step {
    /// The move, for people.
    pub mv: String,
    /// The index of the side that makes it.
    pub side: usize,
    /// The board for drawing, if the game describes it.
    pub drawing: Option<Drawing>,
    /// The board as text.
    pub picture: String,
}

/// What an analysis has found better than a move; `None` if that move was best.
#[must_use]
pub fn better<A: Playable>(before: &A, played: A::Move, finding: &Finding) -> Option<Better> {
    if before.read_move(&finding.best).ok()? == played {
        return None;
    }
    let mut position = before.clone();
    let (mut line, mut positions) = (Vec::new(), Vec::new());
    for text in &finding.line {
        let Ok(mv) = position.read_move(text) else { break };
        let at = position.clone();
        position.play(mv);
        line.push(Step {
            mv: at.describe_move(mv),
            side: at.side_to_move().index(),
            drawing: position.drawing(Some((&at, mv))),
            picture: position.picture(Some(mv)),
        });
        positions.push(position.clone());
    }
    let mut worse = before.clone();
    worse.play(played);
    let reply = finding.reply.as_ref().and_then(|text| worse.read_move(text).ok());
    let described = reply.map(|mv| worse.describe_move(mv));
    if let Some(mv) = reply {
        worse.play(mv);
    }
    let after = positions.get(usize::from(reply.is_some())).or(positions.last())?;
    let why = reasons(before, &positions[0], after, &worse, described.as_deref());
    Some(Better { line, reply: described, why })
}

/// What the better move gains that can be counted: after it and the reply to it, against the move played and its reply.
fn reasons<A: Playable>(before: &A, at_once: &A, after: &A, worse: &A, reply: Option<&str>) -> Vec<String> {
    let side = before.side_to_move();
    let won_by = |position: &A| position.outcome().and_then(Outcome::winner);
    if won_by(at_once) == Some(side) {
        return vec!["it wins at once".to_string()];
    }
    let mut reasons = Vec::new();
    if won_by(worse) == Some(side.other()) {
        reasons.push(match reply {
            Some(reply) => format!("the move played lets {} win at once by {reply}", A::side_word(side.other())),
            None => "the move played loses at once".to_string(),
        });
    }
    for (better, worse) in A::counts(after, side).into_iter().zip(A::counts(worse, side)) {
        let gain = if better.more_is_better { better.number - worse.number } else { worse.number - better.number };
        if gain > 0 {
            reasons.push(format!("{}: {} instead of {}", better.what, better.number, worse.number));
        }
    }
    reasons
}
