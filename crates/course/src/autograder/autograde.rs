//! `judge autograde`: takes in and grades one submission. A results.json is there from the first
//! moment.

use super::results::{as_text, details, not_graded, used_by_program, with_notes};
use super::{AutograderConfig, CONFIG, OWN_GAME};
use anyhow::{Context, Result, bail};
use arena::random;
use arena::toml_text;
use clap::Args;
use clock::cpu::children_time;
use homework::Homework;
use intake::submission::{PROGRAM, State, Submission, student_folders};
use sandbox::cpu_supply::{Supply, SupplyWatch, allowed_processors};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use terminal::output::{print, write_file};

/// Options of `judge autograde`.
#[derive(Args)]
pub struct AutogradeOptions {
    /// The configuration that judge autograder has written
    #[arg(long, value_name = "FILE", default_value = CONFIG)]
    config: PathBuf,

    /// The directory with the submission
    #[arg(long, value_name = "DIRECTORY")]
    submission: PathBuf,

    /// The file to write the results into
    #[arg(long, value_name = "FILE", default_value = "results.json")]
    results: PathBuf,
}

/// The share of the platform's time limit after which the grading ends, so that it can be reported.
const OWN_SHARE: f64 = 0.93;

/// Runs `judge autograde`.
pub fn autograde(options: &AutogradeOptions) -> Result<u8> {
    let watch = SupplyWatch::begin();
    write_results(
        options,
        &not_graded("the grading was ended before the program's first test", ""),
    )?;
    let results = grade_submission(options, &watch).unwrap_or_else(|error| {
        let why = "the judge could not grade the submission: tell your teacher";
        // What a checker fails by may quote a secret case.
        let is_secret = Homework::is_in(&options.config.with_file_name("game"));
        let error = format!("{error:#}");
        if is_secret {
            eprintln!("{error}");
        }
        not_graded(why, if is_secret { "" } else { &error })
    });
    write_results(options, &results)?;
    print(&as_text(&results));
    Ok(0)
}

fn write_results(options: &AutogradeOptions, results: &Value) -> Result<()> {
    write_file(&options.results, &format!("{results:#}\n"))
}

fn grade_submission(options: &AutogradeOptions, watch: &SupplyWatch) -> Result<Value> {
    let text = toml_text::read(&options.config)?;
    let mut config: AutograderConfig = toml_text::parse(options.config.display(), &text)?;
    if config.game == OWN_GAME {
        config.game =
            fs::canonicalize(options.config.with_file_name("game"))?.to_string_lossy().into_owned();
    }
    let end = Instant::now() + Duration::from_secs_f64(config.timeout as f64 * OWN_SHARE);
    let work = tempfile::Builder::new()
        .prefix("autograde-")
        .tempdir()
        .context("no temporary directory")?;
    let own = std::env::current_exe().context("the judge's own program cannot be found")?;
    let cpus = allowed_processors().map_or(config.cpus, |cpus| cpus.min(config.cpus));
    let (mut scheme, plan) = config.plan(options.config.parent().unwrap_or(Path::new("")), cpus)?;
    let scaled = work.path().join("scheme.toml");
    let mut drawn = String::new();
    if let Some(scheme) = &mut scheme {
        // By the file, since other programs may see the words of a command.
        if scheme.seed.is_none() {
            let seed = random::drawn();
            scheme.seed = Some(seed);
            drawn = format!("\nDice, cards and openings of this try were drawn: seed {seed}.");
        }
        fs::write(&scaled, toml::to_string(scheme)?)?;
    }
    let class = work.path().join("class");
    let mut intake = Command::new(&own);
    intake.args(["intake", "--alone", "--game", &config.game]).arg(&options.submission);
    intake.arg("--out").arg(&class);
    // Compiling gets a quarter of the time limit: the rest is for playing.
    let build = (config.timeout / 4).clamp(10, 120).to_string();
    intake.args(["--build-time", &build, "--calibrate-time", &build]);
    if let Some(name) = &config.languages {
        intake.arg("--languages").arg(options.config.with_file_name(name));
    }
    intake.args(config.scheme.iter().map(|_| format!("--scheme={}", scaled.display())));
    let late = |used: f64| {
        why_not_done(&watch.supply(), used.max(children_time().as_secs_f64()), config.timeout)
    };
    let log = match run_judge(intake, work.path(), "intake", end, &mut || Ok(())) {
        Err(_) if Instant::now() >= end => {
            return Ok(not_graded("the submission could not be imported", &late(0.0)));
        }
        log => log?,
    };
    let folder = match student_folders(&class) {
        Ok(folders) if folders.len() == 1 => folders[0].clone(),
        _ => return Ok(not_graded("nothing was handed in, or nothing that can be read", &log)),
    };
    let submission = Submission::read(&folder)?;
    let notes = format!("{}\n{}{drawn}", details(&submission), plan.note);
    let (State::Ready | State::Mended | State::DoesNotPlay, Some(command)) =
        (submission.state, &submission.command)
    else {
        let why = submission.needs.as_deref().unwrap_or("the program cannot be run");
        return Ok(not_graded(why, &details(&submission)));
    };
    // A plain folder with a file `command`: the program sees no other file that its command names.
    let plain = work.path().join("plain");
    fs::create_dir(&plain)?;
    fs::rename(folder.join(PROGRAM), plain.join(STUDENT))?;
    fs::write(plain.join(STUDENT).join("command"), format!("{command}\n"))?;
    let reports = work.path().join("reports");
    let mut grade = Command::new(&own);
    grade.args(["grade-all", "--game", &config.game, "--own-commands", "--report", "gradescope"]);
    if !config.options.iter().any(|option| option.starts_with("--wall-margin")) {
        grade.arg(format!("--wall-margin={:.1}", plan.wall_margin));
    }
    grade.arg("--reports").arg(&reports).arg("--csv").arg(work.path().join("grades.csv"));
    grade.args(scheme.iter().map(|_| format!("--scheme={}", scaled.display())));
    grade.args(&config.options).arg(&plain);
    let mut known = None;
    // The results so far are there if the platform ends the grading.
    let mut publish = || -> Result<()> {
        let report = read_report(&reports)?;
        if let Some(report) = report.clone().filter(|_| report != known) {
            write_results(options, &with_notes(report, &notes))?;
        }
        known = report;
        Ok(())
    };
    let ran = run_judge(grade, work.path(), "grade", end, &mut publish);
    let report = read_report(&reports)?;
    match (ran, report) {
        (Ok(_), Some(report)) => Ok(with_notes(report, &notes)),
        (Ok(log), None) => {
            Ok(not_graded("the program could not be run", &format!("{log}\n{notes}")))
        }
        (Err(_), report) if Instant::now() >= end => {
            let why = late(report.as_ref().map_or(0.0, used_by_program));
            let kept = format!("{why} Finished tests keep their points.\n\n{notes}");
            Ok(match report {
                Some(report) => with_notes(report, &kept),
                None => not_graded("no test was finished", &format!("{why}\n{notes}")),
            })
        }
        (Err(error), _) => Err(error),
    }
}

