//! `judge grade-cases`: grades a program whose output files are compared with expected ones. A case is a folder with
//! `input.txt` and the expected files.

use anyhow::{Context, Result, bail};
use arena::keys::Keys;
use arena::plain;
use arena::player::case::{CasePlayer, CaseRun};
use arena::player::exit::Program;
use arena::player::spec::PlayerKind;
use clap::Args;
use engine::protocol::quote;
use engine::protocol::without_mark;
use serde_json::json;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use terminal::games::find;
use terminal::games::name_parser;
use terminal::interrupt;
use terminal::layers::{announce, check_agreed};
use terminal::output::print;
use terminal::progress::Progress;
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
    settings: BoxSettings,

    /// Write the report as JSON
    #[arg(long)]
    json: bool,

    /// Exit with code 1 if fewer cases are right [default: all cases]
    #[arg(long, value_name = "COUNT")]
    fail_under: Option<usize>,
}

/// The result of a case.
struct Case {
    name: String,
    cpu: f64,
    /// The difference from the expected files, if there is one.
    wrong: Option<String>,
}

/// Runs `judge grade-cases`.
pub fn grade_cases(options: &CaseOptions) -> Result<u8> {
    if !(options.time > 0.0 && options.time < 1e6) {
        bail!("--time: expected a positive number of seconds, found {}", options.time);
    }
    let game = find(&options.game)?;
    let spec = Keys::parse(options.engine.iter().map(String::as_str))?.engine(game)?;
    let PlayerKind::Files { command, directory, own_command } = &spec.kind else {
        bail!("--engine: expected a program (cmd= or engine={}), found a reference player", options.game);
    };
    let program = Program { command, home: directory.as_deref(), own_command: *own_command };
    let bounds = options.settings.bounds_of_known()?;
    check_agreed(std::slice::from_ref(&spec), &bounds, options.settings.yes_unsafe)?;
    let layers = announce(std::slice::from_ref(&spec), &bounds)?;
    interrupt::catch()?;
    let folders = case_folders(&options.cases, game.files.input)?;
    let bar = Progress::new(folders.len());
    let mut cases = Vec::new();
    for folder in &folders {
        if interrupt::asked() {
            break;
        }
        let player = CasePlayer::new(&program, game.files, &bounds)?;
        let case = run_case(folder, game.files.input, &player, Duration::from_secs_f64(options.time))?;
        let how = case.wrong.as_deref().unwrap_or("right");
        bar.done(cases.len() + 1, &format!("{}: {how}", case.name));
        cases.push(case);
    }
    bar.finish();
    let right = cases.iter().filter(|case| case.wrong.is_none()).count();
    print(&if options.json {
        as_json(&cases, folders.len(), &spec.name, game.title, layers.as_deref())
    } else {
        as_text(&cases, folders.len(), &spec.name, game.title, layers.as_deref())
    });
    if cases.len() < folders.len() {
        return Ok(interrupt::EXIT_CODE);
    }
    Ok(u8::from(right < options.fail_under.unwrap_or(folders.len())))
}

/// Returns the folders of cases in the order of their names.
fn case_folders(cases: &Path, input: &str) -> Result<Vec<PathBuf>> {
    let within = || format!("{}: cannot be read", cases.display());
    let mut folders = Vec::new();
    for entry in fs::read_dir(cases).with_context(within)? {
        let path = entry.with_context(within)?.path();
        if path.join(input).is_file() {
            folders.push(path);
        }
    }
    folders.sort();
    if folders.is_empty() {
        bail!("{}: no folder with a file {input}", cases.display());
    }
    Ok(folders)
}

