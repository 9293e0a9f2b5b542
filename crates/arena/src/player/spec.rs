//! Players as they are described in records: what each is, and its clock.

use crate::terms::Clock;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The kind of a player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PlayerKind {
    /// A process that lives by files.
    Files {
        /// Program and arguments.
        command: Vec<String>,
        /// Copied into the scratch directory before each game.
        directory: Option<PathBuf>,
        /// The command comes from that directory: what it names is not shown to it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        own_command: bool,
    },
    /// A process that speaks the protocol of FoxGame's monitor.
    Monitor {
        /// Program and arguments.
        command: Vec<String>,
        /// Copied into the scratch directory before each game.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        directory: Option<PathBuf>,
    },
    /// A random player inside the judge.
    Random,
    /// Minimax inside the judge, to a depth in plies.
    Minimax(u32),
    /// Alpha-beta inside the judge, to a depth in plies.
    Alphabeta(u32),
    /// An algorithm that only this game has, inside the judge: its name, and the depth in plies if one was asked for.
    Own(String, Option<u32>),
}

/// A player, fully described.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EngineSpec {
    /// The name in tables; no two players share one.
    pub name: String,
    /// The kind of the player.
    pub kind: PlayerKind,
    /// The player's clock.
    pub clock: Clock,
    /// Seconds of CPU time beyond the clock that are forgiven.
    pub margin: f64,
}