fn read_report(reports: &Path) -> Result<Option<Value>> {
    let path = reports.join(format!("{STUDENT}.json"));
    if !path.exists() {
        return Ok(None);
    }
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    Ok(Some(serde_json::from_str(&text)?))
}

fn why_not_done(supply: &Supply, used: f64, timeout: u64) -> String {
    let figures =
        format!("the judge and the program used {used:.1} s of CPU in {:.0} s", supply.wall);
    let share = format!("gave a busy process {:.0} % of a processor", 100.0 * supply.share);
    let why = if supply.is_short(used) {
        let causes = supply.causes.iter().map(|cause| format!("; {cause}")).collect::<String>();
        format!(
            "The machine is the reason, not the program: it {share}, and {figures}{causes}. \
             Submit again, or tell your teacher: more time or processors help."
        )
    } else if used < 0.5 * supply.wall * supply.share {
        format!(
            "The machine {share}, and {figures}: the program waits (for input, a clock or another \
             process) instead of thinking."
        )
    } else {
        format!("Tell your teacher that the clocks are too long: {figures}.")
    };
    format!("The grading took longer than the platform's {timeout} s. {why}")
}

const STUDENT: &str = "submission";
/// Of the end of a judge's log.
const LOG_BYTES: usize = 1 << 14;

/// Runs a judge in time, and returns the end of its log. Calls `meanwhile` now and then.
fn run_judge(
    mut command: Command,
    place: &Path,
    name: &str,
    end: Instant,
    meanwhile: &mut dyn FnMut() -> Result<()>,
) -> Result<String> {
    let path = place.join(format!("{name}.log"));
    let file = fs::File::create(&path)?;
    let (out, error) = (Stdio::from(file.try_clone()?), Stdio::from(file));
    let child = command.stdin(Stdio::null()).stdout(out).stderr(error).spawn();
    let code = wait(child.context("the judge cannot be started")?, end, meanwhile)?;
    let log = String::from_utf8_lossy(&fs::read(&path)?).into_owned();
    let log = log[log.ceil_char_boundary(log.len().saturating_sub(LOG_BYTES))..].to_string();
    match code {
        // Exit code 1 of `judge intake`: a submission needs the teacher.
        Some(0 | 1) => Ok(log),
        Some(code) => bail!("{name}: exit code {code}\n{log}"),
        None => bail!("{name}: not done in time"),
    }
}

fn wait(
    mut child: Child,
    end: Instant,
    meanwhile: &mut dyn FnMut() -> Result<()>,
) -> Result<Option<i32>> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status.code().unwrap_or(-1)));
        }
        if Instant::now() >= end {
            // The sandbox ends the players' processes with the judge that started them.
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        meanwhile()?;
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_late_grading_is_blamed_on_the_machine_the_program_or_the_clocks() {
        for (share, used, words) in [
            (
                0.2,
                9.9,
                "60 s. The machine is the reason, not the program: it gave a busy process 20 % of a processor",
            ),
            (0.2, 9.9, "9.9 s of CPU in 56 s; for 30 s"),
            (0.98, 9.9, "the program waits"),
            (0.98, 50.0, "the clocks are too long"),
        ] {
            let supply = Supply { wall: 56.0, share, causes: vec!["for 30 s".to_string()] };
            let why = why_not_done(&supply, used, 60);
            assert!(why.contains(words), "{why}");
        }
    }
}
