//! `judge grade`: a course's grading. Some single positions, for a legal move in time, and some games against plain
//! minimax; a score, and for every point lost the reason and the evidence.

mod cases;
mod class;
mod play;
pub(crate) mod report;
pub(crate) mod result;
mod scheme;

pub(crate) use cases::{CaseOptions, grade_cases};
pub(crate) use class::{ClassOptions, Commands, grade_class, is_class, merge as merge_classes, students};
pub(crate) use report::Form;

use crate::interrupt;
use crate::output::print;
use crate::progress::Progress;
use crate::walls::announce;
use anyhow::{Context, Result};
use arena::player::keys::Keys;
use arena::player::spec::EngineSpec;
use arena::player::walls::walls_around;
use arena::pool::{Next, work_off};
use arena::record::{Event, Header, Recorder};
use clap::Args;
use play::{item, play_test};
use result::{Grade, Item, Outcome};
use scheme::Scheme;
use scheme::plan::Plan;
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
    #[arg(long, value_name = "KEY=VALUE", num_args = 1.., required_unless_present = "scheme_show")]
    engine: Vec<String>,

    /// Print the scheme, as a file for --scheme, and grade nobody
    #[arg(long)]
    scheme_show: bool,

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
    if options.scheme_show {
        print(&scheme.shown()?);
        return Ok(0);
    }
    let spec = Keys::parse(options.engine.iter().map(String::as_str))?.engine(scheme.game()?)?;
    let plan = scheme.plan()?;
    announce(std::slice::from_ref(&spec), plan.bounds())?;
    interrupt::catch()?;
    let grade = run(scheme, &plan, &spec, options.record.as_deref())?;
    let text = report::write(&grade, options.report)?;
    match &options.output {
        Some(path) => engine::agent::files::write_atomically(path, &text)
            .with_context(|| format!("{}: cannot be written", path.display()))?,
        None => print(&text),
    }
    if options.record.is_none() {
        eprintln!("{}", crate::names::NO_RECORD);
    }
    if grade.items.len() < plan.tests.len() {
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
fn run(scheme: &Scheme, plan: &Plan, agent: &EngineSpec, record: Option<&Path>) -> Result<Grade> {
    let start = Instant::now();
    let header = plan.header();
    let mut engines = vec![agent.clone()];
    engines.extend(header.engines.iter().filter(|engine| engine.name != agent.name).cloned());
    let recorder = match record {
        Some(path) => Recorder::create(path, &Event::Header(Header { engines, ..header }))?,
        None => Recorder::nowhere(),
    };
    let recorder = Mutex::new(recorder);
    let append = |event: Event| recorder.lock().unwrap_or_else(PoisonError::into_inner).append(&event);
    let bar = Progress::of(plan.tests.len(), "tests");
    let mut items: Vec<Item> = Vec::new();
    let effort = scheme.effort();
    let worked = work_off(
        plan.tests.iter(),
        scheme.settings.concurrency(),
        interrupt::asked,
        |test| Ok((test, play_test(plan, test, agent, test.number, effort, &append)?)),
        |(test, played)| {
            let item = item(plan, test, test.number, Outcome::Over(Box::new(played.end)), played.wall, played.analysis);
            let how = format!("{} of {} ({}: {})", item.points, item.most, item.word(), item.reason());
            bar.done(items.len() + 1, &format!("{}: {how}", item.name));
            items.push(item);
            Ok(Next::GoOn)
        },
    );
    bar.finish();
    worked?;
    items.sort_by_key(|item| item.number);
    Ok(Grade {
        title: plan.game.title,
        agent: agent.name.clone(),
        walls: walls_around(std::slice::from_ref(agent), plan.bounds())?.map(|walls| walls.to_string()),
        items,
        most: plan.most(),
        bonus: None,
        not_run: None,
        notes: Vec::new(),
        wall: start.elapsed().as_secs_f64(),
    })
}
