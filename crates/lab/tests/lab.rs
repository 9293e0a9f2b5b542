//! Tests of the program `lab`.

mod fingerprint;
mod fit_curve;
mod learning;
mod puzzles;
mod soak;
mod term;

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// An agent of the workspace, beside `lab`. `cargo test` of the whole workspace builds it; that of `lab` alone does not.
fn agent(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_BIN_EXE_lab")).with_file_name(name);
    if !path.is_file() {
        let built = Command::new(env!("CARGO")).args(["build", "-p", name]).output().unwrap();
        assert!(built.status.success(), "{}", text(&built.stderr));
    }
    path
}

/// The lines of a record.
fn events(record: &Path) -> Vec<Value> {
    fs::read_to_string(record).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Runs `lab` in a directory, and expects its exit code.
#[track_caller]
fn run(directory: &Path, words: &[&str], code: i32) -> Output {
    let output = Command::new(env!("CARGO_BIN_EXE_lab")).current_dir(directory).args(words).output().unwrap();
    assert_eq!(output.status.code(), Some(code), "{words:?}\n{}{}", text(&output.stdout), text(&output.stderr));
    output
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
