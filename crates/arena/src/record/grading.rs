//! Lines of a class's record beside those of games: who is graded, and how far each test has come.

use crate::player::spec::EngineSpec;
use serde::{Deserialize, Serialize};

/// A submission of a class. The games of its tests are numbered from `(number - 1) * tests + 1` on, where `tests` is the
/// number of tests that the scheme has.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// The number of the submission, from 1, like no other's in the class.
    pub number: u32,
    /// The submission's name, plain and like no other's.
    pub submission: String,
    /// The digest of its files and of its command.
    pub digest: String,
    /// The player that it is; none if it cannot be run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<EngineSpec>,
    /// Why it cannot be run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A test is about to begin. It is written before anything of the test is done, so that a test that ends the judge is
/// known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Attempt {
    /// The number of the test's game.
    pub game: u32,
}

/// A test is done with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TestResult {
    /// The number of the test's game.
    pub game: u32,
    /// Points given.
    pub points: f64,
    /// Wall seconds taken.
    pub wall: f64,
    /// What an analysis says of the game, if it was lost and one was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub analysis: Option<String>,
    /// Why the judge could not play the test; the attempt does not count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}
