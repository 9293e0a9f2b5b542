//! The record of a match or tournament: JSON lines, appended as things happen. The file is the result and the state: a
//! run that was interrupted goes on from it.

mod grading;
mod recorder;
#[cfg(test)]
mod tests;

pub use grading::{Attempt, Entry, TestResult};
pub use recorder::Recorder;

use crate::adjudication::Adjudication;
use crate::analysis::finding::Finding;
use crate::player::spec::EngineSpec;
use crate::result::Termination;
use crate::terms::{Bounds, LimitRule, Openings, Shape, Shard};
use anyhow::{Context, Result, anyhow, bail};
use engine::score::WIN;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The version of the form of the file, and of what a seed stands for. Files of version 1 have other words and another
/// scale of scores; a seed of version 1 or 2 stood for other openings.
pub const VERSION: u32 = 3;

/// The first line: everything that a run needs to know.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// See [`VERSION`].
    pub version: u32,
    /// The game's name.
    pub game: String,
    /// The rule set to refuse by; the judge's own unless given.
    pub rules: Option<String>,
    /// The players. In a monitor's own record it is one engine without a name, for all agents that come in.
    pub engines: Vec<EngineSpec>,
    /// The pairings of the players.
    pub shape: Shape,
    /// Pairs of games for each meeting.
    pub pairs: u32,
    /// The openings of the games.
    pub openings: Openings,
    /// The seed of openings and random players.
    pub seed: u64,
    /// The move limit of a game, in plies.
    pub max_plies: u32,
    /// The result of a game that reaches its move limit.
    pub at_limit: LimitRule,
    /// The limits of the players' processes.
    pub bounds: Bounds,
    /// The part of the schedule that this file is for.
    pub shard: Option<Shard>,
    /// The rounds of a Swiss tournament.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u32>,
    /// When games are ended before their end.
    #[serde(default, skip_serializing_if = "Adjudication::is_none")]
    pub adjudication: Adjudication,
}

/// A line of the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "lowercase")]
pub enum Event {
    /// The first line.
    Header(Header),
    /// A game begins.
    Start(Start),
    /// A move was made.
    #[serde(alias = "play")]
    Move(MoveRecord),
    /// A game is over.
    End(End),
    /// A submission of a class that is graded.
    Entry(Entry),
    /// A test of a grading is about to begin.
    Attempt(Attempt),
    /// A test of a grading is done with.
    Result(TestResult),
}

/// A game begins. Arrays of two are by side, in the order of the game's side words.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Start {
    /// The number of the game in the schedule, from 1.
    pub game: u32,
    /// The names of the players.
    pub players: [String; 2],
    /// The input file of the first turn; its clock is the first mover's.
    pub opening: String,
    /// The moves that led from the start to there, for people.
    pub line: Vec<String>,
    /// The walls that stood around player processes, and how their CPU time and memory were counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub walls: Option<String>,
}

/// A move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MoveRecord {
    /// The game's number.
    pub game: u32,
    /// The number of the move, from 0 at the opening's position.
    pub ply: u32,
    /// The word for the side that played.
    pub side: String,
    /// The move for people.
    #[serde(rename = "move", alias = "play")]
    pub mv: String,
    /// The move as an output file.
    pub output: String,
    /// CPU seconds charged.
    pub cpu: f64,
    /// Wall seconds taken.
    pub wall: f64,
    /// CPU seconds left on the clock, for game clocks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left: Option<f64>,
    /// The search's score for the side that played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<i32>,
    /// The search's depth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Standard output, shortened.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub stdout: String,
    /// Standard error, shortened.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub stderr: String,
    /// Something odd that costs nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// What an analysis found of the move, in a record that `judge analyse` has written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub analysis: Option<Box<Finding>>,
}

/// A game is over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct End {
    /// The game's number.
    pub game: u32,
    /// The names of the players.
    pub players: [String; 2],
    /// The index of the winner in `players`; none for a draw.
    pub winner: Option<usize>,
    /// In games that count points, the first side's less the second's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<i32>,
    /// The word for how it ended.
    pub termination: Termination,
    /// The reason on one line.
    pub reason: String,
    /// Moves made after the opening.
    pub plies: u32,
    /// CPU seconds used.
    pub cpu: [f64; 2],
    /// The last board, for people; with a fault, the fault has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board: Option<String>,
    /// What the losing player did, if it lost by a fault of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<FaultRecord>,
}

/// The evidence of a fault.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FaultRecord {
    /// The index of the player.
    pub player: usize,
    /// The input file that it was given.
    pub input: String,
    /// The board, for people.
    pub board: String,
    /// The output file of the player, if it left one.
    pub output: Option<String>,
    /// The legal moves of the position, for people, up to [`MOST_LEGAL`].
    pub legal: Vec<String>,
    /// The number of legal moves.
    pub legal_count: usize,
    /// The player's standard output, shortened.
    pub stdout: String,
    /// The player's standard error, shortened.
    pub stderr: String,
    /// CPU seconds of the turn.
    pub cpu: f64,
    /// Wall seconds of the turn.
    pub wall: f64,
}

/// The most legal moves that are kept as evidence.
pub const MOST_LEGAL: usize = 60;

/// Everything in a file: the header and each game that is over, by number.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The first line.
    pub header: Header,
    /// Games that are over.
    pub games: BTreeMap<u32, GameRecord>,
    /// Games that were begun and are not over, with their last start and moves.
    pub open: BTreeMap<u32, (Start, Vec<MoveRecord>)>,
}

/// A game from beginning to end.
#[derive(Clone, Debug, PartialEq)]
pub struct GameRecord {
    /// The beginning of the game.
    pub start: Start,
    /// The moves of the game.
    pub moves: Vec<MoveRecord>,
    /// The end of the game.
    pub end: End,
}

