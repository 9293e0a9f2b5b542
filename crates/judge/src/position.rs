//! `judge position`: prints a position of a record as the input file of the player to move.

use anygame::AnyGame;
use anyhow::{Context, Result, bail};
use arena::record::{Record, RecordedGame};
use arena::replayed::ReplayedGame;
use clap::Args;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use terminal::games::game_of;
use terminal::output::print;

#[derive(Args)]
pub(crate) struct PositionOptions {
    /// The record
    record: PathBuf,
    /// The game, by its number
    #[arg(long, value_name = "NUMBER")]
    game: u32,
    /// The move that was made in the position, by its number in lists and texts: 1 for the first
    /// after the opening; one more than the last for the position at the end
    #[arg(long, value_name = "NUMBER")]
    ply: NonZeroUsize,
}

pub(crate) const EXAMPLE: &str = "\
Example:
  judge position games.jsonl --game 2 --ply 42 > input.txt && judge show halma input.txt --scores
A record does not have the files that a player keeps between turns.";

pub(crate) fn position(options: &PositionOptions) -> Result<()> {
    let record = Record::read(&options.record)?;
    let recorded =
        record.recorded(options.game).with_context(|| options.record.display().to_string())?;
    print(&input_of(&record, game_of(&record)?, recorded, options.ply.get() - 1)?);
    Ok(())
}

/// The input file that the player of a recorded game saw after so many plies.
pub(crate) fn input_of(
    record: &Record,
    known: &AnyGame,
    (start, moves, end): RecordedGame,
    ply: usize,
) -> Result<String> {
    if ply > moves.len() {
        bail!(
            "game {} has {}: --ply is at most {}",
            start.game,
            arena::plain::counted(moves.len(), "move", "moves"),
            moves.len() + 1,
        );
    }
    // The record has the input file of a refused turn.
    if let Some(fault) = end.and_then(|end| end.fault.as_ref()).filter(|_| ply == moves.len()) {
        return Ok(fault.input.clone());
    }
    let game = ReplayedGame::of(known, &record.header, &start.opening, moves)?;
    game.input(&record.header, &start.players, moves, ply)
}
