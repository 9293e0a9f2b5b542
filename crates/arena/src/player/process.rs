//! A player that is a process: it reads `input.txt` from its directory and writes `output.txt`
//! there.

use super::crash_reason::{crash_reason, shortened};
use super::directory::{Found, PlayerDirectory};
use super::exit::{CPU_ALLOWANCE, Program, charged, ending, forfeit, job, scarcity, turn};
use super::kept::KeptFiles;
use super::start::Starter;
use super::untrusted_file::Unreadable;
use super::{Player, SHORTENED, Traces, Turn};
use crate::result::{Exit, Fault, Reason, Termination};
use crate::terms::Bounds;
use anygame::AnyTask;
use anygame::game::GameFiles;
use anyhow::{Context, Result};
use engine::score::WIN;
use engine::{TimeControl, Violation};
use sandbox::job::{ExitReport, Job};
use std::path::Path;
use std::time::Duration;

/// A process player and its directory, which is removed with it.
pub struct ProcessPlayer {
    job: Job,
    starter: Starter,
    directory: PlayerDirectory,
    bounds: Bounds,
    /// CPU seconds beyond its clock that are forgiven.
    margin: f64,
    /// Seconds of all turns in which it neither used a processor nor waited for one.
    idle: f64,
    turns: u32,
    /// CPU seconds of the game's clock, or of all moves' clocks together.
    clocks: f64,
    kept: KeptFiles,
}

impl ProcessPlayer {
    /// A player in an empty directory or a copy of the program's home. `margin` is forgiven beyond
    /// the clock, in CPU seconds; `seed` is that of Python's hashes, unless the limits name one.
    pub fn new(
        program: &Program,
        files: GameFiles,
        margin: f64,
        bounds: &Bounds,
        seed: u64,
    ) -> Result<ProcessPlayer> {
        let directory = PlayerDirectory::with_files(program.home, bounds, files)?;
        let (mut job, starter) = (job(program, &directory, bounds)?, Starter::new(program));
        add_hash_seed(&mut job, seed);
        let (bounds, kept) = (bounds.clone(), KeptFiles::default());
        let (idle, turns, clocks) = (0.0, 0, 0.0);
        Ok(ProcessPlayer { job, starter, directory, bounds, margin, idle, turns, clocks, kept })
    }

    /// Puts files into the player's directory, by their paths in it.
    pub fn put(&self, files: &[(String, Vec<u8>)]) -> Result<()> {
        files.iter().try_for_each(|(name, bytes)| self.directory.put(name, bytes))
    }

    /// Copies the player's directory to a new place, with an input file.
    pub fn copy_to(&self, place: &Path, input: &str) -> Result<()> {
        self.directory.copy_to(place)?;
        let file = place.join(self.directory.files().input);
        std::fs::write(&file, input).with_context(|| file.display().to_string())
    }
}

/// With a seed a set of Python has the same order in each turn, and when the turn is run again.
const HASH_SEED: &str = "PYTHONHASHSEED";

pub(super) fn add_hash_seed(job: &mut Job, seed: u64) {
    if !job.environment.iter().any(|(name, _)| name == HASH_SEED) {
        job.environment.push((HASH_SEED.to_string(), u32::from(seed as u16).to_string()));
    }
}

impl Player for ProcessPlayer {
    fn turn(&mut self, task: &AnyTask) -> Result<Turn> {
        let input = task.input()?;
        let found = self.directory.prepare(&input)?;
        if found == Found::DiskFull {
            return Ok(Turn::lost(Fault::new(Termination::DiskQuota, "filled the disk")));
        }
        let files = self.kept.before_turn(&self.directory.path(), self.directory.files());
        let cpu = task.clock.as_secs_f64() + self.margin + CPU_ALLOWANCE;
        let job = Job { cpu: Some(cpu), ..turn(&self.job, &self.bounds, task.clock) };
        let report = self.starter.run(&job, &self.directory, &input)?;
        let output = self.directory.read_output()?;
        let (score, depth) = search_figures(&report.stderr);
        let mut traces = Traces {
            output: output.as_ref().ok().map(|text| shorten(text)),
            stdout: report.stdout.clone(),
            stderr: report.stderr.clone(),
            score,
            depth,
            note: None,
            scarcity: scarcity(report.cpu, report.waited),
            waited: report.waited,
            files,
        };
        let (ending, mut notes) = (ending(&report), Vec::new());
        let file = self.directory.files().output;
        let fault = |termination, reason: Reason| Err(Fault::new(termination, reason));
        let answer = match (forfeit(&report), output) {
            (Some(reason), _) => fault(Termination::Crash, reason.into()),
            _ if report.timed_out => {
                fault(Termination::Stall, too_long(&report, traces.scarcity.as_deref()))
            }
            (None, Ok(text)) => match task.position.read_move(&text)? {
                Ok(mv) => {
                    notes.extend(ending.map(|how| format!("{how}, with a legal move left")));
                    Ok(mv)
                }
                Err(violation) => Err(refusal(file, violation, text, ending)),
            },
            (None, Err(Unreadable::Missing)) => match ending {
                Some(exit) => {
                    let last_words = crash_reason(&report.stderr);
                    fault(Termination::Crash, Reason::Exit(exit, last_words))
                }
                None => fault(Termination::NoOutput, Reason::NoFile(file)),
            },
            (None, Err(Unreadable::Other(reason) | Unreadable::TooLong(reason))) => {
                fault(Termination::BadFormat, format!("{file} {reason}").into())
            }
        };
        let answer = quota_fault(&self.directory).map_or(answer, Err);
        let answer = match self.idle_too_long(&report, task) {
            Some(reason) if !report.timed_out => answer.and(fault(Termination::Stall, reason)),
            _ => answer,
        };
        if report.left_behind > 0 {
            notes.push(format!("left {} processes behind, which were ended", report.left_behind));
        }
        if !report.refused_calls.is_empty() {
            notes.push(format!(
                "tried system calls that the box does not have: {}",
                report.refused_calls.join(", ")
            ));
        }
        if let Found::Spoilt(how) = found {
            notes.push(format!("its directory was spoilt and begun anew ({how})"));
        }
        traces.note = (!notes.is_empty()).then(|| notes.join("; "));
        if answer.is_ok() {
            for stream in [&mut traces.stdout, &mut traces.stderr] {
                *stream = shortened(std::mem::take(stream), self.bounds.keep);
            }
        }
        let cpu = charged(&report, report.cpu, report.wall);
        let [cpu, wall] = [cpu, report.wall].map(Duration::from_secs_f64);
        Ok(Turn { answer, cpu, wall, traces })
    }
}

