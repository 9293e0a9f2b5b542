//! The games of a soak with their agents, and the state that its workers share.

use super::question::self_play;
use super::tally::Tally;
use anygame::AnyGame;
use arena::player::directory::PlayerDirectory;
use arena::random::{self, Purpose};
use std::fs::File;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// A game with its agent.
pub(super) struct GameUnderTest {
    /// The game's name.
    pub name: &'static str,
    /// The game.
    pub game: &'static AnyGame,
    /// The path of the agent's program.
    pub program: PathBuf,
    /// The agent's last game against itself, with its number.
    pub own_game: Mutex<(u64, Arc<Vec<String>>)>,
}

impl GameUnderTest {
    /// Returns the agent's game against itself with this number.
    pub(super) fn own_game(&self, number: u64, seed: u64) -> Arc<Vec<String>> {
        let mut last = self.own_game.lock().unwrap_or_else(PoisonError::into_inner);
        if last.0 != number || last.1.is_empty() {
            *last = (
                number,
                Arc::new(self_play(self.game, random::derived(seed, Purpose::SelfPlay, number))),
            );
        }
        Arc::clone(&last.1)
    }
}

/// The state that the workers share.
pub(super) struct SharedState {
    /// The counts so far.
    pub tally: Tally,
    /// The number of the next question.
    pub next: u64,
    /// The file of the record, if there is one.
    pub record: Option<File>,
    /// The time of the last line of progress.
    pub last_progress: Instant,
    /// Unused directories of agents; each worker needs one.
    pub directories: Vec<PlayerDirectory>,
}