/// Runs the program on a case, and compares the files.
fn run_case(folder: &Path, input: &str, player: &CasePlayer, clock: Duration) -> Result<Case> {
    let name = plain::name(folder.file_name().unwrap_or_default());
    let read = |path: &Path| fs::read_to_string(path).with_context(|| format!("{}: cannot be read", path.display()));
    let mut expected = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let file = path.file_name().unwrap_or_default().to_owned();
        if file != input && path.is_file() {
            expected.push((file, read(&path)?));
        }
    }
    if expected.is_empty() {
        bail!("{}: no expected file beside {input}", folder.display());
    }
    expected.sort();
    let CaseRun { cpu, lost, fault, .. } = player.run(&read(&folder.join(input))?, clock)?;
    let late =
        (cpu > clock.as_secs_f64()).then(|| format!("{cpu:.2} s of CPU, more than {:.2} s", clock.as_secs_f64()));
    let wrong = late.or_else(|| {
        let differs = |(file, text): &(OsString, String)| {
            // A file that is longer than this differs in any case.
            let found = player.read(file.as_ref(), 2 * text.len() as u64 + 1024);
            let file = plain::name(file);
            found.map_or_else(|why| Some(format!("{file} {why}")), |found| difference(&file, text, &found))
        };
        let wrong = expected.iter().find_map(differs);
        match (wrong, fault) {
            (None, Some(fault)) if lost => Some(fault),
            (Some(wrong), Some(fault)) => Some(format!("{wrong} ({fault})")),
            (wrong, _) => wrong,
        }
    });
    Ok(Case { name, cpu, wrong })
}

/// Returns the first difference between two texts. The kind of line ends, blank lines at the end and a byte-order mark do
/// not count.
fn difference(file: &str, expected: &str, found: &str) -> Option<String> {
    let lines = |text: &str| -> Vec<String> { without_mark(text).trim_end().lines().map(str::to_string).collect() };
    let (expected, found) = (lines(expected), lines(found));
    for (number, (right, line)) in expected.iter().zip(&found).enumerate() {
        if right != line {
            return Some(format!("{file}:{}: expected {}, found {}", number + 1, quote(right), quote(line)));
        }
    }
    let (right, have) = (expected.len(), found.len());
    (right != have).then(|| format!("{file}: expected {right} lines, found {have}"))
}

/// Returns the number of right cases, and their percentage.
fn percent(cases: &[Case], count: usize) -> (usize, f64) {
    let right = cases.iter().filter(|case| case.wrong.is_none()).count();
    (right, 100.0 * right as f64 / count as f64)
}

/// Returns the report as text.
fn as_text(cases: &[Case], count: usize, agent: &str, title: &str, layers: Option<&str>) -> String {
    let mut text = format!("{title}: {agent}\n");
    for Case { name, cpu, wrong } in cases {
        let how = wrong.as_deref().map_or("right".to_string(), |wrong| format!("WRONG  {wrong}"));
        text += &format!("  {name:<32} {cpu:>7.2} s  {how}\n");
    }
    let (right, percent) = percent(cases, count);
    text += &format!("{right} of {count} cases right: {percent:.1} %\n");
    text + &layers.map_or(String::new(), |layers| format!("Sandbox layers around the program: {layers}\n"))
}

/// Returns the report as JSON.
fn as_json(cases: &[Case], count: usize, agent: &str, title: &str, layers: Option<&str>) -> String {
    let list: Vec<_> = cases
        .iter()
        .map(|case| json!({ "case": case.name, "cpu": case.cpu, "right": case.wrong.is_none(), "wrong": case.wrong }))
        .collect();
    let (right, percent) = percent(cases, count);
    let report = json!({
        "game": title, "agent": agent, "cases": list, "right": right, "count": count, "percent": percent, "walls": layers,
    });
    format!("{report:#}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_and_the_final_newline_do_not_count_but_all_else_does() {
        assert_eq!(difference("f", "a\r\nb", "a\nb\n\n"), None);
        assert_eq!(difference("f", "a\r\nb", "\u{feff}a\nb\n"), None);
        assert_eq!(difference("f", "\u{feff}a\nb", "a\nb\n"), None);
        assert_eq!(difference("f", "a\nb\n", "a\nc\n").unwrap(), "f:2: expected 'b', found 'c'");
        assert_eq!(difference("f", "a\nb\n", "a\n").unwrap(), "f: expected 2 lines, found 1");
        assert!(difference("f", "a\n", " a\n").is_some());
        assert!(difference("f", "a\n\nb\n", "a\nb\n").is_some());
    }
}
