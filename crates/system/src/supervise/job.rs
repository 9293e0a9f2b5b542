//! What a supervisor is asked to do, and what it reports.

use crate::sandbox::walls::Walls;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// One run of a program.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// Program and arguments.
    pub command: Vec<String>,
    /// The directory that the program runs in.
    pub directory: PathBuf,
    /// Seconds of wall time after which the program and all its descendants are ended.
    pub wall: f64,
    /// What the program may take.
    pub limits: Limits,
    /// How many bytes of standard output and of standard error to keep.
    pub keep: usize,
    /// The value of [`MARK`] in the environment of the program, by which its processes are known should the supervisor be
    /// gone. A box needs none.
    pub mark: String,
    /// The walls to build.
    pub walls: Walls,
    /// Files and directories that are there to be read, beside the system's own.
    pub shown: Vec<PathBuf>,
    /// A place for temporary files, where the box has none of its own.
    pub temporary: Option<PathBuf>,
    /// Environment variables beside those that every box has. Without walls the judge's own environment is inherited.
    pub environment: Vec<(String, String)>,
    /// The user and group that the program runs as, if not the judge's own.
    pub identity: Option<u32>,
    /// A port of the box's own loopback device: a listener on it is handed to the judge before the program starts.
    pub port: Option<u16>,
}

/// What a program with all its descendants may take. Memory, disk and processes are of the whole box where there are
/// walls, and memory of each process in any case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Memory, in bytes.
    pub memory: u64,
    /// The size of a file, in bytes.
    pub file_size: u64,
    /// The space that its directory may take on the disk, in bytes, and its private temporary files once more.
    pub disk: u64,
    /// Processes and threads at a time.
    pub processes: u64,
}

/// The variable in a program's environment that names its run.
pub const MARK: &str = "JUDGE_TURN";

/// How the run of a program went.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ExitReport {
    /// The program could not be started; why.
    pub not_started: Option<String>,
    /// The exit code, if the program left by itself.
    pub exit_code: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// It was ended at the wall limit.
    pub timed_out: bool,
    /// It took more than it may, and was ended: the reason in words.
    pub excess: Option<String>,
    /// CPU time of the program and all its descendants, in seconds.
    pub cpu: f64,
    /// Wall time until the program itself ended, in seconds.
    pub wall: f64,
    /// Processes that it left behind, which were ended.
    pub left_behind: usize,
    /// The supervision ended before it could report, or its report is not to be trusted.
    pub orphaned: bool,
    /// Standard output, shortened.
    pub stdout: String,
    /// Standard error, shortened.
    pub stderr: String,
}
