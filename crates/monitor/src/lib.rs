//! The protocol of FoxGame's monitor over TCP: connections to agents, agents as players of the
//! arena, and the server that runs games between agents that connect.

pub mod agent;
pub mod connection;
pub mod program;
#[cfg(feature = "server")]
pub mod server;

use anygame::AnyGame;
use engine::Protocol;
use foxgame::Position;

/// The games with FoxGame's other kind of player, programs that speak the protocol of its monitor
/// (`proto=monitor`).
pub fn with_programs(mut games: Vec<AnyGame>) -> Vec<AnyGame> {
    for game in games.iter_mut().filter(|game| game.name == Position::NAME) {
        game.interface.protocols = &[&program::MONITOR];
    }
    games
}
