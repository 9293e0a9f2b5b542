//! Specifications of players, as records hold them: kind and clock.

use anygame::GameClock;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The kind of a player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PlayerKind {
    /// A process that reads and writes files.
    Files {
        /// Program and arguments.
        command: Vec<String>,
        /// A directory whose copy is the program's directory in each game.
        directory: Option<PathBuf>,
        /// Whether the command comes from `directory`. If so, the files that it names are not shown
        /// to the player.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        own_command: bool,
    },
    /// A process with another [`PlayerProtocol`](super::protocol::PlayerProtocol).
    #[serde(alias = "monitor")]
    Protocol {
        /// The name of the protocol. Records of version 0.2 know one.
        #[serde(default = "monitor")]
        protocol: String,
        /// Program and arguments; empty for an agent that somebody else has started.
        command: Vec<String>,
        /// A directory whose copy is the program's directory in each game.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        directory: Option<PathBuf>,
        /// Whether the command comes from `directory`, as of [`PlayerKind::Files`].
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        own_command: bool,
    },
    /// A random player inside the judge.
    Random,
    /// Minimax inside the judge, to a depth in plies.
    Minimax(u32),
    /// Alpha-beta inside the judge, to a depth in plies.
    Alphabeta(u32),
    /// Monte Carlo tree search, by random games a move.
    Mcts(u32),
}

fn monitor() -> String {
    "monitor".to_string()
}

/// The full specification of a player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EngineSpec {
    /// The name in tables, unique among the players.
    pub name: String,
    /// The kind.
    pub kind: PlayerKind,
    /// The clock.
    pub clock: GameClock,
    /// CPU time beyond the clock that is forgiven, in seconds.
    pub margin: f64,
}

/// The margin of a player whose time is not charged.
pub const UNTIMED: f64 = 1e6;

impl EngineSpec {
    /// Whether the time of the player is charged.
    pub fn is_timed(&self) -> bool {
        self.margin < UNTIMED
    }
}
