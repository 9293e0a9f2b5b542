//! A program that runs once on an input text and writes files of any name.

use super::crash_reason::crash_reason;
use super::directory::PlayerDirectory;
use super::exit::{CPU_ALLOWANCE, Program, charged, ending, forfeit, job, scarcity, turn};
use super::start::Starter;
use super::untrusted_file::Unreadable;
use crate::terms::Bounds;
use anygame::game::GameFiles;
use anyhow::Result;
use sandbox::job::Job;
use std::path::Path;
use std::time::Duration;

/// A program that runs once on an input text and writes files of any name.
pub struct CasePlayer {
    job: Job,
    starter: Starter,
    directory: PlayerDirectory,
    bounds: Bounds,
}

/// The result of a run of a [`CasePlayer`].
pub struct CaseRun {
    /// CPU time in seconds, of the program and all its descendants.
    pub cpu: f64,
    /// Wall time in seconds.
    pub wall: f64,
    /// The peak memory of the largest process, in bytes; 0 if not measured.
    pub memory: u64,
    /// The run fails regardless of the files that were written.
    pub lost: bool,
    /// The program was ended because it used up its time.
    pub timed_out: bool,
    /// How the program failed; `None` if it exited normally.
    pub fault: Option<String>,
    /// The exit code, unless a signal ended the program.
    pub exit_code: Option<i32>,
    /// Standard output, then standard error, as far as they are kept.
    pub said: String,
}

impl CasePlayer {
    /// A program in an empty directory or a copy of its home.
    pub fn new(program: &Program, files: GameFiles, bounds: &Bounds) -> Result<CasePlayer> {
        let directory = PlayerDirectory::with_files(program.home, bounds, files)?;
        let (job, starter) = (job(program, &directory, bounds)?, Starter::new(program));
        Ok(CasePlayer { job, starter, directory, bounds: bounds.clone() })
    }

    /// See [`PlayerDirectory::lay`].
    pub fn lay(&mut self, name: &str, bytes: Option<Vec<u8>>) {
        self.directory.lay(name, bytes);
    }

    /// Has a script of `sh` start the program, whose command is `"$0" "$@"`.
    pub fn start_by(&mut self, script: String) {
        let shell = ["/bin/sh".to_string(), "-c".to_string(), script];
        self.job.command = [&shell[..], &self.job.command].concat();
    }

    /// Runs the program with this text as its input file.
    pub fn run(&self, input: &str, clock: Duration) -> Result<CaseRun> {
        self.directory.prepare(input)?;
        let job = Job {
            cpu: Some(clock.as_secs_f64() + CPU_ALLOWANCE),
            ..turn(&self.job, &self.bounds, clock)
        };
        let report = self.starter.run(&job, &self.directory, input)?;
        let fault = match ending(&report) {
            _ if forfeit(&report).is_some() => forfeit(&report),
            _ if report.timed_out => {
                let words = scarcity(report.cpu, report.waited)
                    .map_or(String::new(), |words| format!("; {words}"));
                Some(format!("ended after {:.1} s of wall time{words}", report.wall))
            }
            exit => exit.map(|exit| format!("{exit}{}", crash_reason(&report.stderr))),
        };
        let cpu = charged(&report, report.cpu, report.wall);
        let (lost, timed_out) = (forfeit(&report).is_some(), report.timed_out);
        let (exit_code, said) = (report.exit_code, report.stdout + &report.stderr);
        let (wall, memory) = (report.wall, report.peak_memory);
        Ok(CaseRun { cpu, wall, memory, lost, timed_out, fault, exit_code, said })
    }

    /// The names of the files that are in the program's directory, in order.
    pub fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.directory.path()).into_iter().flatten().flatten();
        let mut names: Vec<String> =
            entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// A file that the program wrote, up to `limit` bytes.
    pub fn read(&self, file: &Path, limit: u64) -> std::result::Result<Vec<u8>, Unreadable> {
        self.directory.read_bytes(file, limit)
    }
}
