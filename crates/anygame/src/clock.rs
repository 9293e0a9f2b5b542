//! The clock of a player.

use engine::TimeControl;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The CPU time of a player: for the whole game, or for each move.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GameClock {
    /// Seconds of CPU time for the whole game.
    Game(f64),
    /// Seconds of CPU time for each move.
    Single(f64),
}

impl GameClock {
    /// The keyword of the clock in input files.
    pub fn control(self) -> TimeControl {
        match self {
            GameClock::Game(_) => TimeControl::Game,
            GameClock::Single(_) => TimeControl::Single,
        }
    }

    /// The time of the clock.
    pub fn length(self) -> Duration {
        let (GameClock::Game(seconds) | GameClock::Single(seconds)) = self;
        Duration::from_secs_f64(seconds)
    }
}
