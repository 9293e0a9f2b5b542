//! Runs `judge intake` in a directory, and reads the files that it leaves.

use crate::run;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// Takes a source in by the judge, into `class` in its directory.
#[track_caller]
pub fn intake(judge: &mut Command, source: &str, options: &[&str], code: i32) -> Output {
    run(judge, &[&["intake", source, "--game", "halma", "--out", "class"], options].concat(), code)
}

/// A submission's file, as a table.
pub fn submission(place: &Path, folder: &str) -> toml::Table {
    let path = place.join("class").join(folder).join("submission.toml");
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())).parse().unwrap()
}

/// The remarks on a submission in an intake's report.
pub fn said(submission: &toml::Table) -> String {
    ["mended", "needs", "remarks"]
        .iter()
        .filter_map(|key| submission.get(*key))
        .map(|value| value.to_string())
        .collect()
}

/// When each submission was written.
pub fn modified(place: &Path) -> BTreeMap<String, std::time::SystemTime> {
    fs::read_dir(place.join("class"))
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.path().is_dir())
        .map(|entry| {
            let time = fs::metadata(entry.path().join("submission.toml")).unwrap().modified().unwrap();
            (entry.file_name().into_string().unwrap(), time)
        })
        .collect()
}

/// A program that leaves a legal first move.
pub const FIRST: &[u8] = b"open('output.txt', 'w').write('E 14,11 13,10\\n')\n";

/// The students of an intake with their states, and what is said of them.
pub fn states(place: &Path) -> BTreeMap<String, (String, String)> {
    modified(place)
        .into_keys()
        .map(|folder| {
            let found = submission(place, &folder);
            let name = found["student"].as_str().unwrap().to_string();
            (name, (found["state"].as_str().unwrap().to_string(), said(&found)))
        })
        .collect()
}
