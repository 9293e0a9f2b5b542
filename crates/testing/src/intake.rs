//! Runs `judge intake` in a directory, and reads the files that it leaves.

use crate::{Folder, Printed, Words, run};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

/// The lines of a shell script that is an interpreter of Python 2, as far as anybody asks.
pub const PYTHON_2: &str = "[ \"$1\" = --version ] && echo Python 2.7.18 && exit\n\
                            exec /usr/bin/python3 \"$@\"\n";

/// Takes a source in by the judge, into `class` in its directory.
#[track_caller]
pub fn intake(judge: &mut Command, source: &str, options: impl Words, code: i32) -> Printed {
    run(judge.args(["intake", source, "--game", "halma", "--out", "class"]), options, code)
}

/// A submission's file, as a table.
pub fn submission(place: impl AsRef<Path>, folder: &str) -> toml::Table {
    place.read(format!("class/{folder}/submission.toml")).parse().unwrap()
}

/// The remarks on a submission in an intake's report, and where its feedback goes.
pub fn said(submission: &toml::Table) -> String {
    ["mended", "needs", "remarks", "feedback"]
        .iter()
        .filter_map(|key| submission.get(*key))
        .map(|value| value.to_string())
        .collect()
}

/// When each submission was written.
pub fn modified(place: impl AsRef<Path>) -> BTreeMap<String, std::time::SystemTime> {
    let folders = place.as_ref().join("class").entries().into_iter().filter(|entry| entry.is_dir());
    let time =
        |folder: &Path| fs::metadata(folder.join("submission.toml")).unwrap().modified().unwrap();
    folders
        .map(|folder| (folder.file_name().unwrap().to_str().unwrap().to_string(), time(&folder)))
        .collect()
}

/// A program that leaves a legal first move.
pub const FIRST: &[u8] = b"open('output.txt', 'w').write('E 14,11 13,10\\n')\n";

/// The students of an intake with their states, and what is said of them.
pub fn states(place: impl AsRef<Path>) -> BTreeMap<String, (String, String)> {
    modified(&place)
        .into_keys()
        .map(|folder| {
            let found = submission(&place, &folder);
            let name = found["student"].as_str().unwrap().to_string();
            (name, (found["state"].as_str().unwrap().to_string(), said(&found)))
        })
        .collect()
}
