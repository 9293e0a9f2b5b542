//! A program on the cases of a homework: `judge grade-cases`, and `judge grade` for the folder of a
//! homework.

use super::case_report::CaseReport;
use super::case_runs::{CaseRuns, program_of};
use super::report::ReportFormat;
use anyhow::{Result, bail};
use arena::keys::Keys;
use clap::Args;
use homework::Homework;
use std::path::PathBuf;
use std::time::Duration;
use terminal::games::{find, name_parser};
use terminal::interrupt;
use terminal::output::print;
use terminal::progress::Progress;
use terminal::sandbox_layers::admit;
use terminal::settings::BoxSettings;

/// CPU seconds for a case of a homework that names none.
pub(crate) const CASE_TIME: f64 = 30.0;

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
    #[arg(long, value_name = "SECONDS", default_value_t = 30.0)]
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
    if !(options.time > 0.0 && options.time < 1e6) {
        bail!("--time: expected a positive number of seconds, found {}", options.time);
    }
    let game = find(&options.game)?;
    let spec = Keys::parse(options.engine.iter().map(String::as_str))?.engine(game)?;
    program_of(&spec)?;
    let bounds = options.boxes.bounds()?;
    let layers = admit(std::slice::from_ref(&spec), &bounds, options.boxes.yes_unsafe, 1)?
        .map(|layers| layers.to_string());
    interrupt::catch()?;
    let homework = Homework::of_cases(&options.cases, game.name, game.title, game.files)?;
    let clock = Duration::from_secs_f64(options.time);
    let run = with_progress(&homework, |tell| {
        CaseRuns::of(&homework, &spec, &bounds, clock, false, tell)
    })?;
    let report = CaseReport {
        homework: &homework,
        run: &run,
        agent: &spec.name,
        layers: layers.as_deref(),
        notes: &[],
    };
    let format = if options.json { ReportFormat::Json } else { ReportFormat::Text };
    print(&report.write(format));
    if run.is_interrupted {
        return Ok(interrupt::EXIT_CODE);
    }
    Ok(u8::from(run.right() < options.fail_under.unwrap_or(homework.cases.len())))
}

/// Shows the progress that `run` tells.
pub(super) fn with_progress<T>(
    homework: &Homework,
    run: impl FnOnce(&mut dyn FnMut(&CaseRuns) -> Result<()>) -> T,
) -> T {
    let bar = Progress::new(homework.cases.len());
    let result = run(&mut |runs| {
        let Some(case) = runs.results.last() else { return Ok(()) };
        let how = case.wrong.as_deref().unwrap_or("right");
        bar.done(runs.results.len(), &format!("{}: {how}", case.name));
        Ok(())
    });
    bar.finish();
    result
}
