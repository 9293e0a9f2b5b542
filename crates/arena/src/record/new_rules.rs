//! Games of a record whose rules have changed since they were played.

use serde::{Deserialize, Serialize};

/// Recorded games, replayed by other rules.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Replayed {
    /// The checksum of the game's folder with the new rules.
    pub checksum: String,
    /// The numbers of the games that have the same result by the new rules.
    pub same: Vec<u32>,
    /// The games that do not count any more.
    pub withdrawn: Vec<Withdrawn>,
}

/// A game that does not count any more and is played again under its number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Withdrawn {
    /// The number of the game.
    pub game: u32,
    /// The difference between the recorded game and the new rules.
    pub why: String,
}

impl Replayed {
    /// Whether no game was replayed.
    pub fn is_empty(&self) -> bool {
        self.same.is_empty() && self.withdrawn.is_empty()
    }
}
