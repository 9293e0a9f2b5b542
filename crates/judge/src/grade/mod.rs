//! `judge grade`: a course's grading. Some single positions, for a legal play in time, and some games against plain
//! minimax; a score, and for every point lost the reason and the evidence.

mod class;
mod report;

pub use class::{ClassOptions, grade_class};
pub use report::Form;

use crate::contest::bounds;
use crate::games::{Kind, kind};
use crate::interrupt;
use crate::player::EngineSpec;
use crate::player::process::Bounds;
use crate::player::spec::{Clock, Keys, Kind as PlayerKind};
use crate::record::{End, Event, Header, Recorder, VERSION};
use crate::referee::{GameOrder, LimitRule, Termination};
use crate::schedule::{Openings, Shape};
use anyhow::{Context, Result, bail};
use clap::Args;
use engine::Side;
use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Mutex;
use std::thread;
use std::time::Instant;

/// The scheme and its settings.
#[derive(Args, Clone)]
pub struct Scheme {
    /// The game
    #[arg(long, value_parser = crate::games::name_parser())]
    pub game: String,

    /// Single positions, 1 point each for a legal play in time
    #[arg(long, value_name = "COUNT", default_value_t = 10, value_parser = clap::value_parser!(u32).range(0..=1000))]
    pub singles: u32,

    /// Games against the reference, 10 points for a win and 5 for a draw; the agent moves first in every other one, the
    /// first game included
    #[arg(long, value_name = "COUNT", default_value_t = 9, value_parser = clap::value_parser!(u32).range(0..=1000))]
    pub games: u32,

    /// The depth of the reference, plain minimax, in plies
    #[arg(long, value_name = "PLIES", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=8))]
    pub reference_depth: u32,

    /// CPU seconds for each single position
    #[arg(long, value_name = "SECONDS", default_value_t = 30.0)]
    pub single_clock: f64,

    /// CPU seconds for each game
    #[arg(long, value_name = "SECONDS", default_value_t = 100.0)]
    pub game_clock: f64,

    /// For positions and openings
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub seed: u64,

    /// A game ends after so many plies [default: the game's own]
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub max_plies: Option<u32>,

    /// What becomes of a game then
    #[arg(long, value_enum, default_value_t = LimitRule::Draw)]
    pub at_limit: LimitRule,

    /// The rule set to refuse by [default: the most permissive]
    #[arg(long, value_name = "NAME")]
    pub rules: Option<String>,

    /// A player is ended when a turn takes longer than its clock and so many seconds of wall time
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0)]
    pub wall_margin: f64,

    /// Data memory of each process of the agent, in MiB [default: 4096]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(16..=1 << 24))]
    pub memory: Option<u64>,

    /// Tests at a time; no more than there are idle cores
    #[arg(long, value_name = "COUNT", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub concurrency: u32,
}

/// Options of `judge grade` alone.
#[derive(Args)]
pub struct GradeOptions {
    #[command(flatten)]
    scheme: Scheme,

    /// The agent, as KEY=VALUE words (cmd, args, dir, name, engine, margin)
    #[arg(long, value_name = "KEY=VALUE", num_args = 1.., required = true)]
    engine: Vec<String>,

    /// The form of the report
    #[arg(long, value_enum, default_value_t = Form::Text)]
    report: Form,

    /// Write the report to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Append every play to this new file of JSON lines, for `judge replay`
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,

    /// Exit code 1 below so many points
    #[arg(long, value_name = "POINTS", default_value_t = 0.0)]
    fail_under: f64,
}

/// One test.
pub struct Item {
    /// Its number, from 1.
    pub number: u32,
    /// What it is.
    pub name: String,
    /// Points given.
    pub points: f64,
    /// Points to be had.
    pub most: f64,
    /// How the test ended.
    pub end: End,
    /// The index of the agent among the end's players.
    pub seat: usize,
    /// Wall seconds.
    pub wall: f64,
}

/// A grading.
pub struct Grade {
    /// The game, for people.
    pub title: &'static str,
    /// The agent's name.
    pub agent: String,
    /// All tests, by number.
    pub items: Vec<Item>,
    /// Wall seconds of the whole.
    pub wall: f64,
}

