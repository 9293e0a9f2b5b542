//! One game: turns, clocks, and how it ends.

use crate::games::rule_set;
use crate::player::monitor::MonitorPlayer;
use crate::player::process::{Bounds, ProcessPlayer};
use crate::player::reference::Reference;
use crate::player::{EngineSpec, Fault, Kind, Player, Turn};
use crate::record::{End, Event, FaultRecord, MOST_LEGAL, MoveRecord, Start};
use anyhow::{Context, Result, anyhow};
use engine::agent::moves_for_every_grader;
use engine::protocol::seconds;
use engine::score::describe;
use engine::search::Knowledge;
use engine::{Agent, Outcome, Protocol, RuleSet, Side, Task, TimeControl};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;

/// How a game ended. The words are those of fastchess and cutechess where they have one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Termination {
    /// By the rules.
    #[serde(rename = "normal")]
    Normal,
    /// More CPU time than the clock had.
    #[serde(rename = "time forfeit")]
    TimeForfeit,
    /// A move that the rules do not allow.
    #[serde(rename = "illegal move")]
    IllegalMove,
    /// An output file that does not have the form of a move.
    #[serde(rename = "bad format")]
    BadFormat,
    /// A good exit, and no output file.
    #[serde(rename = "no output")]
    NoOutput,
    /// An exit code other than 0 or a signal, and no move left.
    #[serde(rename = "crash")]
    Crash,
    /// Ended at the wall limit.
    #[serde(rename = "stall")]
    Stall,
    /// Files that take more space than a player may.
    #[serde(rename = "disk quota")]
    DiskQuota,
    /// A single position was answered with a legal move in time: nothing to win.
    #[serde(rename = "legal move", alias = "legal play")]
    LegalMove,
    /// The move limit was reached: a draw.
    #[serde(rename = "draw by move limit")]
    DrawByMoveLimit,
    /// The move limit was reached: the side with more time left wins.
    #[serde(rename = "time left at move limit")]
    TimeAtMoveLimit,
}

impl Termination {
    /// The word.
    pub const fn word(self) -> &'static str {
        match self {
            Termination::Normal => "normal",
            Termination::TimeForfeit => "time forfeit",
            Termination::IllegalMove => "illegal move",
            Termination::BadFormat => "bad format",
            Termination::NoOutput => "no output",
            Termination::Crash => "crash",
            Termination::Stall => "stall",
            Termination::DiskQuota => "disk quota",
            Termination::LegalMove => "legal move",
            Termination::DrawByMoveLimit => "draw by move limit",
            Termination::TimeAtMoveLimit => "time left at move limit",
        }
    }
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// What becomes of a game at its move limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum LimitRule {
    /// A draw
    #[default]
    Draw,
    /// The side with more CPU time left wins
    Time,
}

/// The position a game starts from.
#[derive(Clone, Debug, PartialEq)]
pub struct Opening {
    /// As an input file; clock and time control do not matter.
    pub input: String,
    /// The moves that led there, for people.
    pub line: Vec<String>,
}

/// Everything that decides a game.
#[derive(Clone, Debug)]
pub struct GameOrder {
    /// Its number in the schedule, from 1.
    pub game: u32,
    /// The players, by side.
    pub engines: [EngineSpec; 2],
    /// Where it starts.
    pub opening: Opening,
    /// The rule set to refuse by.
    pub rules: Option<String>,
    /// Whether it is over with one legal move, which wins nothing.
    pub single: bool,
    /// The game ends after so many plies.
    pub max_plies: u32,
    /// What becomes of it then.
    pub at_limit: LimitRule,
    /// What player processes are held to.
    pub bounds: Bounds,
    /// For random players.
    pub seed: u64,
}

/// Told of everything that happens in a game, in order. An error ends the game.
pub type Sink<'a> = &'a mut dyn FnMut(Event) -> Result<()>;

