//! Shared parts of the tests: they run the real program on a real socket.

use std::path::Path;
use std::process::{Command, Output};

/// The program, run in a directory.
pub(crate) fn league(directory: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_league"));
    command.current_dir(directory);
    command
}

/// Runs the program, and expects its exit code.
#[track_caller]
pub(crate) fn run(directory: &Path, words: &[&str], code: i32) -> Output {
    testing::run(&mut league(directory), words, code)
}

/// Fails where players get no namespaces of their own.
#[track_caller]
pub(crate) fn needs_namespaces() {
    let words = ["--user", "--map-root-user", "--mount", "--pid", "--net", "--fork", "true"];
    let are_there = Command::new("unshare").args(words).status().is_ok_and(|status| status.success());
    assert!(are_there, "this test needs namespaces, see `judge sandbox`; leave it out with --skip");
}
