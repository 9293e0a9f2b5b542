//! `judge grade`: a course's grading. Some single positions, for a legal move in time, and some games against plain
//! minimax; a score, and for every point lost the reason and the evidence.

mod cases;
mod class;
mod csv;
mod report;
mod result;
mod scheme;

pub(crate) use cases::{CaseOptions, grade_cases};
pub(crate) use class::{ClassOptions, grade_class};
pub(crate) use report::Form;

use crate::analyse::{analyse_game, words};
use crate::games::find;
use crate::interrupt;
use crate::output::print;
use crate::progress::Progress;
use crate::rules;
use crate::walls::announce;
use anyhow::{Context, Result};
use arena::analysis::finding::Effort;
use arena::player::keys::Keys;
use arena::player::spec::EngineSpec;
use arena::player::walls::walls_around;
use arena::pool::{Next, work_off};
use arena::record::{End, Event, GameRecord, Header, Recorder};
use clap::Args;
use engine::Side;
use result::{Grade, Item};
use scheme::{Plan, Scheme, Test};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Options of `judge grade` alone.
#[derive(Args)]
pub(crate) struct GradeOptions {
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

    /// Exit code 1 with fewer points; `all` for fewer than there are
    #[arg(long, value_name = "POINTS")]
    fail_under: Option<Mark>,
}

/// A mark to reach.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Mark {
    /// A number of points.
    Points(f64),
    /// All points there are.
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

/// `judge grade`.
pub(crate) fn grade(options: &GradeOptions) -> Result<u8> {
    let scheme = &options.scheme;
    let spec = Keys::parse(options.engine.iter().map(String::as_str))?.engine(&find(&scheme.game)?.arena)?;
    announce(std::slice::from_ref(&spec), &scheme.settings.bounds()?)?;
    interrupt::catch()?;
    let grade = run(scheme, &spec, options.record.as_deref())?;
    let text = report::write(&grade, options.report)?;
    match &options.output {
        Some(path) => engine::agent::files::write_atomically(path, &text)
            .with_context(|| format!("{}: cannot be written", path.display()))?,
        None => print(&text),
    }
    if options.record.is_none() {
        eprintln!("{}", crate::names::NO_RECORD);
    }
    if grade.items.len() < scheme.count(&find(&scheme.game)?.arena) {
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
pub(crate) fn run(scheme: &Scheme, agent: &EngineSpec, record: Option<&Path>) -> Result<Grade> {
    let start = Instant::now();
    let game = &find(&scheme.game)?.arena;
    let Plan { header, tests } = scheme.plan(game, agent)?;
    let walls = walls_around(std::slice::from_ref(agent), &header.bounds)?.map(|walls| walls.to_string());
    let recorder = match record {
        Some(path) => Recorder::create(path, &Event::Header(header.clone()))?,
        None => Recorder::nowhere(),
    };
    let recorder = Mutex::new(recorder);
    let append = |event: Event| recorder.lock().unwrap_or_else(PoisonError::into_inner).append(&event);
    let bar = Progress::new(tests.len());
    let mut items: Vec<Item> = Vec::new();
    let effort = scheme.effort();
    let play = |test: Test| {
        let start = Instant::now();
        let (mut begun, mut moves) = (None, Vec::new());
        let end = (game.play)(&test.order, &mut |event| {
            match &event {
                Event::Start(start) => begun = Some(start.clone()),
                Event::Move(mv) => moves.push(mv.clone()),
                Event::Header(_) | Event::End(_) => {}
            }
            append(event)
        })?;
        let wall = start.elapsed().as_secs_f64();
        let lost = !test.order.single && end.winner == Some(test.side.other().index());
        let analysis = match (effort, begun) {
            (Some(effort), Some(start)) if lost && !moves.is_empty() => {
                Some(analysed(&header, GameRecord { start, moves, end: end.clone() }, test.side, effort)?)
            }
            _ => None,
        };
        Ok((test, end, wall, analysis))
    };
    let worked = work_off(
        tests.into_iter(),
        scheme.settings.concurrency(),
        interrupt::asked,
        play,
        |(test, end, wall, analysis)| {
            let points = points(&test, &end);
            let Test { number, name, side, most, .. } = test;
            let how = format!("{points} of {most} ({}: {})", end.termination, end.reason);
            bar.done(items.len() + 1, &format!("{name}: {how}"));
            let own_fault = end.fault.as_ref().is_some_and(|fault| fault.player == side.index());
            let rule = if own_fault { rules::pointer(game.name, &end.reason) } else { String::new() };
            items.push(Item { number, name, points, most, end, side, wall, rule, analysis });
            Ok(Next::GoOn)
        },
    );
    bar.finish();
    worked?;
    items.sort_by_key(|item| item.number);
    Ok(Grade { title: game.title, agent: agent.name.clone(), walls, items, wall: start.elapsed().as_secs_f64() })
}

/// What an analysis says of the agent's moves in a game.
fn analysed(header: &Header, mut game: GameRecord, side: Side, effort: Effort) -> Result<String> {
    let known = find(&header.game)?;
    let shown = Side::BOTH.map(|one| one == side);
    analyse_game(known, header, &mut game, shown, effort)?;
    words::game(known, header, &game, shown, None)
}

/// A single position is worth its point if the move was legal and in time; a game by its result.
fn points(test: &Test, end: &End) -> f64 {
    match end.winner {
        _ if test.order.single => test.most * f64::from(u8::from(end.fault.is_none())),
        Some(winner) if winner == test.side.index() => test.most,
        Some(_) => 0.0,
        None => test.most / 2.0,
    }
}
