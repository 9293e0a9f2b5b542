//! `judge position`: prints a position of a record as the input file of the player to move.

use anygame::AnyGame;
use anyhow::{Context, Result, bail};
use arena::record::{Record, RecordedGame};
use arena::replayed::ReplayedGame;
use clap::Args;
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
    /// The number of moves before the position: 0 for the one after the opening, 41 for the one in
    /// which move 42 was made
    #[arg(long, value_name = "COUNT")]
    ply: usize,
}

pub(crate) const EXAMPLE: &str = "\
Example:
  judge position games.jsonl --game 2 --ply 41 > input.txt && judge show halma input.txt --scores
A record does not have the files that a player keeps between turns.";

pub(crate) fn position(options: &PositionOptions) -> Result<()> {
    let record = Record::read(&options.record)?;
    let recorded =
        record.recorded(options.game).with_context(|| options.record.display().to_string())?;
    print(&input_of(&record, game_of(&record)?, recorded, options.ply)?);
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
            "game {} has {} and no position after ply {ply}",
            start.game,
            arena::plain::counted(moves.len(), "ply", "plies"),
        );
    }
    // The record has the input file of a refused turn.
    if let Some(fault) = end.and_then(|end| end.fault.as_ref()).filter(|_| ply == moves.len()) {
        return Ok(fault.input.clone());
    }
    let game = ReplayedGame::of(known, &record.header, &start.opening, moves)?;
    game.input(&record.header, &start.players, moves, ply)
}
