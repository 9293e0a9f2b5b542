//! Shared parts of the tests: they run the commands of this crate, and players against them.

use std::path::Path;
use std::process::{Command, Output};
use testing::gradings;

/// The commands of this crate, as they are in the judge, run in a directory: `examples/grader.rs`.
pub(crate) fn judge(directory: &Path) -> Command {
    let mut command = Command::new(testing::example(env!("CARGO_PKG_NAME"), "grader"));
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

/// The path of an agent for Halma.
pub(crate) fn agent() -> String {
    testing::example(env!("CARGO_PKG_NAME"), "player")
}

/// A shell script as a player's command, see `testing::gradings`.
pub(crate) fn script(directory: &Path, name: &str, lines: &str) -> String {
    gradings::script(&agent(), directory, name, lines)
}

/// Adds a student whose program is a script to `class`.
pub(crate) fn student(place: &Path, name: &str, lines: &str) {
    gradings::student(&agent(), place, name, lines);
}

/// The words of a grading of `class`, where `play.sh` runs a submission.
pub(crate) fn words(options: &str) -> Vec<String> {
    gradings::words(&agent(), options)
}

/// Grades `class`.
#[track_caller]
pub(crate) fn grade(place: &Path, options: &str, code: i32) -> Output {
    gradings::grade(&mut judge(place), &agent(), options, code)
}
