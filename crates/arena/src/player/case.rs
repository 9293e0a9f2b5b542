//! A program that is run once on a text and leaves files, whatever their names.

use super::directory::PlayerDirectory;
use super::exit::{NO_SUPERVISOR, Program, ending, forfeit, job, turn};
use super::words::last_words;
use crate::terms::Bounds;
use anyhow::{Context, Result, bail};
use std::path::Path;
use std::time::Duration;
use system::supervise::{Job, run_job};

/// A program that is run once on a text and leaves files, whatever their names.
pub struct CasePlayer {
    job: Job,
    directory: PlayerDirectory,
    bounds: Bounds,
}

/// The outcome of a run of a [`CasePlayer`].
pub struct CaseRun {
    /// CPU seconds of the program and all processes that it started.
    pub cpu: f64,
    /// The run is lost, whatever was left.
    pub lost: bool,
    /// How the program ended, if not well.
    pub fault: Option<String>,
    /// What it printed: standard output, then standard error, as many bytes of each as are kept.
    pub said: String,
}

impl CasePlayer {
    /// A program with an empty directory, or one with a copy of `home`.
    pub fn new(program: &Program, bounds: &Bounds) -> Result<CasePlayer> {
        let directory = PlayerDirectory::new(program.home, bounds)?;
        Ok(CasePlayer { job: job(program, &directory, bounds)?, directory, bounds: bounds.clone() })
    }

    /// Runs the program with `input.txt` in its directory.
    pub fn run(&self, input: &str, clock: Duration) -> Result<CaseRun> {
        self.directory.prepare(input)?;
        let report = run_job(&turn(&self.job, &self.bounds, clock)).context(NO_SUPERVISOR)?;
        if let Some(reason) = report.not_started {
            bail!(reason);
        }
        let fault = match ending(&report) {
            _ if forfeit(&report).is_some() => forfeit(&report),
            _ if report.timed_out => Some(format!("ended after {:.1} s of wall time", report.wall)),
            how => how.map(|how| format!("{how}{}", last_words(&report.stderr))),
        };
        let cpu = if report.orphaned { report.cpu.max(report.wall) } else { report.cpu };
        Ok(CaseRun { cpu, lost: forfeit(&report).is_some(), fault, said: report.stdout + &report.stderr })
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
