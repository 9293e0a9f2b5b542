//! The positions of a recorded game, and what an analysis has found better.

use analysis::better::{Better, better};
use anyhow::{Result, anyhow};
use arena::record::{Header, MoveRecord};
use arena::terms::rule_set;
use engine::{Drawing, Playable};

/// A position of a game, with the move that led to it.
pub(crate) struct Frame {
    /// The board for drawing, if the game describes it.
    pub drawing: Option<Drawing>,
    /// The board as text.
    pub picture: String,
    /// The move that led here; none for the opening's position.
    pub mv: Option<MoveRecord>,
    /// The index of the side that made it.
    pub side: usize,
    /// What would have been better, if an analysis says so.
    pub better: Option<Better>,
}

/// Plays the moves of a record again from its opening.
pub(crate) fn frames<A: Playable>(header: &Header, opening: &str, moves: &[MoveRecord]) -> Result<Vec<Frame>> {
    let rules = rule_set(header.rules.as_deref())?;
    let task = A::read_task(opening, rules).map_err(|error| anyhow!("the opening, line {error}"))?;
    let mut position: A = task.position;
    let mut frames = vec![Frame {
        drawing: position.drawing(None),
        picture: position.picture(None),
        mv: None,
        side: 0,
        better: None,
    }];
    for record in moves {
        let mv = position.read_move(&record.output).map_err(|error| anyhow!("ply {}: {error}", record.ply + 1))?;
        let before = position.clone();
        position.play(mv);
        frames.push(Frame {
            drawing: position.drawing(Some((&before, mv))),
            picture: position.picture(Some(mv)),
            mv: Some(record.clone()),
            side: before.side_to_move().index(),
            better: record.analysis.as_ref().and_then(|finding| better(&before, mv, finding)),
        });
    }
    Ok(frames)
}
