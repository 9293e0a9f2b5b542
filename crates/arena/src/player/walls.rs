//! The walls around player processes.

use super::scratch::trial_directory;
use super::spec::{EngineSpec, PlayerKind};
use crate::terms::{Bounds, Sandbox};
use anyhow::{Context, Result, bail};
use system::sandbox::survey::{Survey, survey};
use system::sandbox::walls::Walls;

/// The walls that a player gets: those that this machine allows, unless there are to be none.
pub fn walls(bounds: &Bounds) -> Result<Walls> {
    match bounds.sandbox {
        Sandbox::Off => Ok(Walls::default()),
        Sandbox::Auto => Ok(found()?.walls.clone()),
        Sandbox::Required => {
            let found = found()?;
            if !found.walls.are_sufficient() {
                let reasons: Vec<String> =
                    found.missing.iter().map(|missing| format!("{}: {}", missing.wall, missing.why)).collect();
                bail!(
                    "--sandbox required: namespaces and counted CPU time are not both there ({})",
                    reasons.join("; ")
                );
            }
            Ok(found.walls.clone())
        }
    }
}

/// The walls that this machine allows, and why others are missing.
pub fn found() -> Result<&'static Survey> {
    let directory = trial_directory().context("no walls can be tried")?;
    Ok(survey(&directory.path()))
}

/// The walls in a game of these players; `None` if no player is a process.
pub fn walls_around(players: &[EngineSpec], bounds: &Bounds) -> Result<Option<Walls>> {
    let is_process = |kind: &PlayerKind| matches!(kind, PlayerKind::Files { .. } | PlayerKind::Monitor { .. });
    if players.iter().any(|player| is_process(&player.kind)) { walls(bounds).map(Some) } else { Ok(None) }
}
