//! Folders that tests look into, and programs in them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The files of a directory that are left, for tests that nothing is.
pub fn files(directory: &Path) -> Vec<PathBuf> {
    fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect()
}

/// Copies a program by a process of its own: what this process has open for writing is open in the children that other
/// tests start as well, until each begins its own program, and could not be run as long.
#[track_caller]
pub fn copy_program(program: &str, copy: &Path) {
    assert!(Command::new("cp").arg(program).arg(copy).status().unwrap().success(), "{program} is not copied");
}
