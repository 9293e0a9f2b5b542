//! Players: the sources of moves. A player is a process that reads and writes files ([`process`]), a reference search
//! inside the judge ([`mod@reference`]), or of another kind that implements [`Player`] and that its game adds
//! ([`PlayerProtocol`]).

pub mod blame;
pub mod case;
pub(crate) mod crash_reason;
pub mod directory;
pub mod exit;
mod java_heap;
pub mod process;
pub mod reference;
mod removal;
pub mod sandbox_layers;
pub mod scratch;
pub mod spec;
pub mod start;
pub mod untrusted_file;

pub use crash_reason::shortened;

use crate::result::Fault;
use crate::terms::Bounds;
use anygame::{AnyGame, AnyMove, AnyTask, Position};
use anyhow::{Context, Result};
use engine::Side;
use exit::Program;
use process::ProcessPlayer;
use reference::Reference;
use spec::{EngineSpec, PlayerKind};
use std::time::Duration;

/// A player of one side in one game.
pub trait Player {
    /// Starts the game; called once, before the first turn, with the initial position and the player's side.
    fn begin(&mut self, start: &Position, side: Side) -> Result<()> {
        let _ = (start, side);
        Ok(())
    }

    /// Reports a move of the opponent, for players that keep the board themselves.
    fn opponent_played(&mut self, before: &Position, mv: &AnyMove) -> Result<()> {
        let _ = (before, mv);
        Ok(())
    }

    /// The reason why the rules have ended the game, in the wording of the player's protocol, if that has one.
    fn end_reason(&self) -> Option<String> {
        None
    }

    /// Ends the game.
    fn finish(&mut self, winner: Option<Side>, reason: &str) {
        let _ = (winner, reason);
    }

    /// Asks for a move. An error is a failure of the judge (a full disk, a missing program). It is the player's fault
    /// only if it is a [`blame::NoTurn`] that says so.
    fn turn(&mut self, task: &AnyTask) -> Result<Turn>;
}

/// A protocol besides files that programs of a game speak: an item of [`AnyGame::protocols`].
pub struct PlayerProtocol {
    /// The name, as in `proto=NAME`.
    pub name: &'static str,
    /// Help for people, as lines of at most 70 characters.
    pub help: &'static [&'static str],
    /// The reason why a player with these keys is refused: whether `st=` and `margin=` are given.
    pub refusal: fn(has_st: bool, has_margin: bool) -> Option<&'static str>,
    /// Makes the player of a program.
    pub player: fn(&Program, &EngineSpec, &Bounds) -> Box<dyn Player>,
}

impl PlayerProtocol {
    /// The protocols of a game.
    pub fn all(game: &AnyGame) -> impl Iterator<Item = &'static PlayerProtocol> {
        game.protocols.iter().filter_map(|protocol| protocol.downcast_ref())
    }

    /// The protocol of a game with this name.
    ///
    /// # Errors
    /// The game has none.
    pub fn of(game: &AnyGame, name: &str) -> Result<&'static PlayerProtocol> {
        let found = PlayerProtocol::all(game).find(|protocol| protocol.name == name);
        found.with_context(|| format!("proto={name}: {} has no such protocol", game.name))
    }
}

/// The player of a specification. Only random players use the seed.
///
/// # Errors
/// The program cannot be started, or the game has no such player.
pub fn player_of(game: &AnyGame, spec: &EngineSpec, bounds: &Bounds, seed: u64) -> Result<Box<dyn Player>> {
    let name = &spec.name;
    Ok(match &spec.kind {
        PlayerKind::Files { command, directory, own_command } => {
            let program = Program { command, home: directory.as_deref(), own_command: *own_command };
            let player = ProcessPlayer::new(&program, game.files, spec.margin, bounds);
            Box::new(player.with_context(|| format!("engine '{name}'"))?)
        }
        PlayerKind::Protocol { protocol, command, directory, own_command } => {
            let program = Program { command, home: directory.as_deref(), own_command: *own_command };
            let protocol = PlayerProtocol::of(game, protocol).with_context(|| format!("engine '{name}'"))?;
            (protocol.player)(&program, spec, bounds)
        }
        kind => Box::new(Reference::new(kind, seed)?),
    })
}

/// The result of a turn: a move or a fault, and the time that it took.
pub struct Turn {
    /// The move, or the fault.
    pub answer: Result<AnyMove, Fault>,
    /// The charged CPU time.
    pub cpu: Duration,
    /// The wall time.
    pub wall: Duration,
    /// Further data for the record.
    pub traces: Traces,
}

/// The end of a text that was shortened.
pub(crate) const SHORTENED: &str = "[...]";

/// Texts and figures of a turn, for the record.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Traces {
    /// The output file, shortened.
    pub output: Option<String>,
    /// Standard output, shortened.
    pub stdout: String,
    /// Standard error, shortened.
    pub stderr: String,
    /// The score that the search reported for its side, in points.
    pub score: Option<i32>,
    /// The search depth that it reported.
    pub depth: Option<u32>,
    /// A note about something unusual that is no fault, such as an exit code other than 0 after a legal move.
    pub note: Option<String>,
    /// Words for a machine that gave the player much less than a processor.
    pub scarcity: Option<String>,
    /// The part of the wall time for which the player was kept waiting for a processor, in seconds.
    pub waited: f64,
}
