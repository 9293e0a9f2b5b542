//! From the description of a player to the player.

use super::Player;
use super::exit::Program;
use super::process::ProcessPlayer;
use super::reference::Reference;
use super::spec::{EngineSpec, PlayerKind};
use crate::terms::Bounds;
use anyhow::{Context, Result, bail};
use engine::Playable;

/// Players of other kinds than the arena's own, for games whose programs speak a protocol of their own.
pub trait OtherPlayers<A: Playable> {
    /// The names of their protocols, as `proto=NAME` has them.
    const PROTOCOLS: &'static [&'static str];

    /// The player that a specification describes; `None` if it is not of these kinds.
    fn player(spec: &EngineSpec, bounds: &Bounds) -> Option<Result<Box<dyn Player<A>>>>;
}

/// No players but the arena's own.
pub struct NoOthers;

impl<A: Playable> OtherPlayers<A> for NoOthers {
    const PROTOCOLS: &'static [&'static str] = &[];

    fn player(_: &EngineSpec, _: &Bounds) -> Option<Result<Box<dyn Player<A>>>> {
        None
    }
}

/// The player that a specification describes. The seed is for random players.
pub fn new_player<A: Playable, X: OtherPlayers<A>>(
    spec: &EngineSpec,
    bounds: &Bounds,
    seed: u64,
) -> Result<Box<dyn Player<A>>> {
    if let Some(player) = X::player(spec, bounds) {
        return player;
    }
    Ok(match &spec.kind {
        PlayerKind::Files { command, directory, own_command } => {
            let program = Program { command, home: directory.as_deref(), own_command: *own_command };
            Box::new(ProcessPlayer::new(&program, bounds).with_context(|| format!("engine '{}'", spec.name))?)
        }
        PlayerKind::Monitor { .. } => bail!("engine '{}': this game has no monitor", spec.name),
        other => Box::new(Reference::new(other.clone(), seed)),
    })
}
