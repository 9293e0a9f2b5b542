//! `judge grade`: grades one agent by a scheme, with the reason and evidence of each lost point.

pub(crate) mod baseline;
pub(crate) mod case_report;
pub(crate) mod cases;
pub(crate) mod play_test;
pub(crate) mod report;
pub(crate) mod result;
pub(crate) mod scheme;

pub use cases::{CaseOptions, grade_cases};
pub(crate) use report::ReportFormat;

use anyhow::{Context, Result, bail};
use arena::keys::Keys;
use arena::player::spec::EngineSpec;
use arena::pool::{Next, work_off};
use arena::record::{Event, Header, Recorder};
use cases::run_program;
use clap::Args;
use clock::lock;
use homework::{CASE_TIME, Homework, Points};
use intake::runtime::Runtimes;
use play_test::{count_together, graded_test, play_test};
use result::{Grade, GradedTest};
use sandbox::layers::Layers;
use scheme::SchemeOptions;
use scheme::plan::GradingPlan;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Instant;
use terminal::interrupt;
use terminal::output::{new_record, print, write_file};
use terminal::progress::Progress;
use terminal::sandbox_layers::admit;
use terminal::settings::tell_drawn;

/// Options of `judge grade`.
#[derive(Args)]
pub struct GradeOptions {
    #[command(flatten)]
    scheme: SchemeOptions,

    /// The agent, as KEY=VALUE words (cmd, args, dir, name, engine, margin, proto)
    #[arg(long, value_name = "KEY=VALUE", num_args = 1.., required_unless_present = "scheme_show")]
    engine: Vec<String>,

    /// Print the scheme in the format of --scheme, and grade nothing
    #[arg(long)]
    scheme_show: bool,

    /// The format of the report
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    report: ReportFormat,

    /// Write the report to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Write every move to this new file of JSON lines, for `judge replay` [default: graded.jsonl,
    /// which is replaced]
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,

    /// Replace the file of --record if it is an older record
    #[arg(long, requires = "record")]
    overwrite: bool,

    /// Exit with code 1 if the agent gets fewer points; `all` for all points of the scheme
    #[arg(long, value_name = "POINTS", value_parser = pass_mark)]
    fail_under: Option<f64>,
}

/// Reads the points to reach; all of them are infinite.
fn pass_mark(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        _ if text == "all" => Ok(f64::INFINITY),
        Ok(points) if points.is_finite() => Ok(points),
        _ => Err("expected a number of points, or all".to_string()),
    }
}

/// Runs `judge grade`.
pub fn grade(options: &GradeOptions) -> Result<u8> {
    let scheme = &options.scheme;
    if options.scheme_show {
        print(&toml::to_string(&scheme.data()?).context("the scheme cannot be written")?);
        return Ok(0);
    }
    let assignment = scheme.game.assignment()?;
    let spec = assignment.program(Keys::parse(options.engine.iter().map(String::as_str))?)?;
    if let Some(homework) = assignment.homework() {
        return grade_homework(options, homework, &spec);
    }
    let plan = scheme.plan(None, false)?;
    plan.check_player(&spec)?;
    let (rules, concurrency) = (&plan.game.rules, scheme.concurrency as usize);
    let specs = std::slice::from_ref(&spec);
    let at_a_time = concurrency * plan.game.programs_at_a_time();
    let layers = admit(specs, &plan.bounds, scheme.boxes.yes_unsafe, at_a_time)?;
    Runtimes::new(&plan.bounds).check(specs)?;
    if rules.rule_sets().len() > 1 {
        eprintln!("rules: {} (by the scheme)", rules.check_rules(plan.header().rules.as_deref())?);
    }
    eprintln!("{}", plan.announcement(concurrency, 1));
    interrupt::catch()?;
    let (recorder, kept) = recorder(options, &plan, &spec)?;
    plan.drawn.into_iter().for_each(tell_drawn);
    let grade = grade_agent(scheme, &plan, &spec, layers, recorder)?;
    options.put_out(&report::write(&grade, options.report))?;
    if let Some(path) = kept {
        let path = path.display();
        eprintln!(
            "the moves are in {path}: judge replay {path} --html games.html, judge analyse {path}"
        );
    }
    if grade.tests.len() < plan.tests.len() {
        return Ok(interrupt::EXIT_CODE);
    }
    let (points, most) = grade.points();
    Ok(options.pass(points, most))
}

