//! `judge position`: a position out of a record, as the input file that its player saw.

use crate::games::find;
use crate::output::print;
use anyhow::{Result, bail};
use arena::record::Record;
use clap::Args;
use std::path::PathBuf;

/// Options of `judge position`.
#[derive(Args)]
pub(crate) struct PositionOptions {
    /// The record
    record: PathBuf,
    /// The game, by its number
    #[arg(long, value_name = "NUMBER")]
    game: u32,
    /// The moves made before the position: 0 is the opening's, and 41 the one in which move 42 was made
    #[arg(long, value_name = "COUNT")]
    ply: usize,
}

/// An example for the help text.
pub(crate) const EXAMPLE: &str = "\
Example:
  judge position games.jsonl --game 2 --ply 41 > input.txt && judge show halma input.txt --scores
The input file has the board, the side to move, and the time that was left. Files that a player keeps between turns are not
in a record.";

/// Prints the input file.
pub(crate) fn position(options: &PositionOptions) -> Result<()> {
    let record = Record::read(&options.record)?;
    let known = find(&record.header.game)?;
    let (start, moves, fault) = match (record.games.get(&options.game), record.open.get(&options.game)) {
        (Some(game), _) => (&game.start, &game.moves, game.end.fault.as_ref()),
        (None, Some((start, moves))) => (start, moves, None),
        (None, None) => bail!("{}: no game {}", options.record.display(), options.game),
    };
    if options.ply > moves.len() {
        bail!("game {} has {} plies, and no position after {}", options.game, moves.len(), options.ply);
    }
    // The refused turn's own input file is in the record.
    if let Some(fault) = fault.filter(|_| options.ply == moves.len()) {
        print(&fault.input);
        return Ok(());
    }
    print(&(known.position)(&record.header, &start.opening, &start.players, &moves[..options.ply])?);
    Ok(())
}