impl Grade {
    /// Points given, and points to be had.
    pub fn points(&self) -> (f64, f64) {
        (self.items.iter().map(|item| item.points).sum(), self.items.iter().map(|item| item.most).sum())
    }

    /// CPU seconds that the agent used.
    pub fn cpu(&self) -> f64 {
        self.items.iter().map(|item| item.end.cpu[item.seat]).sum()
    }
}

/// A test that is still to be run.
struct Test {
    number: u32,
    name: String,
    seat: usize,
    most: f64,
    order: GameOrder,
}

/// `judge grade`.
pub fn grade(options: &GradeOptions) -> Result<u8> {
    let scheme = &options.scheme;
    let spec = Keys::parse(options.engine.iter().map(String::as_str))?.engine(&scheme.game)?;
    interrupt::catch()?;
    let grade = run(scheme, &spec, options.record.as_deref())?;
    let text = report::write(&grade, options.report);
    match &options.output {
        Some(path) => engine::files::write_atomically(path, &text)
            .with_context(|| format!("{}: cannot be written", path.display()))?,
        None => crate::print(&text),
    }
    if grade.items.len() < (scheme.singles + scheme.games) as usize {
        return Ok(interrupt::EXIT_CODE);
    }
    Ok(u8::from(grade.points().0 < options.fail_under))
}

/// Grades one agent.
pub fn run(scheme: &Scheme, agent: &EngineSpec, record: Option<&std::path::Path>) -> Result<Grade> {
    let start = Instant::now();
    let kind = kind(&scheme.game)?;
    (kind.check_rules)(scheme.rules.as_deref())?;
    for (name, seconds) in [("--single-clock", scheme.single_clock), ("--game-clock", scheme.game_clock)] {
        if !(seconds > 0.0 && seconds < 1e7) {
            bail!("{name}: expected a positive number of seconds, found {seconds}");
        }
    }
    let bounds = bounds(Some(scheme.wall_margin), scheme.memory, None, None)?;
    let reference = reference(scheme, &agent.name);
    let recorder = match record {
        Some(path) => Recorder::create(path, &header(scheme, &kind, agent, &reference, bounds))?,
        None => Recorder::nowhere(),
    };
    let tests = tests(scheme, &kind, agent, &reference, bounds)?;
    let total = tests.len();
    let state = Mutex::new((tests, recorder, Vec::<Item>::new(), None::<anyhow::Error>));
    thread::scope(|scope| {
        for _ in 0..scheme.concurrency {
            scope.spawn(|| work(&state, &kind, total));
        }
    });
    let (_, _, mut items, failure) = state.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some(error) = failure {
        return Err(error);
    }
    items.sort_by_key(|item| item.number);
    Ok(Grade { title: kind.title, agent: agent.name.clone(), items, wall: start.elapsed().as_secs_f64() })
}

type Shared = Mutex<(VecDeque<Test>, Recorder, Vec<Item>, Option<anyhow::Error>)>;

fn work(state: &Shared, kind: &Kind, total: usize) {
    let lock = || state.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    loop {
        let test = {
            let mut state = lock();
            if interrupt::asked() || state.3.is_some() {
                return;
            }
            let Some(test) = state.0.pop_front() else { return };
            test
        };
        let start = Instant::now();
        let played = (kind.play)(&test.order, &mut |event: Event| lock().1.append(&event));
        let mut state = lock();
        match played {
            Ok(end) => {
                let points = points(&test, &end);
                let wall = start.elapsed().as_secs_f64();
                let Test { number, name, seat, most, .. } = test;
                eprintln!(
                    "{}/{total} {name}: {points} of {most} ({}: {})",
                    state.2.len() + 1,
                    end.termination,
                    end.reason
                );
                state.2.push(Item { number, name, points, most, end, seat, wall });
            }
            Err(error) => {
                state.3.get_or_insert(error);
            }
        }
    }
}

