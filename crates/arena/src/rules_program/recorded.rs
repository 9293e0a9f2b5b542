//! The game of a record whose folder is not there.

use super::folder::game_of;
use super::program::RulesProgram;
use crate::game::AnyGame;
use crate::own_game::RecordedPosition;
use crate::record::{Header, MoveRecord, Record};
use anyhow::{Context, Result, bail};
use std::path::Path;

/// The game of a record whose folder is not there: it shows the positions that were played, and knows no others.
///
/// # Errors
/// The record keeps no positions.
pub fn of_record(record: &Record) -> Result<&'static AnyGame> {
    let Header { game, own, .. } = &record.header;
    let Some(own) = own else { bail!("{game}: no such folder, and the record does not keep what its rules showed") };
    let folder = Path::new(game);
    let program = |name: &str, files| {
        let program = RulesProgram::new(name.to_string(), folder.to_owned(), Vec::new(), files);
        let games = record.games.values().map(|game| (&game.moves, game.end.position.as_deref()));
        let open = record.open.values().map(|(_, moves)| (moves, None));
        games.chain(open).for_each(|(moves, last)| remember(&program, moves, last));
        program
    };
    let (game, _) = game_of(&own.toml, folder, program).with_context(|| format!("{game}: game.toml in the record"))?;
    Ok(Box::leak(Box::new(game)))
}

/// Tells a program the answers that a game of a record needs. `last` is the position at its end.
fn remember(program: &RulesProgram, moves: &[MoveRecord], last: Option<&RecordedPosition>) {
    let positions = moves.iter().map(|mv| mv.position.as_deref()).chain([last]);
    let mut before: Option<(&str, &str)> = None;
    for (ply, position) in positions.enumerate() {
        if let Some(position) = position {
            program.remember_position(position, before);
        }
        before = position.zip(moves.get(ply)).map(|(position, mv)| (position.state.as_str(), mv.output.as_str()));
    }
}
