//! Players made of their specifications.

use super::Player;
use super::exit::Program;
use super::lines::LinesPlayer;
use super::process::ProcessPlayer;
use super::reference::Reference;
use super::spec::{EngineSpec, PlayerKind};
use crate::terms::Bounds;
use anygame::AnyGame;
use anygame::game::Interface;
use anyhow::{Context, Result};
use std::path::Path;

/// A protocol of a game's programs besides files ([`Interface::protocols`]).
pub struct PlayerProtocol {
    /// The name, as in `proto=NAME`.
    pub name: &'static str,
    /// Help for people, as lines of at most 70 characters.
    pub help: &'static [&'static str],
    /// Why a player with `st=` or `margin=` is refused.
    pub refusal: fn(has_st: bool, has_margin: bool) -> Option<&'static str>,
    /// Makes the player of a program.
    pub player: fn(&Program, &EngineSpec, &Bounds) -> Box<dyn Player>,
}

impl PlayerProtocol {
    /// The protocols of a game.
    pub fn all(interface: &Interface) -> impl Iterator<Item = &'static PlayerProtocol> {
        interface.protocols.iter().filter_map(|protocol| protocol.downcast_ref())
    }

    /// The protocol of this name.
    pub fn of(interface: &Interface, name: &str) -> Option<&'static PlayerProtocol> {
        PlayerProtocol::all(interface).find(|protocol| protocol.name == name)
    }
}

/// The player of a specification, with the seed of random players and of Python's hashes.
pub fn player_of(
    game: &AnyGame,
    spec: &EngineSpec,
    bounds: &Bounds,
    seed: u64,
) -> Result<Box<dyn Player>> {
    let in_engine = || format!("engine '{}'", spec.name);
    let (files, margin) = (game.interface.files, spec.margin);
    let Some(program) = &spec.kind.program() else {
        return Ok(Box::new(Reference::new(&spec.kind, seed)?));
    };
    if let PlayerKind::Protocol { protocol, .. } = &spec.kind {
        let known = PlayerProtocol::of(&game.interface, protocol);
        let none = || format!("proto={protocol}: {} has no such protocol", game.name);
        let known = known.with_context(none).with_context(in_engine)?;
        return Ok((known.player)(program, spec, bounds));
    }
    if game.interface.talks {
        let command = game.interface.function.and_then(|asked| by_function(program.command, asked));
        let command = command.as_deref().unwrap_or(program.command);
        let program = Program { command, ..*program };
        let player = LinesPlayer::new(&program, files, margin, bounds, seed);
        return Ok(Box::new(player.with_context(in_engine)?));
    }
    let player = ProcessPlayer::new(program, files, margin, bounds, seed);
    Ok(Box::new(player.with_context(in_engine)?))
}

/// The command that asks this function of a file in Python for moves; `None` for other programs.
fn by_function(command: &[String], function: &str) -> Option<Vec<String>> {
    let file = command.iter().position(|word| word.ends_with(".py"))?;
    let (python, options) = command[..file].split_first()?;
    let program = Path::new(python).file_name()?.to_str()?;
    if !program.starts_with("py") || !options.iter().all(|option| option.starts_with('-')) {
        return None;
    }
    let asked = ["-c", include_str!("../../data/ask_function.py"), function].map(str::to_string);
    Some([&command[..file], &asked, &command[file..]].concat())
}
