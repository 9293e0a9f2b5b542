//! Supervision of programs on systems without a box: Windows and macOS. The program runs with all rights of the judge.
//! When it ends, exceeds a limit or runs out of time, all that it has started is killed as far as the system knows it.
//!
//! `windows` and `unix` have a `Tree` each: a program and its descendants. Windows has job objects, which count, limit
//! and kill every descendant, and which the system kills with the judge. macOS has process groups and what `wait4` returns.
//! The module for Unix uses nothing that Linux lacks, so that the tests of this crate run it.

pub(crate) mod absent;
pub mod disk;
pub mod supervise;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
use unix::Tree;
#[cfg(windows)]
use windows::Tree;

use crate::job::Job;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// How a program ended.
#[derive(Clone, Copy, Debug, Default)]
struct Ending {
    exit_code: Option<i32>,
    signal: Option<i32>,
}

/// The command of a job, with its streams piped.
fn command(job: &Job) -> Command {
    let mut command = Command::new(program(&job.command[0], &job.directory));
    command.args(&job.command[1..]).current_dir(&job.directory);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// The path of a program that a relative path names, as seen from the directory that it runs in. Systems differ in what
/// such a path is relative to.
fn program(name: &str, directory: &Path) -> PathBuf {
    if Path::new(name).is_relative() && Path::new(name).components().count() > 1 {
        for ending in ["", std::env::consts::EXE_SUFFIX] {
            let path = directory.join(format!("{name}{ending}"));
            if path.is_file() {
                return path;
            }
        }
    }
    PathBuf::from(name)
}
