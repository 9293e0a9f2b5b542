//! Runs the judge's commands as processes, asks what is installed, and reads records. Whoever uses this file has a
//! function `judge`.

use super::judge;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Runs the judge with words as a shell would split them, and expects its exit code.
#[track_caller]
pub(crate) fn run(directory: &Path, words: &[&str], code: i32) -> Output {
    let output = judge(directory).args(words).output().unwrap();
    assert_eq!(output.status.code(), Some(code), "{words:?}\n{}{}", text(&output.stdout), text(&output.stderr));
    output
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Whether a program is there and says its version.
pub(crate) fn works(program: &str) -> bool {
    let version = if program.starts_with("java") { "-version" } else { "--version" };
    Command::new(program).arg(version).output().is_ok_and(|output| output.status.success())
}

/// Fails where a program that the test needs does not work.
#[track_caller]
pub(crate) fn needs(program: &str) {
    assert!(works(program), "this test needs {program}: install it");
}

/// The files of a directory that are left, for tests that nothing is.
pub(crate) fn files(directory: &Path) -> Vec<PathBuf> {
    fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect()
}

/// The lines of a record.
pub(crate) fn events(record: &Path) -> Vec<Value> {
    fs::read_to_string(record).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The ends of the games of a record, in the order of their numbers.
pub(crate) fn ends(record: &Path) -> Vec<Value> {
    let mut ends: Vec<Value> = events(record).into_iter().filter(|event| event["event"] == "end").collect();
    ends.sort_by_key(|end| end["game"].as_u64());
    ends
}
