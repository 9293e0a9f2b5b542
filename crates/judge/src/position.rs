//! `judge position`: a position out of a record, as the input file that its player saw.

use crate::games::find;
use crate::output::print;
use anyhow::{Result, anyhow, bail};
use arena::record::{Header, MoveRecord, Record};
use arena::terms::{Clock, rule_set};
use clap::Args;
use engine::{Playable, Task, TimeControl};
use std::path::PathBuf;
use std::time::Duration;

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

/// The input file of the turn after these moves.
pub(crate) fn input<A: Playable>(
    header: &Header,
    opening: &str,
    players: &[String; 2],
    moves: &[MoveRecord],
) -> Result<String> {
    let rules = rule_set(header.rules.as_deref())?;
    let start = A::read_task(opening, rules).map_err(|error| anyhow!("the opening, line {error}"))?;
    let mut position: A = start.position;
    let mut left: [Option<f64>; 2] = [None; 2];
    for record in moves {
        let mv = position.read_move(&record.output).map_err(|error| anyhow!("ply {}: {error}", record.ply + 1))?;
        left[position.side_to_move().index()] = record.left;
        position.play(mv);
    }
    let side = position.side_to_move();
    let (control, clock) = clock(header, &players[side.index()], left[side.index()], (start.control, start.clock));
    // A task reads as it was written only while the game goes on.
    if position.outcome().is_some() {
        bail!("the game is over after {} plies: there is nothing to play", moves.len());
    }
    Ok(A::write_task(&Task { position, control, clock }))
}

/// What was left on a player's clock; the opening's clock where the record does not name the player.
fn clock(
    header: &Header,
    player: &str,
    left: Option<f64>,
    opening: (TimeControl, Duration),
) -> (TimeControl, Duration) {
    let seconds = |seconds: f64| Duration::from_secs_f64(seconds.max(1e-6));
    match header.engines.iter().find(|engine| engine.name == player).map(|engine| engine.clock) {
        Some(Clock::Game(full)) => (TimeControl::Game, seconds(left.unwrap_or(full))),
        Some(Clock::Single(each)) => (TimeControl::Single, seconds(each)),
        None => opening,
    }
}
