//! Shared parts of the tests: they run the commands of this crate, and programs of students against them.

use std::path::Path;
use std::process::{Command, Output};

/// The commands of this crate, as they are in the judge, run in a directory: `examples/submissions.rs`.
pub(crate) fn judge(directory: &Path) -> Command {
    let mut command = Command::new(testing::example(env!("CARGO_PKG_NAME"), "submissions"));
    command.current_dir(directory);
    command
}

/// Runs a command in a directory, and expects its exit code.
#[track_caller]
pub(crate) fn run(directory: &Path, words: &[&str], code: i32) -> Output {
    testing::run(&mut judge(directory), words, code)
}

/// Takes a source in, into `class`.
#[track_caller]
pub(crate) fn intake(place: &Path, source: &str, options: &[&str], code: i32) -> Output {
    testing::intake::intake(&mut judge(place), source, options, code)
}
