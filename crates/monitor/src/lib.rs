//! The protocol of FoxGame's monitor over TCP: connections to agents, agents as players of the arena, and the server that
//! runs games between agents that connect.

pub mod agent;
pub mod connection;
pub mod program;
#[cfg(feature = "server")]
pub mod server;

use arena::AnyGame;
use foxgame::Position;
use program::MonitorPrograms;

/// Returns the games with FoxGame's other kind of player: programs that speak the protocol of its monitor (`proto=monitor`).
pub fn with_programs(games: Vec<AnyGame>) -> Vec<AnyGame> {
    let foxgame = AnyGame::with_players::<Position, MonitorPrograms>();
    games.into_iter().map(|game| if game.name == foxgame.name { foxgame } else { game }).collect()
}
