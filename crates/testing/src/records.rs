//! Records of games.

use serde_json::Value;
use std::fs;
use std::path::Path;

/// The lines of a record.
pub fn events(record: impl AsRef<Path>) -> Vec<Value> {
    fs::read_to_string(record)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The ends of the games of a record, in the order of their numbers.
pub fn ends(record: impl AsRef<Path>) -> Vec<Value> {
    let mut ends: Vec<Value> =
        events(record).into_iter().filter(|event| event["event"] == "end").collect();
    ends.sort_by_key(|end| end["game"].as_u64());
    ends
}
