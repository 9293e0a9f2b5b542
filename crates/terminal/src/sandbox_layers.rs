//! Messages about the sandbox layers, and the consent of root to run players without them.

use anyhow::{Result, bail};
use arena::keys::workspace_program;
use arena::player::sandbox_layers::{layers, layers_around, machine_survey};
use arena::player::spec::{EngineSpec, PlayerKind};
use arena::terms::{Bounds, Sandbox};
use sandbox::layers::Layers;
use sandbox::{IS_POSSIBLE, room};
use std::path::Path;

const WHAT_ROOT_CAN: &str = "a player can read, change and delete every file, end every process and use the network, as root";

/// Refuses to run strangers as root without a sandbox, unless the user has agreed; otherwise
/// [announces](announce) the layers around these players, if one is a process.
pub fn admit(
    players: &[EngineSpec],
    bounds: &Bounds,
    agreed: bool,
    at_a_time: usize,
) -> Result<Option<Layers>> {
    check_agreed(players, bounds, agreed)?;
    if layers_around(players, bounds)?.is_none() {
        return Ok(None);
    }
    let is_connected = |player: &EngineSpec| matches!(&player.kind, PlayerKind::Protocol { .. });
    // Of such a protocol both programs of a game run all the time.
    let each = if players.iter().any(is_connected) { 2 } else { 1 };
    announce(bounds, at_a_time * each).map(Some)
}

/// Like [`admit`], for strangers, which also need a system with a sandbox.
pub fn admit_strangers(bounds: &Bounds, agreed: bool, at_a_time: usize) -> Result<Layers> {
    check_system(bounds)?;
    check_root(bounds, agreed)?;
    announce(bounds, at_a_time)
}

/// The refusals of both, for a class, whose layers are [announced](announce) when there is
/// something to run.
pub fn check_class(players: &[EngineSpec], bounds: &Bounds, agreed: bool) -> Result<()> {
    check_system(bounds)?;
    check_agreed(players, bounds, agreed)
}

/// Tells the active and missing layers, and whether fewer than `at_a_time` games can run at a time.
/// An error if `--sandbox required` is not met.
pub fn announce(bounds: &Bounds, at_a_time: usize) -> Result<Layers> {
    let layers = layers(bounds)?;
    if !IS_POSSIBLE {
        note_missing_sandbox(&layers);
        return Ok(layers);
    }
    eprintln!("sandbox layers around players: {layers}");
    if bounds.sandbox == Sandbox::Off {
        let what = if sandbox::system::is_root() {
            WHAT_ROOT_CAN
        } else {
            "a player can do whatever the judge can"
        };
        eprintln!("warning: --sandbox off is for your own programs: {what}");
    } else if !layers.are_sufficient() {
        for missing in &machine_survey()?.missing {
            eprintln!(
                "warning: missing sandbox layer: {}: {} (judge sandbox has remedies)",
                missing.layer, missing.why
            );
        }
    }
    warn_root_without_namespaces(bounds, &layers);
    if layers.any()
        && let Some(words) = room::shortage(bounds.memory_mib << 20, at_a_time, layers.users)
    {
        eprintln!("note: {words}");
    }
    Ok(layers)
}

/// Tells a program's author that this system has no sandbox, or that the program runs as root.
pub fn warn_author(bounds: &Bounds) -> Result<()> {
    let layers = layers(bounds)?;
    note_missing_sandbox(&layers);
    warn_root_without_namespaces(bounds, &layers);
    Ok(())
}

fn note_missing_sandbox(layers: &Layers) {
    if !IS_POSSIBLE {
        eprintln!(
            "note: this system has no sandbox: programs run with your rights; CPU time by {}",
            layers.counting
        );
    }
}

/// Strangers' programs need a sandbox, unless `--sandbox off` says that they may do whatever the
/// judge can.
fn check_system(bounds: &Bounds) -> Result<()> {
    if !IS_POSSIBLE && bounds.sandbox != Sandbox::Off {
        bail!(
            "only Linux has a sandbox for other people's programs: grade there, or add --sandbox off if you trust all of them"
        );
    }
    Ok(())
}

fn warn_root_without_namespaces(bounds: &Bounds, layers: &Layers) {
    if bounds.sandbox != Sandbox::Off && sandbox::system::is_root() && !layers.namespaces {
        eprintln!(
            "warning: no namespaces, and the judge is root: {WHAT_ROOT_CAN}, except for what other sandbox layers forbid"
        );
    }
}

/// Agents of this workspace need no consent.
fn check_agreed(players: &[EngineSpec], bounds: &Bounds, agreed: bool) -> Result<()> {
    let is_strange = |player: &EngineSpec| match &player.kind {
        PlayerKind::Files { command, .. } | PlayerKind::Protocol { command, .. } => {
            !is_own_agent(command)
        }
        _ => false,
    };
    if players.iter().any(is_strange) { check_root(bounds, agreed) } else { Ok(()) }
}

/// Root needs to consent to programs without a sandbox.
fn check_root(bounds: &Bounds, agreed: bool) -> Result<()> {
    if bounds.sandbox == Sandbox::Off && sandbox::system::is_root() && !agreed {
        bail!(
            "--sandbox off, and the judge is root: {WHAT_ROOT_CAN}; if you trust every program that plays, add \
             --yes-unsafe; otherwise leave out --sandbox off"
        );
    }
    Ok(())
}

fn is_own_agent(command: &[String]) -> bool {
    let Some(program) = command.first().map(Path::new) else { return false };
    let name = program.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    workspace_program(name).is_ok_and(|own| own == program)
}
