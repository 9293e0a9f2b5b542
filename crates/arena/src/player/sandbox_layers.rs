//! The sandbox layers around player processes.

use super::scratch::trial_directory;
use super::spec::{EngineSpec, PlayerKind};
use crate::terms::{Bounds, Sandbox};
use anyhow::{Context, Result, bail};
use sandbox::layers::{Layers, Survey};
use sandbox::survey::survey;

/// The layers around a player: those of this machine, or none if the sandbox is off.
pub fn layers(bounds: &Bounds) -> Result<Layers> {
    match bounds.sandbox {
        Sandbox::Off => Ok(Layers::default()),
        Sandbox::Auto => Ok(machine_survey()?.layers.clone()),
        Sandbox::Required => {
            let found = machine_survey()?;
            if !found.layers.are_sufficient() {
                let reasons: Vec<String> = found
                    .missing
                    .iter()
                    .map(|missing| format!("{}: {}", missing.layer, missing.why))
                    .collect();
                bail!(
                    "--sandbox required: namespaces and counted CPU time are not both there ({})",
                    reasons.join("; ")
                );
            }
            Ok(found.layers.clone())
        }
    }
}

/// The layers that this machine allows, and why others are missing.
pub fn machine_survey() -> Result<&'static Survey> {
    let directory = trial_directory().context("no sandbox can be tried")?;
    Ok(survey(&directory.path().join("player")))
}

/// The layers in a game; `None` if no player is a process.
pub fn layers_around(players: &[EngineSpec], bounds: &Bounds) -> Result<Option<Layers>> {
    let is_process = |kind: &PlayerKind| match kind {
        PlayerKind::Files { .. } => true,
        PlayerKind::Protocol { command, .. } => !command.is_empty(),
        _ => false,
    };
    if players.iter().any(|player| is_process(&player.kind)) {
        layers(bounds).map(Some)
    } else {
        Ok(None)
    }
}
