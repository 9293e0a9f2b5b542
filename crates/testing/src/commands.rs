//! Commands that run to their end.

use std::process::{Command, Output};

/// Runs a command with these words after its own, and expects its exit code.
#[track_caller]
pub fn run(command: &mut Command, words: &[&str], code: i32) -> Output {
    let output = command.args(words).output().unwrap();
    assert_eq!(output.status.code(), Some(code), "{words:?}\n{}{}", text(&output.stdout), text(&output.stderr));
    output
}

/// A text for messages and comparisons.
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
