//! Where games start: random lines, positions from the middle of a game, files.

use crate::random::{self, Purpose};
use crate::terms::{Opening, Openings};
use anygame::position::ANY_CLOCK;
use anygame::{AnyGame, Position};
use anyhow::{Context, Result, anyhow, bail};
use engine::TimeControl;
use rand::RngExt;
use std::path::PathBuf;

/// A position after undisputed random moves from the start of the game with this number, before the
/// end of a game.
pub fn random_opening(game: &AnyGame, plies: u32, seed: u64, number: u64) -> Result<Opening> {
    // A line that runs into the end of the game is begun anew.
    for attempt in 0..1_000u64 {
        let mut position = game.rules.start_of(Some(game.agent_rules), number)?;
        let mut line = Vec::new();
        let mut random = random::generator(seed, Purpose::Attempt, attempt);
        while line.len() < plies as usize || position.is_second_half() {
            let Some(mv) = position.choose_move(&mut |count| any(count, &mut random))? else {
                break;
            };
            position = position.clone().play(mv.code)?;
            line.push(mv.described);
        }
        if position.outcome().is_none() && line.len() >= plies as usize {
            return Ok(Opening { line, ..stored(&position)? });
        }
    }
    Err(anyhow!("--openings: no random line of {plies} plies leaves a game to play; try fewer"))
}

/// An index below a number, or 0: the choice that rand makes among a slice, on which records and
/// gradings depend.
pub(crate) fn any(count: usize, random: &mut impl RngExt) -> usize {
    if count == 0 { 0 } else { random.random_range(..count) }
}

/// A position `part` of the way, from 0 to 1, through a game in which both sides play at random one
/// time in four, and else what looks best one ply ahead.
pub fn middle_position(game: &AnyGame, part: f64, seed: u64) -> Result<Opening> {
    let number = random::derived(seed, Purpose::Position, 1u32);
    let mut position = game.rules.start_of(Some(game.agent_rules), number)?;
    let mut reached = Vec::new();
    let mut random = random::generator(seed, Purpose::Position, 0);
    // Games between players this weak may never end; what is of interest comes earlier.
    for _ in 0..MIDDLE_PLIES.min(game.ply_limit) {
        let Some(any) = position.choose_move(&mut |count| any(count, &mut random))? else { break };
        let mv = if random.random_ratio(1, 4) {
            any.code
        } else {
            position.greedy()?.unwrap_or(any.code)
        };
        let next = position.clone().play(mv)?;
        reached.push(std::mem::replace(&mut position, next));
    }
    // One ply more or less, so that not always the same side is to move.
    let index = (part.clamp(0.0, 1.0) * reached.len() as f64) as usize
        + usize::from(random.random::<bool>());
    let index = index.min(reached.len().saturating_sub(1));
    let position = reached.get(index).ok_or_else(|| anyhow!("a game without a move"))?;
    let line = vec![format!("a game of chance, after {index} plies")];
    Ok(Opening { line, ..stored(position)? })
}

pub(crate) fn stored(position: &Position) -> Result<Opening> {
    Ok(Opening { input: position.stored(TimeControl::Game, ANY_CLOCK)?, line: Vec::new() })
}

const MIDDLE_PLIES: u32 = 100;

/// The openings of a schedule.
pub struct Book {
    openings: Openings,
    files: Vec<Opening>,
    seed: u64,
    game: AnyGame,
}

impl Book {
    /// Reads what has to be read.
    pub fn open(game: &AnyGame, openings: &Openings, seed: u64) -> Result<Book> {
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
        Ok(Book { openings: openings.clone(), files, seed, game: *game })
    }

    /// The opening of a round.
    pub fn opening(&self, round: u32) -> Result<Opening> {
        let seed = random::derived(self.seed, Purpose::Opening, round);
        match self.openings {
            Openings::Start => random_opening(&self.game, 0, seed, seed),
            Openings::Random(plies) => random_opening(&self.game, plies, seed, seed),
            Openings::Directory(_) => Ok(self.files[round as usize % self.files.len()].clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::seq::IndexedRandom;

    #[test]
    fn an_index_is_the_choice_of_a_slice() {
        let [mut one, mut other] = [1, 1].map(|seed| random::generator(seed, Purpose::Opening, 0));
        for count in [1, 2, 7, 20, 1_000] {
            let slice: Vec<usize> = (0..count).collect();
            assert_eq!(Some(&any(count, &mut one)), slice.choose(&mut other), "{count}");
        }
        assert_eq!(any(0, &mut one), 0);
    }
}
