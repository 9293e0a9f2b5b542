//! The input files of the turns of a recorded game.

use anyhow::{Result, anyhow, bail};
use arena::record::{Header, MoveRecord};
use arena::terms::{Clock, rule_set};
use engine::{Playable, Task, TimeControl};
use std::time::Duration;

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