/// A position reached by random moves from the start; none of them disputed, none the last of a game.
pub fn random_opening<A: Agent>(plies: u32, seed: u64) -> Result<Opening> {
    // A line that runs into the end of the game is begun anew.
    for attempt in 0..1_000u64 {
        let mut position = A::start(<A::Rules as RuleSet>::AGENT);
        let mut line = Vec::new();
        let mut state = engine::split_mix(seed ^ attempt << 48);
        for _ in 0..plies {
            let moves = moves_for_every_grader(&position);
            if moves.is_empty() {
                break;
            }
            state = engine::split_mix(state);
            let mv = moves[(state % moves.len() as u64) as usize];
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
pub fn middle_position<A: Agent>(part: f64, seed: u64) -> Result<Opening> {
    let mut position = A::start(<A::Rules as RuleSet>::AGENT);
    let knowledge = A::knowledge();
    let mut reached = Vec::new();
    let mut state = engine::split_mix(seed);
    // Games between players this weak may never end; what is of interest comes earlier.
    for _ in 0..MIDDLE_PLIES.min(A::PLY_LIMIT) {
        let moves = moves_for_every_grader(&position);
        if moves.is_empty() {
            break;
        }
        reached.push(position.clone());
        state = engine::split_mix(state);
        let random = moves[(state >> 8) as usize % moves.len()];
        let greedy = || engine::reference::greedy(&position, |position| knowledge.evaluate(position)).best;
        let mv = if state.is_multiple_of(4) { random } else { greedy().unwrap_or(random) };
        position.play(mv);
    }
    // One ply more or less, so that not always the same side is to move.
    let index = (part.clamp(0.0, 1.0) * reached.len() as f64) as usize + (state >> 63) as usize;
    let last = reached.len().saturating_sub(1);
    let index = index.min(last);
    let position = reached.into_iter().nth(index).ok_or_else(|| anyhow!("a game without a move"))?;
    let task = Task { position, control: TimeControl::Game, clock: Duration::from_secs(1) };
    Ok(Opening { input: A::write_task(&task), line: vec![format!("a game of chance, after {index} plies")] })
}

const MIDDLE_PLIES: u32 = 100;

/// The side to move in an opening.
pub fn side_to_move<A: Agent>(opening: &Opening) -> Result<Side> {
    let task = A::read_task(&opening.input, <A::Rules as RuleSet>::JUDGE).map_err(|error| anyhow!("line {error}"))?;
    Ok(task.position.side_to_move())
}

/// The player that a specification describes.
pub fn seat<A: Agent>(spec: &EngineSpec, bounds: Bounds, seed: u64) -> Result<Box<dyn Player<A>>> {
    Ok(match &spec.kind {
        Kind::Files { command, directory } => Box::new(
            ProcessPlayer::new(command, directory.as_deref(), bounds)
                .with_context(|| format!("engine '{}'", spec.name))?,
        ),
        Kind::Monitor { command } => Box::new(MonitorPlayer::new(command, spec.clock.length())),
        other => Box::new(Reference::new(other.clone(), seed)),
    })
}

/// A game that goes on.
struct Table<'a, A: Agent> {
    order: &'a GameOrder,
    position: A,
    left: [Duration; 2],
    cpu: [Duration; 2],
    plies: u32,
}

/// Plays a game to its end.
pub fn play_game<A: Agent>(order: &GameOrder, sink: Sink) -> Result<End> {
    let rules = rule_set::<A::Rules>(order.rules.as_deref())?;
    let start =
        A::read_task(&order.opening.input, rules).map_err(|error| anyhow!("the opening, line {error}"))?.position;
    let left = [0, 1].map(|index: usize| order.engines[index].clock.length());
    let mut table = Table { order, position: start, left, cpu: [Duration::ZERO; 2], plies: 0 };
    let mut players = Vec::new();
    for side in Side::BOTH {
        let spec = &order.engines[side.index()];
        let mut player = seat::<A>(spec, order.bounds, order.seed ^ side.index() as u64)?;
        player.begin(&table.position, side)?;
        players.push(player);
    }
    let first = table.task();
    sink(Event::Start(Start {
        game: order.game,
        players: order.engines.clone().map(|spec| spec.name),
        opening: A::write_task(&first),
        line: order.opening.line.clone(),
    }))?;
    let end = loop {
        if let Some(end) = table.ending() {
            break end;
        }
        let side = table.position.side_to_move();
        let task = table.task();
        let turn = players[side.index()]
            .turn(&task)
            .with_context(|| format!("game {}, engine '{}'", order.game, order.engines[side.index()].name))?;
        match table.take(side, turn) {
            Ok((mv, record)) => {
                sink(Event::Move(record))?;
                players[side.other().index()].opponent_played(&task.position, mv)?;
            }
            Err(end) => break *end,
        }
    };
    for player in &mut players {
        player.finish(end.winner.map(|index| Side::BOTH[index]), &end.reason);
    }
    drop(players);
    sink(Event::End(end.clone()))?;
    Ok(end)
}

impl<A: Agent> Table<'_, A> {
    /// What the side to move is asked.
    fn task(&self) -> Task<A> {
        let side = self.position.side_to_move().index();
        let clock = self.left[side].max(Duration::from_micros(1));
        Task { position: self.position.clone(), control: self.order.engines[side].clock.control(), clock }
    }

    /// The end by the rules or by the move limit, if it has come.
    fn ending(&self) -> Option<End> {
        if self.order.single && self.plies > 0 {
            return Some(self.end(None, Termination::LegalMove, "a legal move in time".to_string()));
        }
        if let Some(outcome) = self.position.outcome() {
            let reason = match outcome {
                Outcome::Win(side) => format!("{} wins", A::side_word(side)),
                Outcome::Draw => "draw".to_string(),
                Outcome::Margin(difference) => {
                    format!("points: {} {}", A::side_word(Side::First), describe(difference))
                }
            };
            let mut end = self.end(outcome.winner(), Termination::Normal, reason);
            if let Outcome::Margin(difference) = outcome {
                end.points = Some(difference);
            }
            return Some(end);
        }
        if self.plies < self.order.max_plies {
            return None;
        }
        let limit = self.order.max_plies;
        let [first, second] = self.left;
        if self.order.at_limit == LimitRule::Draw || first == second {
            let reason = format!("no end after {limit} plies");
            return Some(self.end(None, Termination::DrawByMoveLimit, reason));
        }
        let winner = if first > second { Side::First } else { Side::Second };
        let reason = format!(
            "no end after {limit} plies; time left: {} {:.2} s, {} {:.2} s",
            A::side_word(Side::First),
            first.as_secs_f64(),
            A::side_word(Side::Second),
            second.as_secs_f64()
        );
        Some(self.end(Some(winner), Termination::TimeAtMoveLimit, reason))
    }

    fn end(&self, winner: Option<Side>, termination: Termination, reason: String) -> End {
        End {
            game: self.order.game,
            players: self.order.engines.clone().map(|spec| spec.name),
            winner: winner.map(Side::index),
            points: None,
            termination,
            reason,
            plies: self.plies,
            cpu: self.cpu.map(|cpu| round(cpu.as_secs_f64())),
            board: (termination != Termination::LegalMove).then(|| self.position.picture(None)),
            fault: None,
        }
    }

    /// Charges a turn and makes its move; the end of the game if the side has lost by it.
    fn take(&mut self, side: Side, turn: Turn<A::Move>) -> Result<(A::Move, MoveRecord), Box<End>> {
        let index = side.index();
        let spec = &self.order.engines[index];
        let clock = self.left[index];
        self.cpu[index] += turn.cpu;
        let allowed = clock + Duration::from_secs_f64(spec.margin);
        if spec.clock.control() == TimeControl::Game {
            self.left[index] = clock.saturating_sub(turn.cpu);
        }
        let over = (turn.cpu > allowed).then(|| {
            let used = turn.cpu.as_secs_f64();
            Fault {
                termination: Termination::TimeForfeit,
                reason: format!("used {used:.3} s of CPU, the clock had {}", seconds(allowed)),
            }
        });
        let mv = match (over, turn.answer) {
            (None, Ok(mv)) => mv,
            (Some(fault), _) | (None, Err(fault)) => {
                let reason = format!("{} (ply {}): {}", A::side_word(side), self.plies + 1, fault.reason);
                let mut end = self.end(Some(side.other()), fault.termination, reason);
                let moves = self.position.legal_moves();
                let task = Task { position: self.position.clone(), control: spec.clock.control(), clock };
                end.board = None;
                end.fault = Some(FaultRecord {
                    player: index,
                    input: A::write_task(&task),
                    board: self.position.picture(None),
                    output: turn.traces.output,
                    legal: moves.iter().take(MOST_LEGAL).map(|&mv| self.position.describe_move(mv)).collect(),
                    legal_count: moves.len(),
                    stdout: turn.traces.stdout,
                    stderr: turn.traces.stderr,
                    cpu: round(turn.cpu.as_secs_f64()),
                    wall: round(turn.wall.as_secs_f64()),
                });
                return Err(Box::new(end));
            }
        };
        let traces = turn.traces;
        let record = MoveRecord {
            game: self.order.game,
            ply: self.plies,
            side: A::side_word(side).to_string(),
            mv: self.position.describe_move(mv),
            output: self.position.write_move(mv),
            cpu: round(turn.cpu.as_secs_f64()),
            wall: round(turn.wall.as_secs_f64()),
            left: (spec.clock.control() == TimeControl::Game).then(|| round(self.left[index].as_secs_f64())),
            score: traces.score,
            depth: traces.depth,
            stdout: traces.stdout,
            stderr: traces.stderr,
            note: traces.note,
        };
        self.position.play(mv);
        self.plies += 1;
        Ok((mv, record))
    }
}

/// Microseconds are enough.
fn round(seconds: f64) -> f64 {
    (seconds * 1e6).round() / 1e6
}

/// The word for the side that moves first from the start.
pub fn first_mover<A: Protocol>() -> Side {
    A::start(<A::Rules as RuleSet>::JUDGE).side_to_move()
}
