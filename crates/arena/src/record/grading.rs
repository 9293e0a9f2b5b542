//! Lines of a grading's record besides those of games.

use crate::analysis::finding::Finding;
use crate::player::spec::EngineSpec;
use serde::{Deserialize, Serialize};

/// A submission of a class. Its games have the numbers from `(number - 1) * tests + 1`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// The number of the submission in the class, from 1.
    pub number: u32,
    /// The name of the submission, in plain text and unique in the class.
    pub submission: String,
    /// The digest of the submission's files and command.
    pub digest: String,
    /// The player; `None` if the submission cannot be run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<EngineSpec>,
    /// The reason why it cannot be run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A test is about to start: so a test that kills the judge can be identified.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Attempt {
    /// The number of the test's game.
    pub game: u32,
    /// Whether namespaces keep the player from killing the judge.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub walled: bool,
}

/// The analysis of a finished game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameFindings {
    /// The number of the game.
    pub game: u32,
    /// The finding on each move; `None` for moves that were not analysed.
    pub findings: Vec<Option<Finding>>,
}

/// The end of a test.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TestResult {
    /// The number of the test's game.
    pub game: u32,
    /// Points given.
    pub points: f64,
    /// Wall time in seconds.
    pub wall: f64,
    /// The analysis of the game, if it was lost and an analysis was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub analysis: Option<String>,
    /// Why the judge could not play the test. The attempt does not count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The judge itself crashed. The attempt counts, since the player may be the cause.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub panicked: bool,
    /// The results of a program on the cases of a homework, in a form that the grading knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cases: Option<serde_json::Value>,
}