fn too_long(report: &ExitReport, scarcity: Option<&str>) -> Reason {
    let (asleep, &ExitReport { wall, cpu, waited, .. }) = (idle(report), report);
    let slept = asleep > (wall - waited) / 2.0;
    let why = match scarcity {
        _ if slept => format!("; it slept for {asleep:.1} s"),
        Some(words) => format!("; {words}"),
        None => String::new(),
    };
    let words =
        format!("no answer within {wall:.1} s of wall time, ended ({cpu:.2} s of CPU used{why})");
    Reason::Stall { slept, words }
}

fn idle(report: &ExitReport) -> f64 {
    (report.wall - report.cpu - report.waited).max(0.0)
}

impl ProcessPlayer {
    /// Counts a turn, and returns the reason if the program has slept longer in this game than it
    /// may: the game's clock or the moves' clocks so far, the margin, and a tenth of the margin for
    /// each turn.
    fn idle_too_long(&mut self, report: &ExitReport, task: &AnyTask) -> Option<Reason> {
        self.idle += idle(report);
        self.turns += 1;
        let clock = task.clock.as_secs_f64();
        self.clocks = match task.control {
            TimeControl::Game => self.clocks.max(clock),
            TimeControl::Single => self.clocks + clock,
        };
        let allowed =
            self.clocks + self.bounds.wall_margin * (1.0 + PART_OF_A_TURN * f64::from(self.turns));
        (self.idle > allowed).then(|| {
            let words = format!(
                "slept for {:.1} s in {} turns, {allowed:.1} s are allowed: it neither used a processor nor waited for one \
                 (this turn: {:.1} s of wall time, {:.2} s of CPU)",
                self.idle, self.turns, report.wall, report.cpu
            );
            Reason::Stall { slept: true, words }
        })
    }
}

/// The part of the margin that each turn adds.
const PART_OF_A_TURN: f64 = 0.1;

pub(super) fn quota_fault(directory: &PlayerDirectory) -> Option<Fault> {
    directory.over_quota().map(|reason| Fault::new(Termination::DiskQuota, reason))
}

/// The fault of an unreadable move: a crash if the player crashed as well.
pub(super) fn refusal(
    file: &'static str,
    violation: Violation,
    text: String,
    exit: Option<Exit>,
) -> Fault {
    let termination = match violation {
        _ if exit.is_some() => Termination::Crash,
        Violation::Format { .. } => Termination::BadFormat,
        Violation::Illegal(_) => Termination::IllegalMove,
    };
    Fault::new(termination, Reason::NoMove { file, violation, text, exit })
}

/// The score and the depth in the last line `depth N score S ...` of an agent's output.
pub(super) fn search_figures(stderr: &str) -> (Option<i32>, Option<u32>) {
    let Some(line) = stderr.lines().rev().find(|line| line.starts_with("depth ")) else {
        return (None, None);
    };
    let words: Vec<&str> = line.split_whitespace().collect();
    let depth = words.get(1).and_then(|word| word.parse().ok());
    let number = |word: &str| word.parse::<i32>().ok();
    let score = match words.get(3..) {
        Some(["win", "in", plies, ..]) => number(plies).map(|plies| WIN.saturating_sub(plies)),
        Some(["loss", "in", plies, ..]) => number(plies).map(|plies| plies.saturating_sub(WIN)),
        Some([points, ..]) => number(points),
        _ => None,
    };
    (score, depth)
}

pub(super) fn shorten(text: &str) -> String {
    const MOST: usize = 2_000;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}{SHORTENED}", &text[..end]),
        None => text.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_of_a_search_are_read_from_its_last_line() {
        for (text, figures) in [
            ("depth 3 score +12\nnoise\ndepth 4 score -7 nodes 9\n", (Some(-7), Some(4))),
            ("depth 9 score win in 5 (proven) nodes 1", (Some(WIN - 5), Some(9))),
            ("depth 9 score loss in 4 nodes 1", (Some(4 - WIN), Some(9))),
            ("depth x score", (None, None)),
            ("nothing", (None, None)),
        ] {
            assert_eq!(search_figures(text), figures);
        }
    }
}