impl GradeOptions {
    fn put_out(&self, report: &str) -> Result<()> {
        match &self.output {
            Some(path) => write_file(path, report),
            None => {
                print(report);
                Ok(())
            }
        }
    }

    fn pass(&self, points: f64, most: f64) -> u8 {
        let mark = self.fail_under.map_or(0.0, |mark| if mark.is_finite() { mark } else { most });
        u8::from(points < mark)
    }
}

fn grade_homework(options: &GradeOptions, homework: &Homework, spec: &EngineSpec) -> Result<u8> {
    let scheme = &options.scheme;
    scheme.refuse_keys_of_games()?;
    if options.record.is_some() {
        bail!("--record: a homework has no moves");
    }
    let (bounds, graded_with) = scheme.prepare(Some(homework))?;
    Runtimes::new(&bounds).check(std::slice::from_ref(spec))?;
    let (notes, boxes) = (graded_with.as_slice(), &scheme.boxes);
    let (run, report) =
        run_program(homework, spec, boxes, &bounds, CASE_TIME, notes, options.report)?;
    options.put_out(&report)?;
    run.for_teacher(homework).iter().for_each(|line| eprintln!("for the teacher: {line}"));
    if let Some(why) = &run.unjudged {
        bail!("{why}");
    }
    if run.is_interrupted {
        return Ok(interrupt::EXIT_CODE);
    }
    let Points { points, most, .. } = homework.points(&run.results);
    Ok(options.pass(points, most))
}

const USUAL_RECORD: &str = "graded.jsonl";

/// Returns the record, and its file if the moves are kept. If a usual record cannot be written,
/// they are not.
fn recorder(
    options: &GradeOptions,
    plan: &GradingPlan,
    agent: &EngineSpec,
) -> Result<(Recorder, Option<PathBuf>)> {
    let header = plan.header();
    let mut engines = vec![agent.clone()];
    engines.extend(header.engines.iter().filter(|engine| engine.name != agent.name).cloned());
    let header = Header { engines, ..header };
    let path = options.record.clone().unwrap_or_else(|| USUAL_RECORD.into());
    let overwrite = options.overwrite || options.record.is_none();
    match new_record(&path, header, overwrite, "--overwrite replaces it") {
        Err(error) if options.record.is_none() => {
            eprintln!("the moves are not kept: {error:#}");
            Ok((Recorder::nowhere(), None))
        }
        created => Ok((created?, Some(path))),
    }
}

fn grade_agent(
    scheme: &SchemeOptions,
    plan: &GradingPlan,
    agent: &EngineSpec,
    layers: Option<Layers>,
    recorder: Recorder,
) -> Result<Grade> {
    let start = Instant::now();
    baseline::baselines(plan)?;
    let recorder = Mutex::new(recorder);
    let append = |event: Event| lock(&recorder).append(&event);
    let bar = Progress::of(plan.tests.len(), "tests");
    let mut graded: Vec<GradedTest> = Vec::new();
    let effort = scheme.effort(plan.game);
    let worked = work_off(
        plan.tests.iter(),
        scheme.concurrency as usize,
        interrupt::asked,
        |test| Ok((test, play_test(plan, test, agent, test.number, effort, &append)?)),
        |(test, played)| {
            let test = graded_test(plan, test, test.number, played);
            let how =
                format!("{} of {} ({}: {})", test.points, test.most, test.word(), test.reason());
            bar.done(graded.len() + 1, &format!("{}: {how}", test.name));
            graded.push(test);
            Ok(Next::GoOn)
        },
    );
    bar.finish();
    worked?;
    graded.sort_by_key(|test| test.number);
    count_together(plan, &mut graded);
    let mut grade = Grade {
        title: plan.game.title.to_string(),
        agent: agent.name.clone(),
        sandbox_layers: layers.map(|layers| layers.to_string()),
        tests: graded,
        most: plan.most(),
        notes: plan.graded_with.iter().cloned().collect(),
        wall: start.elapsed().as_secs_f64(),
        ..Grade::default()
    };
    grade.note_machine_and_games(plan.game);
    Ok(grade)
}