/// In records of version 1 a win in no plies scores this, and what lies within 1,500 of it is a win or a loss.
const WIN_OF_VERSION_1: i32 = 32_000;

/// Puts the scores of a line of version 1 on today's scale.
fn of_version_1(event: &mut Event) {
    if let Event::Move(MoveRecord { score: Some(score), .. }) = event
        && (WIN_OF_VERSION_1 - 1_500 + 1..=WIN_OF_VERSION_1).contains(&score.abs())
    {
        *score += score.signum() * (WIN - WIN_OF_VERSION_1);
    }
}

impl Record {
    /// Reads a file. A last line without its end, left by a run that was killed, is passed over.
    pub fn read(path: &Path) -> Result<Record> {
        let mut text = String::new();
        let name = path.display();
        let file = File::open(path).with_context(|| format!("{name}: cannot be opened"))?;
        std::io::BufReader::new(file).read_to_string(&mut text).with_context(|| format!("{name}: cannot be read"))?;
        Record::parse(&text).with_context(|| name.to_string())
    }

    /// Reads the text of a file.
    pub fn parse(text: &str) -> Result<Record> {
        let (first, events) = read_lines(text);
        let header = match serde_json::from_str(first) {
            Ok(Event::Header(header)) if (1..=VERSION).contains(&header.version) => header,
            Ok(Event::Header(header)) => bail!("line 1: expected version 1 to {VERSION}, found {}", header.version),
            Ok(_) => bail!("line 1: expected the header of a record of games"),
            Err(error) => bail!("line 1: expected the header of a record of games, found: {error}"),
        };
        let is_of_version_1 = header.version == 1;
        let header = Header { version: header.version.max(2), ..header };
        let mut record = Record { header, games: BTreeMap::new(), open: BTreeMap::new() };
        for line in events {
            let (number, mut event) = line?;
            if is_of_version_1 {
                of_version_1(&mut event);
            }
            record.add(event).with_context(|| format!("line {number}"))?;
        }
        record.name_those_who_came();
        Ok(record)
    }

    /// Checks that a run can go on from this record.
    ///
    /// # Errors
    /// For records of earlier versions, whose seeds stood for other openings than they do now.
    pub fn check_resumable(&self) -> Result<()> {
        if self.header.version < VERSION {
            bail!(
                "a record of an earlier version cannot be gone on with, since its seed stood for other openings; finish \
                 it with the version that began it, or begin anew with --record and another file"
            );
        }
        Ok(())
    }

    /// Puts the players of the games in the place of the engine that stands for all of them.
    fn name_those_who_came(&mut self) {
        let Some(at) = self.header.engines.iter().position(|engine| engine.name.is_empty()) else { return };
        let anybody = self.header.engines.remove(at);
        let starts = self.games.values().map(|game| &game.start).chain(self.open.values().map(|(start, _)| start));
        for name in starts.flat_map(|start| &start.players) {
            if !self.header.engines.iter().any(|engine| engine.name == *name) {
                self.header.engines.push(EngineSpec { name: name.clone(), ..anybody.clone() });
            }
        }
    }

    fn add(&mut self, event: Event) -> Result<()> {
        match event {
            Event::Header(_) => bail!("a second header"),
            Event::Start(start) => {
                self.open.insert(start.game, (start, Vec::new()));
            }
            Event::Move(mv) => match self.open.get_mut(&mv.game) {
                Some((_, moves)) => moves.push(mv),
                None => bail!("a move of game {}, which has not begun", mv.game),
            },
            Event::End(end) => match self.open.remove(&end.game) {
                Some((start, moves)) => {
                    self.games.entry(end.game).or_insert(GameRecord { start, moves, end });
                }
                None => bail!("the end of game {}, which has not begun", end.game),
            },
            Event::Entry(Entry { engine, .. }) => {
                let known = |name: &str| self.header.engines.iter().any(|engine| engine.name == name);
                self.header.engines.extend(engine.filter(|engine| !known(&engine.name)));
            }
            Event::Attempt(_) | Event::Result(_) => {}
        }
        Ok(())
    }

    /// The ends of all games, in the order of the schedule.
    pub fn ends(&self) -> impl Iterator<Item = &End> {
        self.games.values().map(|game| &game.end)
    }

    /// Writes a new file with the games that are over, in order.
    pub fn write(&self, path: &Path) -> Result<()> {
        let mut text = String::new();
        let mut add = |event: &Event| -> Result<()> {
            text.push_str(&serde_json::to_string(event)?);
            text.push('\n');
            Ok(())
        };
        add(&Event::Header(self.header.clone()))?;
        for game in self.games.values() {
            add(&Event::Start(game.start.clone()))?;
            for mv in &game.moves {
                add(&Event::Move(mv.clone()))?;
            }
            add(&Event::End(game.end.clone()))?;
        }
        engine::agent::files::write_atomically(path, &text)
            .with_context(|| format!("{}: cannot be written", path.display()))
    }
}

/// The first line of a record's text, and the events of the others with the numbers of their lines. A line without its
/// end was left by a run that was killed; it is passed over at the end of the text, and also in the middle, where a run
/// that was resumed has ended it.
pub fn read_lines<E: DeserializeOwned>(text: &str) -> (&str, impl Iterator<Item = Result<(usize, E)>>) {
    let whole = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
    let mut lines = whole.lines();
    let first = lines.next().unwrap_or_default();
    let events = lines.zip(2..).filter_map(|(line, number)| match serde_json::from_str(line) {
        Ok(event) => Some(Ok((number, event))),
        Err(error) if error.is_eof() => None,
        Err(error) => Some(Err(anyhow!("line {number}: {error}"))),
    });
    (first, events)
}
