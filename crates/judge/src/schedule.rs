//! Who meets whom, from which opening, with which side: decided by the header alone, so that every run, shard and
//! resumed run has the same games under the same numbers.

use crate::record::Header;
use crate::referee::Opening;
use anyhow::{Context, Result, anyhow, bail};
use engine::Side;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// Who meets whom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    /// Everyone meets everyone
    #[default]
    Roundrobin,
    /// The first engine meets all others
    Gauntlet,
}

/// What games start from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Openings {
    /// The start of the game.
    Start,
    /// So many random plies from the start.
    Random(u32),
    /// The input files of a directory, in the order of their names.
    Directory(PathBuf),
}

impl FromStr for Openings {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Openings> {
        match text.split_once(':') {
            None if text == "start" => Ok(Openings::Start),
            Some(("random", plies)) => match plies.parse() {
                Ok(plies @ 0..=200) => Ok(Openings::Random(plies)),
                _ => bail!("random:N: expected 0 to 200 plies, found '{plies}'"),
            },
            Some(("dir", path)) => Ok(Openings::Directory(std::path::absolute(path)?)),
            _ => bail!("expected start, random:N or dir:DIRECTORY, found '{text}'"),
        }
    }
}

/// A part of a schedule: every N-th pair of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    /// Which part, from 1.
    pub index: u32,
    /// Of how many.
    pub of: u32,
}

impl FromStr for Shard {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Shard> {
        let parts = text.split_once('/').and_then(|(index, of)| Some((index.parse().ok()?, of.parse().ok()?)));
        match parts {
            Some((index, of)) if 1 <= index && index <= of => Ok(Shard { index, of }),
            _ => Err(anyhow!("expected I/N with I from 1 to N, such as 1/4, found '{text}'")),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

/// A game of the schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// Its number, from 1. The two games of a pair are numbered `2 p + 1` and `2 p + 2`.
    pub game: u32,
    /// The pair's turn within its meeting, from 0: the number of its opening.
    pub round: u32,
    /// Indices of the engines, by side.
    pub engines: [usize; 2],
}

impl Slot {
    /// The number of the pair that a game belongs to, from 0.
    pub const fn pair_of(game: u32) -> u32 {
        (game - 1) / 2
    }
}

/// All games of a header's schedule or, if it has a shard, of that part, in the order in which they are played.
/// `first` is the side that moves first.
pub fn slots(header: &Header, first: Side) -> Vec<Slot> {
    let count = header.engines.len();
    let meetings: Vec<(usize, usize)> = match header.shape {
        Shape::Gauntlet => (1..count).map(|other| (0, other)).collect(),
        Shape::Roundrobin => (0..count).flat_map(|one| (one + 1..count).map(move |other| (one, other))).collect(),
    };
    let mut slots = Vec::new();
    let mut pair = 0;
    for round in 0..header.pairs {
        for &(one, other) in &meetings {
            if header.shard.is_none_or(|shard| pair % shard.of == shard.index - 1) {
                let sides = if first == Side::First { [one, other] } else { [other, one] };
                slots.push(Slot { game: 2 * pair + 1, round, engines: sides });
                slots.push(Slot { game: 2 * pair + 2, round, engines: [sides[1], sides[0]] });
            }
            pair += 1;
        }
    }
    slots
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
                let input = engine::files::read_input(&path).with_context(|| path.display().to_string())?;
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
            Openings::Random(plies) => {
                (self.random)(plies, engine::split_mix(self.seed ^ engine::split_mix(round.into())))
            }
            Openings::Directory(_) => Ok(self.files[round as usize % self.files.len()].clone()),
        }
    }
}
