//! `judge grade`: a course's grading. Some single positions, for a legal move in time, and some games against plain
//! minimax; a score, and for every point lost the reason and the evidence.

mod cases;
mod class;
mod course;
mod csv;
mod report;
mod scheme;

pub use cases::{CaseOptions, grade_cases};
pub use class::{ClassOptions, grade_class};
pub use report::Form;

use crate::games::{Kind, kind};
use crate::interrupt;
use crate::player::EngineSpec;
use crate::player::spec::Keys;
use crate::progress::Progress;
use crate::record::{End, Event, Recorder};
use crate::referee::Termination;
use anyhow::{Context, Result};
use clap::Args;
use scheme::{Plan, Scheme, Test};
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Instant;

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

    /// Append every move to this new file of JSON lines, for `judge replay`
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,

    /// Exit code 1 below so many points; `all` for below all there are
    #[arg(long, value_name = "POINTS")]
    fail_under: Option<Mark>,
}

/// A mark to reach.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Mark {
    /// So many points.
    Points(f64),
    /// All there are.
    All,
}

impl FromStr for Mark {
    type Err = String;

    fn from_str(text: &str) -> Result<Mark, String> {
        match text.parse::<f64>() {
            _ if text == "all" => Ok(Mark::All),
            Ok(points) if points.is_finite() => Ok(Mark::Points(points)),
            _ => Err("expected a number of points, or all".to_string()),
        }
    }
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
    if grade.items.len() < scheme.count() {
        return Ok(interrupt::EXIT_CODE);
    }
    let (points, most) = grade.points();
    let mark = match options.fail_under {
        None => 0.0,
        Some(Mark::Points(mark)) => mark,
        Some(Mark::All) => most,
    };
    Ok(u8::from(points < mark))
}

/// Grades one agent.
pub fn run(scheme: &Scheme, agent: &EngineSpec, record: Option<&Path>) -> Result<Grade> {
    let start = Instant::now();
    let kind = kind(&scheme.game)?;
    let Plan { header, tests } = scheme.plan(&kind, agent)?;
    let recorder = match record {
        Some(path) => Recorder::create(path, &Event::Header(header.clone()))?,
        None => Recorder::nowhere(),
    };
    let bar = Progress::new(tests.len());
    let desk = Desk { tests, recorder, items: Vec::new(), failure: None };
    let desk = Mutex::new(desk);
    thread::scope(|scope| {
        for _ in 0..scheme.concurrency {
            scope.spawn(|| work(&desk, &kind, &bar));
        }
    });
    bar.finish();
    let Desk { mut items, failure, .. } = desk.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(error) = failure {
        return Err(error);
    }
    items.sort_by_key(|item| item.number);
    Ok(Grade { title: kind.title, agent: agent.name.clone(), items, wall: start.elapsed().as_secs_f64() })
}

/// What the workers share.
struct Desk {
    tests: VecDeque<Test>,
    recorder: Recorder,
    items: Vec<Item>,
    failure: Option<anyhow::Error>,
}

fn work(desk: &Mutex<Desk>, kind: &Kind, bar: &Progress) {
    let lock = || desk.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        let test = {
            let mut desk = lock();
            if interrupt::asked() || desk.failure.is_some() {
                return;
            }
            let Some(test) = desk.tests.pop_front() else { return };
            test
        };
        let start = Instant::now();
        let played = (kind.play)(&test.order, &mut |event: Event| lock().recorder.append(&event));
        let mut desk = lock();
        match played {
            Ok(end) => {
                let points = points(&test, &end);
                let wall = start.elapsed().as_secs_f64();
                let Test { number, name, seat, most, .. } = test;
                let how = format!("{points} of {most} ({}: {})", end.termination, end.reason);
                desk.items.push(Item { number, name: name.clone(), points, most, end, seat, wall });
                bar.done(desk.items.len(), &format!("{name}: {how}"));
            }
            Err(error) => {
                desk.failure.get_or_insert(error);
            }
        }
    }
}

/// A single position is worth its point if the move was legal and in time; a game by its result.
fn points(test: &Test, end: &End) -> f64 {
    match end.winner {
        _ if test.order.single => test.most * f64::from(u8::from(end.fault.is_none())),
        Some(side) if side == test.seat => test.most,
        Some(_) => 0.0,
        None => test.most / 2.0,
    }
}

/// What a lost test is called in reports: a fault's own word, or how the game went.
pub fn verdict(item: &Item) -> String {
    match item.end.termination {
        Termination::Normal if item.end.winner.is_some() => "lost the game".to_string(),
        Termination::Normal => "drew the game".to_string(),
        other => other.to_string(),
    }
}
