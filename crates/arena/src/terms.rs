//! Terms of games: clocks, move limits, openings, pairings, and limits of player processes.

use anygame::{AnyGame, AnyTask};
use anyhow::{Result, anyhow, bail};
use engine::Side;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// The result of a game that reaches its move limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum LimitRule {
    /// A draw
    #[default]
    Draw,
    /// The side with more CPU time left wins
    Time,
}

/// The position from which a game starts.
#[derive(Clone, Debug, PartialEq)]
pub struct Opening {
    /// As [`AnyPosition::stored`](anygame::AnyPosition::stored) writes it. A clock in it is
    /// ignored.
    pub input: String,
    /// The moves that led to the position, in readable notation.
    pub line: Vec<String>,
}

impl Opening {
    /// The side to move.
    ///
    /// # Errors
    /// The opening cannot be read.
    pub fn side_to_move(&self, game: &AnyGame) -> Result<Side> {
        Ok(restored(game, &self.input, None)?.position.side_to_move())
    }
}

/// The task of an opening, whose input is [stored](Opening::input).
pub fn restored(game: &AnyGame, input: &str, rules: Option<&str>) -> Result<AnyTask> {
    game.rules.restore(input, rules)?.map_err(|error| anyhow!("the opening, line {error}"))
}

/// The pairings of a tournament.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    /// Everyone meets everyone
    #[default]
    Roundrobin,
    /// The first engine meets all others
    Gauntlet,
    /// In rounds; those with the same number of points meet
    Swiss,
}

/// The openings of games.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Openings {
    /// The start of the game.
    #[default]
    Start,
    /// This number of random plies from the start.
    Random(u32),
    /// The input files of a directory, sorted by name.
    Directory(PathBuf),
}

impl Openings {
    /// The usual openings. Programs for a game in a folder may count moves in files, and have to
    /// see the start.
    pub fn usual(game: &AnyGame) -> Openings {
        if game.is_own() { Openings::Start } else { Openings::Random(4) }
    }
}

impl fmt::Display for Openings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Openings::Start => f.write_str("start"),
            Openings::Random(plies) => write!(f, "random:{plies}"),
            Openings::Directory(path) => write!(f, "dir:{}", path.display()),
        }
    }
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
    /// The number of this part, from 1.
    pub index: u32,
    /// The number of parts.
    pub of: u32,
}

impl FromStr for Shard {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Shard> {
        let parts = text
            .split_once('/')
            .and_then(|(index, of)| Some((index.parse().ok()?, of.parse().ok()?)));
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

/// The required sandbox layers around player processes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Sandbox {
    /// All sandbox layers that this machine allows, with a warning for each missing one
    #[default]
    Auto,
    /// As auto, but refuse to start without namespaces and counted CPU time
    Required,
    /// No sandbox: for your own programs
    Off,
}

/// The limits of each player process.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Bounds {
    /// Seconds of wall time beyond the clock until the process is killed.
    pub wall_margin: f64,
    /// MiB of all its processes together, and of each one's data.
    pub memory_mib: u64,
    /// The largest file size, in MiB.
    pub file_mib: u64,
    /// The disk space of all its files, in MiB.
    pub disk_mib: u64,
    /// How many bytes of each of its output streams are kept for each turn.
    pub keep: usize,
    /// The most processes and threads at a time.
    pub processes: u64,
    /// The sandbox layers around it.
    pub sandbox: Sandbox,
    /// What it may read besides the system's files and those of its command.
    pub read_only: Vec<PathBuf>,
    /// More environment variables: `NAME` with the judge's value, or `NAME=VALUE`.
    pub env: Vec<String>,
    /// A virtual environment of Python, whose programs come first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub venv: Option<PathBuf>,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds {
            wall_margin: 10.0,
            memory_mib: 4096,
            file_mib: 64,
            disk_mib: 1024,
            keep: 2048,
            processes: 256,
            sandbox: Sandbox::default(),
            read_only: Vec::new(),
            env: Vec::new(),
            venv: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_and_shards_are_read_as_they_are_written_and_nonsense_is_refused() {
        for text in ["start", "random:0", "random:200", "dir:/late"] {
            assert_eq!(text.parse::<Openings>().unwrap().to_string(), text);
        }
        for text in ["", "Start", "start:1", "random", "random:201", "random:-1", "random:x"] {
            assert!(text.parse::<Openings>().is_err(), "{text}");
        }
        for text in ["1/1", "1/4", "4/4"] {
            assert_eq!(text.parse::<Shard>().unwrap().to_string(), text);
        }
        assert_eq!("2/5".parse::<Shard>().unwrap(), Shard { index: 2, of: 5 });
        for text in ["", "1", "0/1", "5/4", "0/0", "a/2", "1/b", "1/2/3"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }

    #[test]
    fn games_start_after_random_moves_and_an_opening_knows_who_is_to_move() {
        let game = AnyGame::of::<squirrels::Position>();
        assert_eq!(Openings::usual(&game), Openings::Random(4));
        for (plies, side) in [(0, Side::First), (1, Side::Second), (2, Side::First)] {
            let opening = crate::openings::random_opening(&game, plies, 1, 1).unwrap();
            assert_eq!(opening.side_to_move(&game).unwrap(), side);
        }
        let broken = Opening { input: "GAME\nX\nx\n".to_string(), line: Vec::new() };
        let error = broken.side_to_move(&game).unwrap_err().to_string();
        assert!(error.starts_with("the opening, line 3"), "{error}");
    }
}
