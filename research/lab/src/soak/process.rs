//! Runs the process of an agent on one question, until it exits or is killed.

use anyhow::{Context, Result};
use arena::player::directory::PlayerDirectory;
use arena::player::untrusted_file::Unreadable;
use sandbox::process_tree;
use std::fs::{self, File};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// When the run of an agent's process ends.
#[derive(Clone, Copy, Debug)]
pub(super) enum Until {
    /// When the process exits, or after this wall time.
    Exited(Duration),
    /// When the process exits, or by a kill after this wall time.
    Killed(Duration),
    /// By a kill as soon as there is an output file, or after this wall time.
    FirstOutput(Duration),
}

/// The run of an agent's process.
#[derive(Debug)]
pub(super) struct AgentRun {
    /// CPU time of the process, from `wait4`.
    pub cpu: Duration,
    /// The peak resident memory of the process, in KiB.
    pub peak_kib: u64,
    /// The time when the process was started.
    pub start: Instant,
    /// Wall time until the process ended, or until there was an output file for
    /// [`Until::FirstOutput`].
    pub wall: Duration,
    /// Whether the process exited by itself.
    pub exited: bool,
    /// The exit code of the process, if it exited by itself.
    pub exit_code: Option<i32>,
    /// The output file, `None` if there is none, or what is wrong with it.
    pub output: Result<Option<String>, String>,
    /// The beginning of standard error, for people.
    pub stderr: String,
}

/// Runs the agent on an input.
pub(super) fn run(
    program: &Path,
    arguments: &[String],
    directory: &PlayerDirectory,
    input: &str,
    until: Until,
) -> Result<AgentRun> {
    directory.prepare(input)?;
    let stderr = directory.path().with_file_name("stderr.txt");
    let start = Instant::now();
    // `wait4` returns the CPU time of the process, which `Child` does not offer.
    let child = Command::new(program)
        .args(arguments)
        .current_dir(directory.path())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(File::create(&stderr)?)
        .process_group(0)
        .spawn()
        .with_context(|| format!("{}: cannot be started", program.display()))?;
    let pid = child.id() as i32;
    let mut wall = None;
    let limit = match until {
        Until::Exited(limit) | Until::Killed(limit) => limit.saturating_sub(start.elapsed()),
        Until::FirstOutput(limit) => {
            let output = directory.path().join("output.txt");
            while !output.exists() && start.elapsed() < limit {
                std::hint::spin_loop();
            }
            wall = Some(start.elapsed());
            Duration::ZERO
        }
    };
    let ended = match process_tree::wait_for(pid, limit)? {
        Some(ended) => ended,
        None => {
            process_tree::kill(pid);
            process_tree::wait_for(pid, END_LIMIT)?.context("a killed process does not end")?
        }
    };
    let output = match directory.read_output()? {
        Ok(text) => Ok(Some(text)),
        Err(Unreadable::Missing) => Ok(None),
        Err(Unreadable::Other(reason) | Unreadable::TooLong(reason)) => Err(reason),
    };
    Ok(AgentRun {
        cpu: ended.cpu,
        peak_kib: ended.peak_kib,
        start,
        wall: wall.unwrap_or_else(|| start.elapsed()),
        exited: process_tree::exit_code(ended.status).is_some(),
        exit_code: process_tree::exit_code(ended.status),
        output,
        stderr: String::from_utf8_lossy(&fs::read(stderr)?).chars().take(2_000).collect(),
    })
}

/// The longest time to wait for the end of a killed process.
const END_LIMIT: Duration = Duration::from_secs(60);
