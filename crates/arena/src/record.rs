//! The record of a match or tournament: JSON lines that are appended as things happen, from which
//! an interrupted run resumes.

mod grading;
mod new_rules;
mod position;
mod recorder;
#[cfg(test)]
mod tests;

pub use grading::{Attempt, Entry, GameFindings, TestResult};
pub use new_rules::{Replayed, Withdrawn};
pub use position::RecordedPosition;
pub use recorder::Recorder;

use crate::adjudication::Adjudication;
use crate::analysis::finding::Finding;
use crate::player::kept::KeptFile;
use crate::player::spec::EngineSpec;
use crate::result::{Reason, Termination};
use crate::terms::{Bounds, LimitRule, Openings, Shape, Shard};
use anygame::game::FolderGame;
use anyhow::{Context, Result, anyhow, bail};
use engine::score::WIN;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Version 1 has other keywords and another scale of scores; in versions 1 and 2 a seed gives other
/// openings.
pub const VERSION: u32 = 3;

/// The first line: all parameters of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// See [`VERSION`].
    pub version: u32,
    /// The name of the game.
    pub game: String,
    /// The rule set by which the judge refuses moves, if not its own choice.
    pub rules: Option<String>,
    /// The players; in a record of `judge monitor` one nameless engine for all agents.
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
    /// The result of a game that reaches the move limit.
    pub at_limit: LimitRule,
    /// The limits of the players' processes.
    pub bounds: Bounds,
    /// The part of the schedule that this file covers.
    pub shard: Option<Shard>,
    /// The rounds of a Swiss tournament.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u32>,
    /// The rules for ending games early.
    #[serde(default, skip_serializing_if = "Adjudication::is_none")]
    pub adjudication: Adjudication,
    /// The game, if its rules are a program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own: Option<FolderGame>,
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
    /// A submission of a class.
    Entry(Entry),
    /// A test of a grading is about to start.
    Attempt(Attempt),
    /// A test of a grading has finished.
    Result(TestResult),
    /// A lost game of a grading was analysed.
    Findings(GameFindings),
    /// Recorded games were replayed by other rules.
    Replayed(Replayed),
}

/// The start of a game. Arrays of two are by side.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Start {
    /// The number of the game in the schedule, from 1.
    pub game: u32,
    /// The names of the players.
    pub players: [String; 2],
    /// The input file of the first turn, with the clock of the side to move.
    pub opening: String,
    /// The moves that led to the opening, for people.
    pub line: Vec<String>,
    /// The sandbox layers, and how CPU time and memory were counted.
    #[serde(alias = "walls", default, skip_serializing_if = "Option::is_none")]
    pub layers: Option<String>,
    /// Of the folder whose rules play the game ([`FolderGame::checksum`]).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checksum: Option<String>,
    /// The seed of the first side; the second's has another lowest bit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
}

/// A move of a game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MoveRecord {
    /// The number of the game.
    pub game: u32,
    /// The number of the move, counted from 0 at the opening.
    pub ply: u32,
    /// The game's word for the side that played.
    pub side: String,
    /// The move in readable notation.
    #[serde(rename = "move", alias = "play")]
    pub mv: String,
    /// The move as an output file.
    pub output: String,
    /// CPU seconds charged.
    pub cpu: f64,
    /// Wall time in seconds.
    pub wall: f64,
    /// The part of it for which the player was kept waiting for a processor.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub waited: f64,
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
    /// A note about something unusual that is no fault.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The files that the program had kept from its earlier turns.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<KeptFile>,
    /// The analysis of the move, in a record written by `judge analyse`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub analysis: Option<Box<Finding>>,
    /// The position before the move, in a game whose rules are a program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<Box<RecordedPosition>>,
}

