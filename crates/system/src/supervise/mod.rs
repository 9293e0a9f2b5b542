//! Runs of programs under supervision: a small process of our own around each of them ends the program and all its
//! descendants at a deadline, adds up their CPU time, and reports.

mod supervisor;

pub use supervisor::run;

use crate::process_tree::kill_marked;
use serde::{Deserialize, Serialize};
use std::io::{self, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Instant;

/// One run of a program.
#[derive(Debug, Serialize, Deserialize)]
pub struct Job {
    /// Program and arguments.
    pub command: Vec<String>,
    /// The directory that the program runs in.
    pub directory: PathBuf,
    /// Seconds of wall time after which the program and all its descendants are ended.
    pub wall: f64,
    /// Limits of each process: data memory and size of a file, in bytes.
    pub limits: (u64, u64),
    /// How many bytes of standard output and of standard error to keep.
    pub keep: usize,
    /// The value of [`MARK`] in the environment of the program, by which its processes are known should the supervisor be
    /// gone.
    pub mark: String,
}

/// The variable in a program's environment that names its run.
pub const MARK: &str = "JUDGE_TURN";

/// How the run of a program went.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ExitReport {
    /// The program could not be started; why.
    pub not_started: Option<String>,
    /// The exit code, if the program left by itself.
    pub exit_code: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// It was ended at the wall limit.
    pub timed_out: bool,
    /// CPU time of the program and all its descendants, in seconds.
    pub cpu: f64,
    /// Wall time until the program itself ended, in seconds.
    pub wall: f64,
    /// Processes that it left behind, which were ended.
    pub left_behind: usize,
    /// The supervisor was ended before it could report.
    #[serde(default)]
    pub orphaned: bool,
    /// Standard output, shortened.
    pub stdout: String,
    /// Standard error, shortened.
    pub stderr: String,
}

/// The word by which [`run_job`] starts its own program anew as a supervisor; the program answers the word with
/// [`run`].
pub const SUPERVISE: &str = "supervise";

/// No report of a supervisor is nearly as long, in bytes.
const REPORT_LIMIT: u64 = 1 << 28;

/// Has a supervisor do a job. An error means that there is no supervisor to be had.
pub fn run_job(job: &Job) -> io::Result<ExitReport> {
    // This name stays right when the own file is replaced by a new build while it runs.
    let mut supervisor = Command::new("/proc/self/exe")
        .arg(SUPERVISE)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .process_group(0)
        .spawn()?;
    let (Some(mut jobs), Some(reports)) = (supervisor.stdin.take(), supervisor.stdout.take()) else {
        return Err(io::Error::other("the supervisor of a program has no pipes"));
    };
    let mut line = serde_json::to_string(job)?;
    line.push('\n');
    let start = Instant::now();
    jobs.write_all(line.as_bytes())?;
    let mut text = Vec::new();
    reports.take(REPORT_LIMIT).read_to_end(&mut text)?;
    drop(jobs);
    supervisor.wait()?;
    Ok(serde_json::from_slice(&text).unwrap_or_else(|_| {
        // Only the program's processes can have ended the supervisor, or the system for want of memory.
        kill_marked(&format!("{MARK}={}", job.mark));
        let signal = Some(nix::sys::signal::Signal::SIGKILL as i32);
        ExitReport { signal, wall: start.elapsed().as_secs_f64(), orphaned: true, ..ExitReport::default() }
    }))
}
