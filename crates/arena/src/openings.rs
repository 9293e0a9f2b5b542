//! Where games start: random lines, positions from the middle of a game, files.

use crate::random::{self, Purpose};
use crate::terms::{Opening, Openings};
use anyhow::{Context, Result, anyhow, bail};
use engine::search::Knowledge;
use engine::think::{default_knowledge, moves_for_every_grader};
use engine::{Playable, Protocol, RuleSet, Side, Task, TimeControl};
use rand::RngExt;
use rand::seq::IndexedRandom;
use std::path::PathBuf;
use std::time::Duration;

/// A position reached by random moves from the start; none of them disputed, none the last of a game.
pub fn random_opening<A: Playable>(plies: u32, seed: u64) -> Result<Opening> {
    // A line that runs into the end of the game is begun anew.
    for attempt in 0..1_000u64 {
        let mut position = A::start(<A::Rules as RuleSet>::AGENT);
        let mut line = Vec::new();
        let mut random = random::generator(seed, Purpose::Attempt, attempt);
        for _ in 0..plies {
            let moves = moves_for_every_grader(&position);
            let Some(&mv) = moves.choose(&mut random) else { break };
            line.push(position.describe_move(mv));
            position.play(mv);
        }
        if position.outcome().is_none() && line.len() == plies as usize {
            let task = Task { position, control: TimeControl::Game, clock: Duration::from_secs(1) };
            return Ok(Opening { input: A::write_task(&task), line });
        }
    }
    Err(anyhow!("--openings: no random line of {plies} plies leaves a game to play; try fewer"))
}

/// A position from the middle of a game, for grading: `part` of the way, from 0 to 1, through a game in which both sides
/// play at random one time in four and else what looks best one ply ahead.
pub fn middle_position<A: Playable>(part: f64, seed: u64) -> Result<Opening> {
    let mut position = A::start(<A::Rules as RuleSet>::AGENT);
    let knowledge = default_knowledge::<A>();
    let mut reached = Vec::new();
    let mut random = random::generator(seed, Purpose::Position, 0);
    // Games between players this weak may never end; what is of interest comes earlier.
    for _ in 0..MIDDLE_PLIES.min(A::PLY_LIMIT) {
        let moves = moves_for_every_grader(&position);
        let Some(&any) = moves.choose(&mut random) else { break };
        reached.push(position.clone());
        let greedy = || engine::reference::greedy(&position, |position| knowledge.evaluate(position)).best;
        let mv = if random.random_ratio(1, 4) { any } else { greedy().unwrap_or(any) };
        position.play(mv);
    }
    // One ply more or less, so that not always the same side is to move.
    let index = (part.clamp(0.0, 1.0) * reached.len() as f64) as usize + usize::from(random.random::<bool>());
    let last = reached.len().saturating_sub(1);
    let index = index.min(last);
    let position = reached.into_iter().nth(index).ok_or_else(|| anyhow!("a game without a move"))?;
    let task = Task { position, control: TimeControl::Game, clock: Duration::from_secs(1) };
    Ok(Opening { input: A::write_task(&task), line: vec![format!("a game of chance, after {index} plies")] })
}

const MIDDLE_PLIES: u32 = 100;

/// The side that moves first from the start.
pub fn first_mover<A: Protocol>() -> Side {
    A::start(<A::Rules as RuleSet>::JUDGE).side_to_move()
}

/// The openings of a schedule.
pub struct Book {
    openings: Openings,
    files: Vec<Opening>,
    seed: u64,
    random: fn(u32, u64) -> Result<Opening>,
}

impl Book {
    /// Reads what has to be read. `random` makes a random opening of the game.
    pub fn open(openings: &Openings, seed: u64, random: fn(u32, u64) -> Result<Opening>) -> Result<Book> {
        let mut files = Vec::new();
        if let Openings::Directory(directory) = openings {
            let name = directory.display();
            let mut paths: Vec<PathBuf> = std::fs::read_dir(directory)
                .and_then(|entries| entries.map(|entry| entry.map(|entry| entry.path())).collect())
                .with_context(|| format!("--openings: {name}: cannot be listed"))?;
            paths.retain(|path| path.extension().is_some_and(|extension| extension == "txt"));
            paths.sort();
            for path in paths {
                let input = files::read_input(&path).with_context(|| path.display().to_string())?;
                let line = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
                files.push(Opening { input, line: line.into_iter().collect() });
            }
            if files.is_empty() {
                bail!("--openings: {name}: no input files (*.txt)");
            }
        }
        Ok(Book { openings: openings.clone(), files, seed, random })
    }

    /// The opening of a round.
    pub fn opening(&self, round: u32) -> Result<Opening> {
        match self.openings {
            Openings::Start => (self.random)(0, 0),
            Openings::Random(plies) => (self.random)(plies, random::derived(self.seed, Purpose::Opening, round)),
            Openings::Directory(_) => Ok(self.files[round as usize % self.files.len()].clone()),
        }
    }
}
