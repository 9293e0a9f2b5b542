//! Shared parts of the tests: they run the real program on a real socket.

#[path = "../../../intake/tests/common/archive.rs"]
mod archive;
#[path = "../../../http-server/tests/common/server.rs"]
mod server;

pub(crate) use archive::zip;
pub(crate) use server::Serving;

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
    let output = league(directory).args(words).output().unwrap();
    assert_eq!(output.status.code(), Some(code), "{words:?}\n{}{}", text(&output.stdout), text(&output.stderr));
    output
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Fails where the tests are not run by root.
#[track_caller]
pub(crate) fn needs_root() {
    let is_root = text(&Command::new("id").arg("-u").output().unwrap().stdout).trim() == "0";
    assert!(is_root, "only root can run this test: run it as root, or leave it out with --skip");
}

/// Fails where players get no namespaces of their own.
#[track_caller]
pub(crate) fn needs_namespaces() {
    let words = ["--user", "--map-root-user", "--mount", "--pid", "--net", "--fork", "true"];
    let are_there = Command::new("unshare").args(words).status().is_ok_and(|status| status.success());
    assert!(are_there, "this test needs namespaces, see `judge sandbox`; leave it out with --skip");
}