/// A single position is worth its point if the play was legal and in time; a game by its result.
fn points(test: &Test, end: &End) -> f64 {
    let is_single = test.order.max_plies == 1 && test.most == SINGLE_POINTS;
    match end.winner {
        _ if is_single => test.most * f64::from(u8::from(end.fault.is_none())),
        Some(side) if side == test.seat => test.most,
        Some(_) => 0.0,
        None => test.most / 2.0,
    }
}

const SINGLE_POINTS: f64 = 1.0;
const GAME_POINTS: f64 = 10.0;

fn reference(scheme: &Scheme, agent: &str) -> EngineSpec {
    let depth = scheme.reference_depth;
    let name = format!("minimax:{depth}");
    EngineSpec {
        name: if name == agent { format!("reference {name}") } else { name },
        kind: PlayerKind::Minimax(depth),
        // The reference loses no game on time: its speed is this machine's affair.
        clock: Clock::Game(1e6),
        margin: 0.0,
    }
}

fn header(scheme: &Scheme, kind: &Kind, agent: &EngineSpec, reference: &EngineSpec, bounds: Bounds) -> Header {
    Header {
        version: VERSION,
        game: scheme.game.clone(),
        rules: scheme.rules.clone(),
        engines: vec![agent.clone(), reference.clone()],
        shape: Shape::Gauntlet,
        pairs: 0,
        openings: Openings::Start,
        seed: scheme.seed,
        max_plies: scheme.max_plies.unwrap_or(kind.ply_limit),
        at_limit: scheme.at_limit,
        bounds,
        shard: None,
    }
}

/// All tests of a scheme: the single positions spread over the length of a game; the first two games from the start,
/// the others after two random plies, so that no two are alike.
fn tests(
    scheme: &Scheme,
    kind: &Kind,
    agent: &EngineSpec,
    reference: &EngineSpec,
    bounds: Bounds,
) -> Result<VecDeque<Test>> {
    let mut tests = VecDeque::new();
    let order = |number: u32, clock: Clock, seat: Side, opening, max_plies| {
        let agent = EngineSpec { clock, ..agent.clone() };
        let engines = if seat == Side::First { [agent, reference.clone()] } else { [reference.clone(), agent] };
        GameOrder {
            game: number,
            engines,
            opening,
            rules: scheme.rules.clone(),
            max_plies,
            at_limit: scheme.at_limit,
            bounds,
            seed: scheme.seed,
        }
    };
    for index in 0..scheme.singles {
        let part = (f64::from(index) + 0.5) / f64::from(scheme.singles);
        let opening = (kind.middle_position)(part, engine::split_mix(scheme.seed ^ u64::from(index) << 32))?;
        let seat = (kind.side_to_move)(&opening)?;
        tests.push_back(Test {
            number: index + 1,
            name: format!("position {} ({})", index + 1, kind.sides[seat.index()]),
            seat: seat.index(),
            most: SINGLE_POINTS,
            order: order(index + 1, Clock::Single(scheme.single_clock), seat, opening, 1),
        });
    }
    let max_plies = scheme.max_plies.unwrap_or(kind.ply_limit);
    for index in 0..scheme.games {
        let number = scheme.singles + index + 1;
        let plies = if index < 2 { 0 } else { 2 };
        let opening = (kind.random_opening)(plies, engine::split_mix(scheme.seed ^ u64::from(index) << 40))?;
        let mover = (kind.side_to_move)(&opening)?;
        let seat = if index % 2 == 0 { mover } else { mover.other() };
        let when = if index % 2 == 0 { "first" } else { "second" };
        tests.push_back(Test {
            number,
            name: format!("game {} as {}, moving {when}", index + 1, kind.sides[seat.index()]),
            seat: seat.index(),
            most: GAME_POINTS,
            order: order(number, Clock::Game(scheme.game_clock), seat, opening, max_plies),
        });
    }
    Ok(tests)
}

/// What a lost test is called in reports: a fault's own word, or how the game went.
pub fn verdict(item: &Item) -> String {
    match item.end.termination {
        Termination::Normal if item.end.winner.is_some() => "lost the game".to_string(),
        Termination::Normal => "drew the game".to_string(),
        other => other.to_string(),
    }
}
