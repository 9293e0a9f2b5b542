//! The positions of a recorded game with the moves between them.

use anygame::Board;
use anyhow::Result;
use arena::analysis::better::Better;
use arena::record::MoveRecord;
use arena::replayed::ReplayedGame;
use engine::Drawing;

pub(crate) struct Frame {
    /// The board as a drawing, if the game supports drawings.
    pub drawing: Option<Drawing>,
    /// The board as text.
    pub picture: String,
    /// The move that led to this position; `None` for the first position.
    pub mv: Option<MoveRecord>,
    /// The index of the side that played the move.
    pub side: usize,
    /// Whether the other side moves at the same time: the next frame shows both moves.
    pub is_half: bool,
    /// A better line than the move, if the record has an analysis of it.
    pub better: Option<Better>,
}

/// The positions of a recorded game; `moves` are the record's.
pub(crate) fn frames(game: &ReplayedGame, moves: &[MoveRecord]) -> Result<Vec<Frame>> {
    (0..=moves.len()).map(|plies| frame(game, moves, plies)).collect()
}

pub(crate) fn frame(game: &ReplayedGame, moves: &[MoveRecord], plies: usize) -> Result<Frame> {
    let Some(ply) = plies.checked_sub(1) else {
        let Board { picture, drawing } = game.start.board();
        return Ok(Frame { drawing, picture, mv: None, side: 0, is_half: false, better: None });
    };
    let (before, record) = (game.position(ply), &moves[ply]);
    let after = game.position(plies);
    let Board { picture, drawing } = after.board();
    Ok(Frame {
        drawing,
        picture,
        mv: Some(record.clone()),
        side: before.side_to_move().index(),
        is_half: after.is_second_half(),
        better: record
            .analysis
            .as_ref()
            .and_then(|finding| before.better(game.played[ply].mv.code, finding)),
    })
}
