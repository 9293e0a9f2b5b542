//! The process of an agent that is asked a question, from its start to its end, natural or not.

use anyhow::{Context, Result};
use arena::player::directory::PlayerDirectory;
use arena::player::left::Unreadable;
use std::fs::{self, File};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use system::process_tree;

/// The moment at which the agent's process is ended.
#[derive(Clone, Copy, Debug)]
pub(super) enum Until {
    /// When it is done, or after this wall time.
    Done(Duration),
    /// Killed after this wall time, if it is not done before.
    Killed(Duration),
    /// Killed as soon as there is an output file, or after this wall time.
    FirstOutput(Duration),
}

/// The run of a process, from its start to its end.
#[derive(Debug)]
pub(super) struct Run {
    /// CPU time of the process, from `wait4`.
    pub cpu: Duration,
    /// The most memory it had resident, in KiB.
    pub peak_kib: u64,
    /// When the process was started.
    pub start: Instant,
    /// Wall time until it ended, or until there was an output file for [`Until::FirstOutput`].
    pub wall: Duration,
    /// Whether the process left by itself.
    pub left: bool,
    /// The exit code of the process, if it left by itself.
    pub exit_code: Option<i32>,
    /// The output file, `None` if there is none, or what is wrong with it.
    pub output: Result<Option<String>, String>,
    /// Standard error, for people.
    pub stderr: String,
}

/// Runs the agent on an input.
pub(super) fn run(
    program: &Path,
    arguments: &[String],
    directory: &PlayerDirectory,
    input: &str,
    until: Until,
) -> Result<Run> {
    directory.prepare(input)?;
    let told = directory.path().with_file_name("stderr.txt");
    let start = Instant::now();
    // The process is waited for by its id, with its CPU time, which `Child` has no call for.
    let child = Command::new(program)
        .args(arguments)
        .current_dir(directory.path())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(File::create(&told)?)
        .process_group(0)
        .spawn()
        .with_context(|| format!("{}: cannot be started", program.display()))?;
    let pid = child.id() as i32;
    let mut wall = None;
    let limit = match until {
        Until::Done(limit) | Until::Killed(limit) => limit.saturating_sub(start.elapsed()),
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
    let output = match directory.read_output() {
        Ok(text) => Ok(Some(text)),
        Err(Unreadable::Missing) => Ok(None),
        Err(Unreadable::Other(reason)) => Err(reason),
    };
    Ok(Run {
        cpu: ended.cpu,
        peak_kib: ended.peak_kib,
        start,
        wall: wall.unwrap_or_else(|| start.elapsed()),
        left: process_tree::exit_code(ended.status).is_some(),
        exit_code: process_tree::exit_code(ended.status),
        output,
        stderr: String::from_utf8_lossy(&fs::read(told)?).chars().take(2_000).collect(),
    })
}

/// The time for a killed process to end; it is gone long before.
const END_LIMIT: Duration = Duration::from_secs(60);
