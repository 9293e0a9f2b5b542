//! Players made from their specifications.

use super::Player;
use super::exit::Program;
use super::process::ProcessPlayer;
use super::reference::Reference;
use super::spec::{EngineSpec, PlayerKind};
use crate::AnyGame;
use crate::terms::Bounds;
use anyhow::{Context, Result, bail};

/// Makes a player of another kind, for games whose programs speak a protocol of their own; `None` if the specification is of
/// none of these kinds.
pub type OtherPlayer = fn(&EngineSpec, &Bounds) -> Option<Result<Box<dyn Player>>>;

/// The player of a specification, for a game. Only random players use the seed.
pub fn new_player(game: &AnyGame, spec: &EngineSpec, bounds: &Bounds, seed: u64) -> Result<Box<dyn Player>> {
    if let Some(player) = (game.other_player)(spec, bounds) {
        return player;
    }
    Ok(match &spec.kind {
        PlayerKind::Files { command, directory, own_command } => {
            let program = Program { command, home: directory.as_deref(), own_command: *own_command };
            Box::new(
                ProcessPlayer::new(&program, game.files, spec.margin, bounds)
                    .with_context(|| format!("engine '{}'", spec.name))?,
            )
        }
        PlayerKind::Monitor { .. } => bail!("engine '{}': this game has no monitor", spec.name),
        other => Box::new(Reference::new(other.clone(), seed)),
    })
}
