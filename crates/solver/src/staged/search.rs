//! The run of a staged proof: level of effort by level of effort, with lines of progress and a file of all that is
//! known, until the goals are won, nothing is left to try, time is up, or ^C is pressed.

use super::known::Known;
use super::stage::Effort;
use super::stages::{Answer, Progress, Stages};
use crate::interrupt;
use anyhow::Result;
use clock::cpu::process_time;
use foxgeese::board::Board;
use std::path::Path;
use std::time::{Duration, Instant};

/// The wall time between two lines of progress.
const PROGRESS_EVERY: Duration = Duration::from_secs(10);

/// The settings of a search.
pub(crate) struct Settings<'a> {
    /// The file to write all that is known to, if any.
    pub file: Option<&'a Path>,
    /// The wall time between two writes of the file.
    pub write_every: Duration,
    /// The CPU seconds after which the search stops, if it is limited.
    pub seconds: Option<u64>,
    /// The number of levels of effort; what fails at one is tried again at the next.
    pub levels: u8,
    /// Returns the efforts that a stage is tried with at a level, one after the other.
    pub efforts: &'a dyn Fn(u8) -> Vec<Effort>,
    /// Reports that no win was found at a level from a goal.
    pub given_up: &'a dyn Fn(u8, Board),
}

/// The result of a search.
pub(crate) struct Outcome {
    /// The results of all positions so far.
    pub known: Known,
    /// The number of goals that are won.
    pub won: usize,
    /// The boards that the open stages begin with, if the search was stopped.
    pub line: Vec<Board>,
}

/// Looks for wins of the flock, who is to move, from every goal.
///
/// # Errors
/// The file cannot be written; then the search stops.
pub(crate) fn search(known: Known, goals: &[Board], settings: &Settings<'_>) -> Result<Outcome> {
    let (mut reported, mut written) = (Instant::now(), Instant::now());
    let mut failed = None;
    let mut line = Vec::new();
    let mut go_on = |known: &Known, progress: &dyn Fn() -> Progress| {
        if reported.elapsed() > PROGRESS_EVERY {
            reported = Instant::now();
            eprintln!("{:.0} s of CPU: {}", process_time().as_secs_f64(), progress());
        }
        if let Some(path) = settings.file
            && written.elapsed() > settings.write_every
        {
            written = Instant::now();
            failed = known.write(path).err();
        }
        let late = settings.seconds.is_some_and(|seconds| process_time().as_secs() >= seconds);
        let go_on = !late && failed.is_none() && !interrupt::requested();
        if !go_on {
            line = progress().line;
        }
        go_on
    };
    let mut stages = Stages::new(known, settings.efforts, &mut go_on);
    let won = prove_all(&mut stages, goals, settings);
    let known = stages.known;
    if let Some(path) = settings.file {
        known.write(path)?;
    }
    failed.map_or(Ok(Outcome { known, won, line }), Err)
}

/// Tries all goals at one level after the other; returns the number of goals won.
fn prove_all(stages: &mut Stages<'_>, goals: &[Board], settings: &Settings<'_>) -> usize {
    let mut won = 0;
    for level in 0..settings.levels {
        won = 0;
        for &goal in goals {
            match stages.prove(goal, level) {
                Answer::Won => won += 1,
                Answer::GivenUp => (settings.given_up)(level, goal),
                Answer::Stopped => return won,
            }
        }
        if won == goals.len() {
            break;
        }
    }
    won
}
