//! What a soak works on: the games with their agents, and what its workers share.

use super::question::Quiz;
use super::table::Tally;
use arena::player::directory::PlayerDirectory;
use arena::random::{self, Purpose};
use std::fs::File;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// A game with its agent.
pub(super) struct Subject {
    /// The game's name.
    pub name: &'static str,
    /// The game's questions.
    pub quiz: Quiz,
    /// The agent's program.
    pub program: PathBuf,
    /// The game against itself that was played last, by its number.
    pub own_game: Mutex<(u64, Arc<Vec<String>>)>,
}

impl Subject {
    /// A game of the agent against itself.
    pub(super) fn own_game(&self, number: u64, seed: u64) -> Arc<Vec<String>> {
        let mut last = self.own_game.lock().unwrap_or_else(PoisonError::into_inner);
        if last.0 != number || last.1.is_empty() {
            *last = (number, Arc::new((self.quiz.self_play)(random::derived(seed, Purpose::SelfPlay, number))));
        }
        Arc::clone(&last.1)
    }
}

/// The state that the workers share.
pub(super) struct Shared {
    /// The counts so far.
    pub tally: Tally,
    /// The number of the next question.
    pub next: u64,
    /// The file of the record.
    pub record: Option<File>,
    /// When progress was last told.
    pub told: Instant,
    /// Directories of agents that are not in use: one for each worker, once it has begun.
    pub directories: Vec<PlayerDirectory>,
}