/// The end of a game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct End {
    /// The game's number.
    pub game: u32,
    /// The names of the players.
    pub players: [String; 2],
    /// The index of the winner in `players`; none for a draw.
    pub winner: Option<usize>,
    /// The first side's points less the second's, in games that count points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<i32>,
    /// The keyword of the termination.
    pub termination: Termination,
    /// The reason, in one line.
    pub reason: String,
    /// The number of moves after the opening.
    pub plies: u32,
    /// CPU seconds used.
    pub cpu: [f64; 2],
    /// Seconds for which the players were kept waiting for a processor.
    #[serde(default, skip_serializing_if = "are_zero")]
    pub waited: [f64; 2],
    /// The last board, as text. After a fault the board is in `fault`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board: Option<String>,
    /// The evidence, if a player lost by its own fault.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<FaultRecord>,
    /// The last position, in a game whose rules are a program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<Box<RecordedPosition>>,
}

/// Evidence of a fault.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FaultRecord {
    /// The reason, in the process that has played the game; a record has its words alone.
    #[serde(skip)]
    pub reason: Option<Reason>,
    /// The index of the player.
    pub player: usize,
    /// The input file of the turn.
    pub input: String,
    /// The board, as text.
    pub board: String,
    /// The output file of the player, if there is one.
    pub output: Option<String>,
    /// The legal moves in readable notation, up to [`MOST_LEGAL`].
    pub legal: Vec<String>,
    /// The number of legal moves.
    pub legal_count: usize,
    /// The player's standard output, shortened.
    pub stdout: String,
    /// The player's standard error, shortened.
    pub stderr: String,
    /// The files that the program had kept from its earlier turns.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<KeptFile>,
    /// CPU seconds of the turn.
    pub cpu: f64,
    /// Wall time of the turn, in seconds.
    pub wall: f64,
    /// The part of it for which the player was kept waiting for a processor.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub waited: f64,
}

fn is_zero(seconds: &f64) -> bool {
    *seconds == 0.0
}

fn are_zero(seconds: &[f64; 2]) -> bool {
    seconds.iter().all(is_zero)
}

/// The most legal moves in the evidence.
pub const MOST_LEGAL: usize = 60;

/// The contents of a file: the header, and games by number.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The first line.
    pub header: Header,
    /// Finished games.
    pub games: BTreeMap<u32, GameRecord>,
    /// Unfinished games, with their last start and its moves.
    pub open: BTreeMap<u32, (Start, Vec<MoveRecord>)>,
    /// Games that were played under a number and do not count by the rules of today.
    pub withdrawn: BTreeMap<u32, GameRecord>,
}

/// The start and the moves of a game, and its end if it is over.
pub type RecordedGame<'a> = (&'a Start, &'a [MoveRecord], Option<&'a End>);

/// The events of one game.
#[derive(Clone, Debug, PartialEq)]
pub struct GameRecord {
    /// The beginning of the game.
    pub start: Start,
    /// The moves of the game.
    pub moves: Vec<MoveRecord>,
    /// The end of the game.
    pub end: End,
}

