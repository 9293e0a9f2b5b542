//! Classes of Halma players in shell scripts, graded by a small scheme, and what is left of that.

use crate::{Folder, events};
use std::collections::BTreeMap;
use std::path::Path;

/// A shell script as a player's command. `PLAY` in it leaves a legal move, by an agent for Halma.
pub fn script(agent: &str, directory: impl AsRef<Path>, name: &str, lines: &str) -> String {
    directory.write(name, lines.replace("PLAY", &format!("{agent} --depth 1")));
    // The agent is named, so that it is there in the box.
    format!("cmd=sh {} {agent}", directory.as_ref().join(name).display())
}

/// The scheme of four positions and two games against chance, of at most six plies.
pub const SMALL_SCHEME: &str = include_str!("../schemes/small.toml");
/// The option for this scheme.
pub const SMALL: &str = concat!("--scheme=", env!("CARGO_MANIFEST_DIR"), "/schemes/small.toml");

/// The words of a grading of `class`, where `play.sh` runs a submission.
pub fn words(agent: &str, options: &str) -> Vec<String> {
    let mut words: Vec<String> =
        ["grade-all", "--game", "halma", "class", "--cmd"].map(String::from).to_vec();
    words.push(format!("sh play.sh {agent}"));
    words
        .extend(format!("{SMALL} --csv grades.csv {options}").split_whitespace().map(String::from));
    words
}

/// Each submission's row of the grades, without its times.
pub fn grades(place: impl AsRef<Path>) -> BTreeMap<String, Vec<String>> {
    let mut reader = csv::Reader::from_path(place.as_ref().join("grades.csv")).unwrap();
    let rows = reader.records().map(|row| {
        let mut fields: Vec<String> = row.unwrap().iter().map(String::from).collect();
        fields.remove(3);
        (fields.remove(0), fields)
    });
    rows.collect()
}

/// The number of tests that were begun, by game.
pub fn attempts(place: impl AsRef<Path>) -> BTreeMap<u64, usize> {
    let mut count = BTreeMap::new();
    for event in events(place.as_ref().join("grades.jsonl")) {
        if event["event"] == "attempt" {
            *count.entry(event["game"].as_u64().unwrap()).or_default() += 1;
        }
    }
    count
}
