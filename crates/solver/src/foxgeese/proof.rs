//! The search for the strategy as it is called: level by level, with a file of all that is known, ended by ^C.

use super::file;
use super::known::Known;
use super::stage::Effort;
use super::stages::{Answer, Progress, Stages};
use crate::interrupt;
use anyhow::{Context, Result};
use foxgeese::Position;
use foxgeese::board::Board;
use foxgeese::rules::GEESE;
use std::path::Path;
use std::time::{Duration, Instant};
use system::cpu::process_time;

/// The wall time between two lines of progress.
const TOLD_EVERY: Duration = Duration::from_secs(10);

/// The wall time between two writings of the file.
const WRITTEN_EVERY: Duration = Duration::from_secs(120);

/// The levels of effort; what fails at one is tried again at the next.
const LEVELS: u8 = 8;

fn env(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// The efforts that a stage is tried with at a level, one after the other.
pub(crate) fn efforts(level: u8) -> Vec<Effort> {
    let more = usize::from(level);
    let first = Effort {
        nodes: env("NODES", 1_000) << (2 * level),
        front: env("FRONT", 8) as usize + 2 * more,
        waiting: env("WAITING", 1) as usize + more,
        losses: 0,
        plies: 60,
        level,
    };
    vec![first, Effort { losses: 2, ..first }]
}

/// The outcome of a search.
pub(crate) struct Found {
    /// Whether the start is proven.
    pub won: bool,
    /// All that is known.
    pub known: Known,
}

/// Looks for a win of the geese from a board, level by level, for at most `seconds` of CPU time; what is known is read
/// from the file, if one is given, and written to it.
///
/// # Errors
/// The file cannot be read or written.
pub(crate) fn search(start: Board, path: Option<&Path>, seconds: Option<u64>) -> Result<Found> {
    interrupt::catch()?;
    let known = match path.filter(|path| path.exists()) {
        Some(path) => file::read(path)?,
        None => Known::default(),
    };
    eprintln!("{} won positions known, {} boards given up", known.wins.len(), known.dead.len());
    let (mut told, mut written) = (Instant::now(), Instant::now());
    let mut failed = None;
    let mut line = Vec::new();
    let mut tell = |known: &Known, progress: &dyn Fn() -> Progress| {
        if told.elapsed() > TOLD_EVERY {
            told = Instant::now();
            eprintln!("{:.0} s of CPU: {}", process_time().as_secs_f64(), progress());
        }
        if let Some(path) = path
            && written.elapsed() > WRITTEN_EVERY
        {
            written = Instant::now();
            failed = file::write(path, known).err();
        }
        let late = seconds.is_some_and(|seconds| process_time().as_secs() >= seconds);
        let go_on = !late && failed.is_none() && !interrupt::asked();
        if !go_on {
            line = progress().line;
        }
        go_on
    };
    let mut stages = Stages::new(known, &efforts, &mut tell);
    let mut won = false;
    for level in env("LEVEL", 0) as u8..LEVELS {
        match stages.prove(start, level) {
            Answer::Won => won = true,
            Answer::GivenUp => {
                eprintln!("{:.0} s of CPU: no win found at level {level}", process_time().as_secs_f64());
                continue;
            }
            Answer::Stopped => {}
        }
        break;
    }
    let known = stages.known;
    if let Some(path) = path {
        file::write(path, &known).context("at the end")?;
    }
    for board in line {
        eprintln!("{}", Position::lettered(board, GEESE, 0).plain_picture());
    }
    failed.map_or(Ok(Found { won, known }), Err)
}
