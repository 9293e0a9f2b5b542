//! What shows a game in a folder where its rules are not there.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A position as its rules showed it when a game was played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecordedPosition {
    /// The state.
    pub state: String,
    /// The answer to `view`.
    pub view: Value,
    /// The answer to `draw`, if the rules draw boards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<Value>,
    /// The checksum of the input file with one second on both clocks, in hexadecimal digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
}
