//! A program that runs once on an input text and writes files of any name.

use super::crash_reason::crash_reason;
use super::directory::PlayerDirectory;
use super::exit::{CPU_ALLOWANCE, Program, charged, ending, forfeit, job, scarcity, turn};
use super::start::Starter;
use super::transcript::Transcript;
use super::untrusted_file::Unreadable;
use crate::terms::Bounds;
use anygame::game::GameFiles;
use anyhow::{Context, Result};
use sandbox::conversation::{Party, converse};
use sandbox::job::{ExitReport, Job};
use sandbox::room;
use std::io;
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

/// The result of a conversation of a program with another one that judges it.
pub struct Talked {
    /// The run of the program.
    pub run: CaseRun,
    /// The run of the one that judges.
    pub of_judge: CaseRun,
    /// Whether the program was the first of them whose output has ended.
    pub is_program_first: bool,
    /// Whether the program wrote more than it may, and was ended.
    pub is_too_long: bool,
    /// What was said, a line for each line, after the name of who said it.
    pub conversation: String,
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
        let job = self.turn(clock);
        self.starter.run(&job, &self.directory, input).map(run_of).map_err(Into::into)
    }

    fn turn(&self, clock: Duration) -> Job {
        let cpu = Some(clock.as_secs_f64() + CPU_ALLOWANCE);
        Job { cpu, ..turn(&self.job, &self.bounds, clock) }
    }

    /// Runs the program while it talks with `judge` on standard input and output, each within its
    /// own time. `limit` is the most bytes that the program may write; `judge` accepts by the exit
    /// code `good`.
    pub fn talk(
        &self,
        clock: Duration,
        (judge, time): (&CasePlayer, Duration),
        limit: u64,
        good: i32,
    ) -> Result<Talked> {
        let mut jobs = [self.turn(clock), judge.turn(time)];
        // It has to wait for the program.
        jobs[1].wall += jobs[0].wall;
        let _place = room::take_for_game(&jobs[0]);
        for job in jobs.iter_mut().filter(|job| job.layers.any()) {
            job.limits.memory = room::memory_of(job.limits.memory, 2);
        }
        let mut talked = None;
        let prepare = || {
            self.directory.prepare("")?;
            judge.directory.prepare("").map(drop)
        };
        prepare()?;
        let run = |job: &Job| {
            let party = |job, player: &CasePlayer, directory| Party {
                job,
                directory,
                owner: player.directory.owner(),
            };
            let directories = [self.directory.path(), judge.directory.path()];
            let parties =
                [party(job, self, &directories[0]), party(&jobs[1], judge, &directories[1])];
            let mut transcript = Transcript::default();
            let ended = converse(parties, limit, good, |at, bytes| transcript.add(at, bytes))?;
            let [report, of_judge] = ended.reports;
            if let Some(why) = of_judge.machine_fault {
                return Err(io::Error::other(why));
            }
            talked = Some((of_judge, ended.is_first_first, ended.is_too_long, transcript));
            Ok(report)
        };
        let report = self.starter.run_by(&jobs[0], &self.directory, prepare, run)?;
        let (of_judge, is_program_first, is_too_long, transcript) =
            talked.context("no conversation")?;
        Ok(Talked {
            run: run_of(report),
            of_judge: run_of(of_judge),
            is_program_first,
            is_too_long,
            conversation: transcript.text(["program", "checker"]),
        })
    }

    /// The names of the files that are in the program's directory, in order.
    pub fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.directory.path()).into_iter().flatten().flatten();
        let mut names: Vec<String> =
            entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// See [`PlayerDirectory::has_read_none`].
    pub fn has_read_none<'n>(&self, names: impl Iterator<Item = &'n str>) -> bool {
        self.directory.has_read_none(names)
    }

    /// A file that the program wrote, up to `limit` bytes.
    pub fn read(&self, file: &Path, limit: u64) -> std::result::Result<Vec<u8>, Unreadable> {
        self.directory.read_bytes(file, limit)
    }
}

fn run_of(report: ExitReport) -> CaseRun {
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
    CaseRun { cpu, wall, memory, lost, timed_out, fault, exit_code, said }
}
