//! A program on the cases of a homework: `judge grade-cases`, and `judge grade` for the folder of a
//! homework.

use super::case_report::CaseReport;
use super::report::ReportFormat;
use anyhow::Result;
use arena::keys::Keys;
use arena::player::spec::EngineSpec;
use arena::terms::Bounds;
use clap::Args;
use homework::{CASE_TIME, CaseRuns, CaseTerms, Homework};
use std::path::PathBuf;
use terminal::games::{find, name_parser};
use terminal::interrupt;
use terminal::output::print;
use terminal::progress::Progress;
use terminal::sandbox_layers::admit;
use terminal::settings::BoxSettings;

pub(crate) fn case_time(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|seconds| *seconds > 0.0 && *seconds < 1e6);
    seconds.ok_or_else(|| "expected a positive number of seconds".to_string())
}

/// Options of `judge grade-cases`.
#[derive(Args)]
pub struct CaseOptions {
    /// The folder of cases; each case is a folder with input.txt and the expected files
    cases: PathBuf,

    /// The game
    #[arg(long, value_parser = name_parser(), default_value = "squirrels")]
    game: String,

    /// The program, as KEY=VALUE words (cmd, args, dir, name, engine)
    #[arg(long, value_name = "KEY=VALUE", num_args = 1.., required = true)]
    engine: Vec<String>,

    /// CPU seconds for each case
    #[arg(long, value_name = "SECONDS", default_value_t = CASE_TIME, value_parser = case_time)]
    time: f64,

    #[command(flatten)]
    boxes: BoxSettings,

    /// Write the report as JSON
    #[arg(long)]
    json: bool,

    /// Exit with code 1 if fewer cases are right [default: all cases]
    #[arg(long, value_name = "COUNT")]
    fail_under: Option<usize>,
}

/// Runs `judge grade-cases`.
pub fn grade_cases(options: &CaseOptions) -> Result<u8> {
    let game = find(&options.game)?;
    let spec = Keys::parse(options.engine.iter().map(String::as_str))?.engine(game)?;
    let (boxes, bounds) = (&options.boxes, options.boxes.bounds()?);
    let homework = Homework::of_cases(&options.cases, game)?;
    let format = if options.json { ReportFormat::Json } else { ReportFormat::Text };
    let (run, report) = run_program(&homework, &spec, boxes, &bounds, options.time, &[], format)?;
    print(&report);
    if run.is_interrupted {
        return Ok(interrupt::EXIT_CODE);
    }
    Ok(u8::from(run.right() < options.fail_under.unwrap_or(homework.cases.len())))
}

/// Returns the results and the report.
pub(super) fn run_program(
    homework: &Homework,
    spec: &EngineSpec,
    boxes: &BoxSettings,
    bounds: &Bounds,
    seconds: f64,
    notes: &[String],
    format: ReportFormat,
) -> Result<(CaseRuns, String)> {
    let layers = admit(std::slice::from_ref(spec), bounds, boxes.yes_unsafe, 1)?;
    let layers = layers.map(|layers| layers.to_string());
    interrupt::catch()?;
    let bar = Progress::of(homework.cases.len(), "cases");
    let terms = CaseTerms { bounds, seconds, stops_early: false, interrupted: interrupt::asked };
    let run = homework.run_cases(homework.cases.iter(), spec, &terms, |_, runs| {
        if let Some(case) = runs.results.last() {
            let how = case.wrong.as_deref().unwrap_or("right");
            bar.done(runs.results.len(), &format!("{}: {how}", case.name));
        }
        Ok(true)
    });
    bar.finish();
    let run = run?;
    let (agent, layers) = (&spec.name, layers.as_deref());
    let report =
        CaseReport { homework, run: &run, agent, layers, notes, not_run: None }.write(format);
    Ok((run, report))
}