/// A win in zero plies in records of version 1. Scores within 1,500 of it are wins or losses.
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
    /// A record without games.
    pub fn new(header: Header) -> Record {
        Record { header, games: BTreeMap::new(), open: BTreeMap::new(), withdrawn: BTreeMap::new() }
    }

    /// Reads a file. An incomplete last line is ignored.
    pub fn read(path: &Path) -> Result<Record> {
        let name = path.display();
        let text = fs::read_to_string(path).with_context(|| format!("{name}: cannot be read"))?;
        Record::parse(&text).with_context(|| name.to_string())
    }

    /// Reads the text of a file.
    pub fn parse(text: &str) -> Result<Record> {
        let (first, events) = read_lines(text);
        let header = match serde_json::from_str(first) {
            Ok(Event::Header(header)) if (1..=VERSION).contains(&header.version) => header,
            Ok(Event::Header(header)) => {
                bail!("line 1: expected version 1 to {VERSION}, found {}", header.version)
            }
            Ok(_) => bail!("line 1: expected the header of a record of games"),
            Err(error) if first.trim_start().starts_with('{') => {
                bail!("line 1: expected the header of a record of games, found: {error}")
            }
            Err(_) => bail!(
                "expected a record of games, as --record FILE of a match or a grading writes it"
            ),
        };
        let is_of_version_1 = header.version == 1;
        let mut record = Record::new(Header { version: header.version.max(2), ..header });
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

    /// A game, finished or not, if the record has it.
    pub fn recorded(&self, game: u32) -> Result<RecordedGame<'_>> {
        let found = self.all_games().find(|(start, ..)| start.game == game);
        found.with_context(|| format!("no game {game}"))
    }

    /// All games, the finished ones first.
    pub fn all_games(&self) -> impl Iterator<Item = RecordedGame<'_>> {
        let finished =
            self.games.values().map(|game| (&game.start, &game.moves[..], Some(&game.end)));
        finished.chain(self.open.values().map(|(start, moves)| (start, &moves[..], None)))
    }

    /// Refuses to resume from records whose seeds stand for other openings.
    pub fn check_resumable(&self) -> Result<()> {
        if self.header.version < VERSION {
            bail!(
                "a record of an earlier version cannot be gone on with, since its seed stood for other openings; finish \
                 it with the version that began it, or begin anew with --record and another file"
            );
        }
        Ok(())
    }

    /// Replaces the engine that stands for all players by those of the games.
    fn name_those_who_came(&mut self) {
        let Some(at) = self.header.engines.iter().position(|engine| engine.name.is_empty()) else {
            return;
        };
        let anybody = self.header.engines.remove(at);
        let mut engines = std::mem::take(&mut self.header.engines);
        for name in self.all_games().flat_map(|(start, ..)| &start.players) {
            if !engines.iter().any(|engine| engine.name == *name) {
                engines.push(EngineSpec { name: name.clone(), ..anybody.clone() });
            }
        }
        self.header.engines = engines;
    }

    pub(crate) fn add(&mut self, event: Event) -> Result<()> {
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
                let known =
                    |name: &str| self.header.engines.iter().any(|engine| engine.name == name);
                self.header.engines.extend(engine.filter(|engine| !known(&engine.name)));
            }
            Event::Findings(GameFindings { game, findings }) => {
                let moves = self.games.get_mut(&game).map(|game| &mut game.moves);
                for (mv, finding) in moves.into_iter().flatten().zip(findings) {
                    mv.analysis = finding.map(Box::new);
                }
            }
            Event::Replayed(replayed) => self.take_in(replayed),
            Event::Attempt(_) | Event::Result(_) => {}
        }
        Ok(())
    }

    /// Adds the result of a replay to the record and to its file.
    pub fn replay(&mut self, recorder: &mut Recorder, replayed: Replayed) -> Result<()> {
        recorder.append(&Event::Replayed(replayed.clone()))?;
        self.take_in(replayed);
        Ok(())
    }

    fn take_in(&mut self, replayed: Replayed) {
        for number in replayed.same {
            if let Some(played) = self.games.get_mut(&number) {
                played.start.checksum = Some(replayed.checksum.clone());
            }
        }
        for Withdrawn { game, .. } in replayed.withdrawn {
            if let Some(played) = self.games.remove(&game) {
                self.withdrawn.entry(game).or_insert(played);
            }
        }
    }

    /// The ends of all games, in the order of the schedule.
    pub fn ends(&self) -> impl Iterator<Item = &End> {
        self.games.values().map(|game| &game.end)
    }

    /// Writes the finished games to a new file, in order.
    pub fn write(&self, path: &Path) -> Result<()> {
        let mut events = vec![Event::Header(self.header.clone())];
        for GameRecord { start, moves, end } in self.games.values().cloned() {
            events.push(Event::Start(start));
            events.extend(moves.into_iter().map(Event::Move));
            events.push(Event::End(end));
        }
        let lines = events.iter().map(|event| Ok(serde_json::to_string(event)? + "\n"));
        let text: String = lines.collect::<Result<_>>()?;
        files::write_atomically(path, &text)
            .with_context(|| format!("{}: cannot be written", path.display()))
    }
}

/// The first line of a text, and the events of the others with their line numbers. Incomplete lines
/// of killed runs are ignored.
fn read_lines(text: &str) -> (&str, impl Iterator<Item = Result<(usize, Event)>>) {
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
