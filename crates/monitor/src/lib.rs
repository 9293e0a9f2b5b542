//! The protocol of FoxGame's monitor over TCP: connections to agents, agents as players of the
//! arena, and the server that runs games between agents that connect.

pub mod agent;
pub mod connection;
pub mod program;
#[cfg(feature = "server")]
pub mod server;

use anygame::AnyGame;
use anygame::game::Interface;
use engine::Protocol;
use foxgame::Position;

/// The games with FoxGame's other kind of player, programs that speak the protocol of its monitor
/// (`proto=monitor`).
pub fn with_programs(games: Vec<AnyGame>) -> Vec<AnyGame> {
    let with_monitor = |game: AnyGame| match game.name == Position::NAME {
        true => AnyGame {
            interface: Interface { protocols: &[&program::MONITOR], ..game.interface },
            ..game
        },
        false => game,
    };
    games.into_iter().map(with_monitor).collect()
}
