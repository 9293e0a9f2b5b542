//! `judge position`: prints a position of a record as the input file of the player to move.

use anyhow::{Result, bail};
use arena::record::Record;
use arena::replayed::ReplayedGame;
use clap::Args;
use std::path::PathBuf;
use terminal::games::game_of;
use terminal::output::print;

/// Options of `judge position`.
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

/// An example for the help text.
pub(crate) const EXAMPLE: &str = "\
Example:
  judge position games.jsonl --game 2 --ply 41 > input.txt && judge show halma input.txt --scores
The input file has the board, the side to move, and the remaining time. A record does not have the files that a player keeps between
turns.";

/// Prints the input file.
pub(crate) fn position(options: &PositionOptions) -> Result<()> {
    let record = Record::read(&options.record)?;
    let known = game_of(&record)?;
    let (start, moves, fault) =
        match (record.games.get(&options.game), record.open.get(&options.game)) {
            (Some(game), _) => (&game.start, &game.moves, game.end.fault.as_ref()),
            (None, Some((start, moves))) => (start, moves, None),
            (None, None) => bail!("{}: no game {}", options.record.display(), options.game),
        };
    if options.ply > moves.len() {
        bail!(
            "game {} has {} and no position after ply {}",
            options.game,
            arena::plain::counted(moves.len(), "ply", "plies"),
            options.ply
        );
    }
    // The record has the input file of a refused turn.
    if let Some(fault) = fault.filter(|_| options.ply == moves.len()) {
        print(&fault.input);
        return Ok(());
    }
    let game = ReplayedGame::of(known, &record.header, &start.opening, moves)?;
    print(&game.input(&record.header, &start.players, moves, options.ply)?);
    Ok(())
}
