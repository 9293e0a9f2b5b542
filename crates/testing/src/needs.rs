//! What a test needs of the machine.

use crate::text;
use std::process::Command;

/// Whether a program is there and says its version.
pub fn works(program: &str) -> bool {
    let version = if program.starts_with("java") { "-version" } else { "--version" };
    Command::new(program).arg(version).output().is_ok_and(|output| output.status.success())
}

/// Fails where a program that the test needs does not work.
#[track_caller]
pub fn needs(program: &str) {
    assert!(works(program), "this test needs {program}: install it");
}

/// Whether root runs the tests.
pub fn is_root() -> bool {
    text(&Command::new("id").arg("-u").output().unwrap().stdout).trim() == "0"
}

/// Fails where the tests are not run by root: for tests that `make test` leaves out.
#[track_caller]
pub fn needs_root() {
    assert!(is_root(), "only root can run this test");
}
