//! `judge grade-cases`: grades a program whose output files are compared with expected ones.

use anyhow::{Result, bail};
use arena::keys::Keys;
use arena::player::case::CasePlayer;
use clap::Args;
use intake::cases::{CaseResult, Cases, program_of};
use serde_json::json;
use std::path::PathBuf;
use std::time::Duration;
use terminal::games::find;
use terminal::games::name_parser;
use terminal::interrupt;
use terminal::output::print;
use terminal::progress::Progress;
use terminal::sandbox_layers::admit;
use terminal::settings::BoxSettings;

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
    let Some(program) = program_of(&spec.kind) else {
        bail!(
            "--engine: expected a program (cmd= or engine={}), found a reference player",
            options.game
        );
    };
    let bounds = options.boxes.bounds()?;
    let layers = admit(std::slice::from_ref(&spec), &bounds, options.boxes.yes_unsafe, 1)?
        .map(|layers| layers.to_string());
    interrupt::catch()?;
    let all = Cases::list(&options.cases, game.files.input)?;
    let folders = &all.folders;
    let bar = Progress::new(folders.len());
    let mut cases = Vec::new();
    for folder in folders {
        if interrupt::asked() {
            break;
        }
        let player = CasePlayer::new(&program, game.files, &bounds)?;
        let case = all.run(folder, &player, Duration::from_secs_f64(options.time))?;
        let how = case.wrong.as_deref().unwrap_or("right");
        bar.done(cases.len() + 1, &format!("{}: {how}", case.name));
        cases.push(case);
    }
    bar.finish();
    print(&if options.json {
        as_json(&cases, folders.len(), &spec.name, game.title, layers.as_deref(), &[])
    } else {
        as_text(&cases, folders.len(), &spec.name, game.title, layers.as_deref())
    });
    if cases.len() < folders.len() {
        return Ok(interrupt::EXIT_CODE);
    }
    let (right, _) = percent(&cases, folders.len());
    Ok(u8::from(right < options.fail_under.unwrap_or(folders.len())))
}

/// Returns the number of right cases, and their percentage.
fn percent(cases: &[CaseResult], count: usize) -> (usize, f64) {
    let right = cases.iter().filter(|case| case.wrong.is_none()).count();
    (right, 100.0 * right as f64 / count as f64)
}

/// Returns the report as text.
pub(crate) fn as_text(
    cases: &[CaseResult],
    count: usize,
    agent: &str,
    title: &str,
    layers: Option<&str>,
) -> String {
    let mut text = format!("{title}: {agent}\n");
    for CaseResult { name, cpu, wrong, .. } in cases {
        let how = wrong.as_deref().map_or("right".to_string(), |wrong| format!("WRONG  {wrong}"));
        text += &format!("  {name:<32} {cpu:>7.2} s  {how}\n");
    }
    let (right, percent) = percent(cases, count);
    text += &format!("{right} of {count} cases right: {percent:.1} %\n");
    text + &layers
        .map_or(String::new(), |layers| format!("Sandbox layers around the program: {layers}\n"))
}

/// Returns the report as JSON, with notes on the submission.
pub(crate) fn as_json(
    cases: &[CaseResult],
    count: usize,
    agent: &str,
    title: &str,
    layers: Option<&str>,
    notes: &[String],
) -> String {
    let list: Vec<_> = cases
        .iter()
        .map(|case| json!({ "case": case.name, "cpu": case.cpu, "right": case.wrong.is_none(), "wrong": case.wrong }))
        .collect();
    let (right, percent) = percent(cases, count);
    let report = json!({
        "game": title, "agent": agent, "cases": list, "right": right, "count": count, "percent": percent, "layers": layers,
        "notes": notes,
    });
    format!("{report:#}\n")
}
