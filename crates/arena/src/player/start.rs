//! The start of a player's program: retried if the machine failed, and else blamed on somebody.

use super::blame::{Blame, NoTurn, patiently};
use super::directory::PlayerDirectory;
use super::exit::{MUCH_OF_A_PROCESSOR, NO_SUPERVISOR, Program};
use super::scratch::trial_directory;
use super::spec::PlayerKind;
use crate::plain;
use clock::lock;
use sandbox::cpu_supply::SupplyWatch;
use sandbox::job::{ExitReport, Job};
use sandbox::room::run_job;
use sandbox::system;
use sandbox::{TRIAL, room};
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// The failures of an otherwise idle machine that count as the program's.
const FAULTS_ALONE: u32 = 3;
/// The failed starts that count as the program's, where other programs can be started.
const REFUSALS: u32 = 2;
const NAMED: usize = 8;

/// The result of one attempt to start a program.
pub enum StartAttempt<T> {
    /// The program was started.
    Begun(T),
    /// The program could not be started; the reason.
    Refused(String),
    /// The program could not be supervised; the reason.
    Failed(String),
}

/// A player's program, and what is known about its starts.
pub struct Starter {
    program: String,
    /// In the player's own directory, or chosen by the player.
    is_own: bool,
    name: Name,
}

/// Command and copied directory: equal in all games of a player.
type Name = (Vec<String>, Option<PathBuf>);

fn name_of(program: &Program) -> Name {
    (program.command.to_vec(), program.home.map(Path::to_owned))
}

/// What this process, or the run that it resumes, has started.
static STARTED: Mutex<BTreeSet<Name>> = Mutex::new(BTreeSet::new());

/// Notes that an earlier run has started a player's program.
pub fn was_started(kind: &PlayerKind) {
    if let Some(program) = kind.program() {
        lock(&STARTED).insert(name_of(&program));
    }
}

pub(super) fn not_begun<T>(report: &mut ExitReport) -> Option<StartAttempt<T>> {
    let failed = report.machine_fault.take().map(StartAttempt::Failed);
    failed.or_else(|| report.not_started.take().map(StartAttempt::Refused))
}

impl Starter {
    /// The start of a program.
    pub fn new(program: &Program) -> Starter {
        let first = program.command.first().cloned().unwrap_or_default();
        // Relative paths elsewhere have been made absolute.
        let in_own_directory =
            program.home.is_some() && system::is_path(&first) && Path::new(&first).is_relative();
        Starter {
            is_own: program.own_command || in_own_directory,
            program: first,
            name: name_of(program),
        }
    }

    /// Runs the program to its end. If the machine fails, the run is repeated with this input while
    /// no other program of this judge runs; a machine that is idle else and fails again and again
    /// is made to by the program, which then has exceeded what it may use.
    pub fn run(
        &self,
        job: &Job,
        directory: &PlayerDirectory,
        input: &str,
    ) -> Result<ExitReport, NoTurn> {
        let prepare = || directory.prepare(input).map(drop);
        self.run_by(job, directory, prepare, run_job)
    }

    /// As [`Starter::run`], with what prepares a run that is repeated, and with what runs the job.
    pub(super) fn run_by(
        &self,
        job: &Job,
        directory: &PlayerDirectory,
        prepare: impl Fn() -> anyhow::Result<()>,
        mut run: impl FnMut(&Job) -> io::Result<ExitReport>,
    ) -> Result<ExitReport, NoTurn> {
        let (mut runs, mut faults_alone) = (0, 0);
        self.start(job, directory, || {
            if runs > 0
                && let Err(error) = prepare()
            {
                return Ok(StartAttempt::Failed(format!("{error:#}")));
            }
            let is_alone = runs > 0;
            runs += 1;
            let supply = is_alone.then(SupplyWatch::begin);
            let mut report = if is_alone { room::alone(|| run(job))? } else { run(job)? };
            let had_its_share =
                supply.is_some_and(|watch| watch.supply().share >= MUCH_OF_A_PROCESSOR);
            faults_alone += u32::from(report.machine_fault.is_some() && had_its_share);
            if faults_alone == FAULTS_ALONE
                && let Some(reason) = &report.machine_fault
            {
                report.excess = Some(format!(
                    "{reason}; so it did {FAULTS_ALONE} times while nothing else was run"
                ));
                report.machine_fault = None;
            }
            Ok(not_begun(&mut report).unwrap_or(StartAttempt::Begun(report)))
        })
    }

    /// Starts the program, again for a while if the machine fails or starts no other program
    /// either.
    pub fn start<T>(
        &self,
        job: &Job,
        directory: &PlayerDirectory,
        mut attempt: impl FnMut() -> io::Result<StartAttempt<T>>,
    ) -> Result<T, NoTurn> {
        let mut refusals = 0;
        patiently(|| {
            loop {
                match attempt() {
                    Ok(StartAttempt::Begun(begun)) => {
                        lock(&STARTED).insert(self.name.clone());
                        return Ok(Ok(begun));
                    }
                    Ok(StartAttempt::Refused(reason)) if others_can_be_started(job) => {
                        refusals += 1;
                        if refusals == REFUSALS {
                            return Ok(Err(self.refused(&reason, job, directory)));
                        }
                    }
                    Ok(StartAttempt::Refused(reason) | StartAttempt::Failed(reason)) => {
                        return Err(reason);
                    }
                    Err(error) => return Err(format!("{NO_SUPERVISOR}: {error}")),
                }
            }
        })?
    }

    fn refused(&self, reason: &str, job: &Job, directory: &PlayerDirectory) -> NoTurn {
        let before = lock(&STARTED).contains(&self.name);
        let since = if before { "; it could be started before" } else { "" };
        let can_be_players = self.is_own || before && !job.layers.namespaces;
        if can_be_players {
            let held = if self.is_own { held(&directory.path()) } else { String::new() };
            let reason = format!("its program cannot be started: {reason}{since}{held}");
            return NoTurn { blame: Blame::Player, reason };
        }
        let remedy = if before {
            "no player in a box can change that: see what has become of it, then go on with --resume"
        } else {
            "see that the command names a program that can be executed"
        };
        let program = &self.program;
        NoTurn { blame: Blame::Command, reason: format!("{program}: {reason}{since}; {remedy}") }
    }
}

fn others_can_be_started(job: &Job) -> bool {
    let own = std::env::current_exe().ok().filter(|own| own.is_file());
    // The executable has no path if a new build has replaced it.
    let own = own.unwrap_or_else(|| PathBuf::from("/bin/sh"));
    let Ok(place) = trial_directory() else { return false };
    let mut other = Job {
        command: vec![own.to_string_lossy().into_owned(), TRIAL.to_string()],
        directory: place.path().join("player"),
        wall: 10.0,
        keep: 0,
        port: None,
        temporary: None,
        ..job.clone()
    };
    other.shown.push(own);
    run_job(&other).is_ok_and(|report| report.not_started.is_none())
}

/// The files in a player's directory, as the last part of a reason.
fn held(directory: &Path) -> String {
    let Ok(entries) = fs::read_dir(directory) else { return String::new() };
    let mut entries = entries.flatten();
    let named = |entry: fs::DirEntry| {
        // Links are not followed.
        let mode = entry.metadata().map_or(0, |data| system::mode(&data) & 0o7777);
        format!("{} {mode:03o}", plain::name(&entry.file_name()))
    };
    let mut files: Vec<String> = entries.by_ref().take(NAMED).map(named).collect();
    let more = entries.count();
    files.sort();
    if more > 0 {
        files.push(format!("{more} more"));
    }
    format!("; its directory holds {}", files.join(", "))
}
