//! A program that is run once on a text and leaves files, whatever their names.

use super::directory::PlayerDirectory;
use super::exit::{NO_SUPERVISOR, ending, job, last_words};
use crate::terms::Bounds;
use anyhow::{Context, Result, bail};
use std::path::Path;
use std::time::Duration;
use system::supervise::run_job;

/// A program that is run once on a text and leaves files, whatever their names.
pub struct CasePlayer {
    command: Vec<String>,
    directory: PlayerDirectory,
    bounds: Bounds,
}

/// The outcome of a run of a [`CasePlayer`].
pub struct CaseRun {
    /// CPU seconds of the program and all processes that it started.
    pub cpu: f64,
    /// How the program ended, if not well.
    pub fault: Option<String>,
}

impl CasePlayer {
    /// A program with an empty directory, or one with a copy of `home`.
    pub fn new(command: &[String], home: Option<&Path>, bounds: Bounds) -> Result<CasePlayer> {
        Ok(CasePlayer {
            command: command.to_vec(),
            directory: PlayerDirectory::new(home, bounds.disk_mib << 20)?,
            bounds,
        })
    }

    /// Runs the program with `input.txt` in its directory.
    pub fn run(&self, input: &str, clock: Duration) -> Result<CaseRun> {
        self.directory.prepare(input)?;
        let report = run_job(&job(&self.command, &self.directory, &self.bounds, clock)).context(NO_SUPERVISOR)?;
        if let Some(reason) = report.not_started {
            bail!(reason);
        }
        let fault = match ending(&report) {
            _ if report.timed_out => Some(format!("ended after {:.1} s of wall time", report.wall)),
            how => how.map(|how| format!("{how}{}", last_words(&report.stderr))),
        };
        Ok(CaseRun { cpu: report.cpu, fault })
    }

    /// The names of the files that are in the program's directory, in order.
    pub fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.directory.path()).into_iter().flatten().flatten();
        let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// A file that the program left, up to `limit` bytes of it, or what is wrong with it.
    pub fn read(&self, file: &Path, limit: u64) -> std::result::Result<String, String> {
        self.directory.read(file, limit)
    }
}
