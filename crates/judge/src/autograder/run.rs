//! `judge autograde`: one submission taken in and graded, and a results.json in any case.

use super::results::{details, not_graded, shown, with_notes};
use super::{CONFIG, Config};
use crate::output::print;
use crate::submission::{PROGRAM, State, Submission, folders};
use crate::toml_text::parse;
use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use engine::agent::files::{read_input, write_atomically};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Options of `judge autograde`.
#[derive(Args)]
pub(crate) struct AutogradeOptions {
    /// The file autograder.toml, as judge autograder has made it
    #[arg(long, value_name = "FILE", default_value = CONFIG)]
    config: PathBuf,

    /// The directory with the submission
    #[arg(long, value_name = "DIRECTORY")]
    submission: PathBuf,

    /// The file to leave
    #[arg(long, value_name = "FILE", default_value = "results.json")]
    results: PathBuf,
}

/// The part of a platform's time after which the grading is ended here, so that there is time to say so.
const OWN_PART: f64 = 0.93;

/// `judge autograde`.
pub(crate) fn autograde(options: &AutogradeOptions) -> Result<u8> {
    let start = Instant::now();
    let results = graded(options, start)
        .unwrap_or_else(|error| not_graded("the judge could not grade it: tell your teacher", &format!("{error:#}")));
    let text = format!("{results:#}\n");
    write_atomically(&options.results, &text)
        .with_context(|| format!("{}: cannot be written", options.results.display()))?;
    print(&shown(&results));
    Ok(0)
}

fn graded(options: &AutogradeOptions, start: Instant) -> Result<Value> {
    let config = read_config(&options.config)?;
    let end = start + Duration::from_secs_f64(config.timeout as f64 * OWN_PART);
    let work = tempfile::Builder::new().prefix("autograde-").tempdir().context("no directory to work in")?;
    let own = std::env::current_exe().context("the judge's own program cannot be found")?;
    let beside = |name: &str| options.config.with_file_name(name);
    let class = work.path().join("class");
    let mut intake = Command::new(&own);
    intake
        .arg("intake")
        .arg(&options.submission)
        .arg("--alone")
        .args(["--game", &config.game])
        .arg("--out")
        .arg(&class);
    // Half of the time for compiling would leave nothing for playing.
    let build = (config.timeout / 4).clamp(10, 120).to_string();
    intake.args(["--build-time", &build, "--calibrate-time", &build]);
    intake.args(config.languages.iter().map(|name| format!("--languages={}", beside(name).display())));
    let said = run(intake, work.path(), "intake", end)?;
    let folder = match folders(&class) {
        Ok(folders) if folders.len() == 1 => folders[0].clone(),
        // Nothing was handed in.
        _ => return Ok(not_graded("nothing was handed in, or nothing that can be read", &said)),
    };
    let submission = Submission::read(&folder)?;
    let notes = format!("{}\n{}", details(&submission), config.said);
    let (State::Ready | State::Mended, Some(command)) = (submission.state, &submission.command) else {
        return Ok(not_graded(submission.needs.as_deref().unwrap_or("it cannot be run"), &details(&submission)));
    };
    // A plain folder with its command: nothing that the command names is shown to it.
    let plain = work.path().join("plain");
    fs::create_dir(&plain)?;
    fs::rename(folder.join(PROGRAM), plain.join("submission"))?;
    fs::write(plain.join("submission/command"), format!("{command}\n"))?;
    let reports = work.path().join("reports");
    let mut grade = Command::new(&own);
    grade.args(["grade-all", "--game", &config.game, "--own-commands", "--report", "gradescope", "--reports"]);
    grade.arg(&reports).arg("--csv").arg(work.path().join("grades.csv"));
    grade.args(config.scheme.iter().map(|name| format!("--scheme={}", beside(name).display())));
    grade.args(&config.options).arg(&plain);
    let said = match run(grade, work.path(), "grade", end) {
        Ok(said) => said,
        Err(error) if Instant::now() >= end => {
            let why = format!("the grading took longer than the platform's {} s", config.timeout);
            return Ok(not_graded(
                &why,
                &format!("{error:#}; a program that waits instead of thinking does that\n{notes}"),
            ));
        }
        Err(error) => return Err(error),
    };
    let report = fs::read_dir(&reports).into_iter().flatten().flatten().next();
    let Some(report) = report else { return Ok(not_graded("it could not be run", &format!("{said}\n{notes}"))) };
    let text = fs::read_to_string(report.path())?;
    Ok(with_notes(serde_json::from_str(&text)?, &notes))
}

fn read_config(path: &Path) -> Result<Config> {
    let name = path.display();
    let text = read_input(path).with_context(|| format!("{name}: cannot be read"))?;
    parse(&text).map_err(|error| anyhow!("{name}:{error}"))
}

/// The longest piece of what a judge says that is handed on, in bytes.
const MOST_SAID: usize = 1 << 14;

/// Runs a judge in a directory until it ends or the time is over; what it said. An error if it did not end well.
fn run(mut command: Command, place: &Path, name: &str, end: Instant) -> Result<String> {
    let log = place.join(format!("{name}.log"));
    let file = fs::File::create(&log)?;
    let (out, error) = (Stdio::from(file.try_clone()?), Stdio::from(file));
    let child = command.stdin(Stdio::null()).stdout(out).stderr(error).spawn();
    let code = wait(child.context("the judge cannot be started")?, end)?;
    let said = String::from_utf8_lossy(&fs::read(&log)?).into_owned();
    let said = said[said.ceil_char_boundary(said.len().saturating_sub(MOST_SAID))..].to_string();
    match code {
        // An intake that needs the teacher has done its work.
        Some(0 | 1) => Ok(said),
        Some(code) => bail!("{name}: exit code {code}\n{said}"),
        None => bail!("{name}: not done in time"),
    }
}

/// The exit code of a judge; `None` if it had to be ended.
fn wait(mut child: Child, end: Instant) -> Result<Option<i32>> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status.code().unwrap_or(-1)));
        }
        if Instant::now() >= end {
            // What runs in boxes ends with the judge that started it.
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}
