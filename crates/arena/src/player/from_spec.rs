//! Players made from their specifications.

use super::Player;
use super::exit::Program;
use super::process::ProcessPlayer;
use super::reference::Reference;
use super::spec::{EngineSpec, PlayerKind};
use crate::terms::Bounds;
use anyhow::{Context, Result, bail};
use engine::Playable;

/// Players of further kinds, for games whose programs speak a protocol of their own.
pub trait OtherPlayers<A: Playable> {
    /// The names of the protocols, as in `proto=NAME`.
    const PROTOCOLS: &'static [&'static str];

    /// The player of a specification; `None` if it is of another kind.
    fn player(spec: &EngineSpec, bounds: &Bounds) -> Option<Result<Box<dyn Player<A>>>>;
}

/// No further kinds of players.
pub struct NoOthers;

impl<A: Playable> OtherPlayers<A> for NoOthers {
    const PROTOCOLS: &'static [&'static str] = &[];

    fn player(_: &EngineSpec, _: &Bounds) -> Option<Result<Box<dyn Player<A>>>> {
        None
    }
}

/// The player of a specification. Only random players use the seed.
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
            Box::new(
                ProcessPlayer::new(&program, spec.margin, bounds).with_context(|| format!("engine '{}'", spec.name))?,
            )
        }
        PlayerKind::Monitor { .. } => bail!("engine '{}': this game has no monitor", spec.name),
        other => Box::new(Reference::new(other.clone(), seed)),
    })
}
