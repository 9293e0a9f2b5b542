//! The command line of `judge try`.

use crate::build::environment::{Environment, asked_programs};
use crate::one_upload::{UploadLimits, take_in_upload};
use crate::preflight::cases::try_cases;
use crate::preflight::terms::{MAX_PLIES, TryTerms};
use crate::preflight::test_positions::{TestPosition, test_positions};
use crate::preflight::{Tally, try_program};
use anyhow::{Context, Result, bail};
use arena::keys::Keys;
use arena::plain::shown;
use arena::player::spec::EngineSpec;
use arena::terms::Bounds;
use clap::Args;
use files::write_atomically;
use homework::{Assignment, Homework};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;
use tempfile::TempDir;
use terminal::games::{GameOption, rules_line, strict_rules};
use terminal::interrupt;
use terminal::output::print;
use terminal::sandbox_layers::warn_author;

/// Example for the command's help.
pub const EXAMPLE: &str = "\
Examples:
  judge try --game halma --cmd 'python3 homework.py'
  judge try --game wolves --cmd 'java -cp . Agent' --dir build
  judge try --game halma --hand-in homework.zip (unpacked and built as by a grader)
  judge try --game halma --positions here       (the ten positions as here/1.txt to here/10.txt)
Exit code: 0 a grader would accept the program; 1 something has to be fixed; 2 the program cannot be run; 130 interrupted.";

/// Options of `judge try`.
#[derive(Args)]
pub struct TryOptions {
    #[command(flatten)]
    game: GameOption,

    /// The program and its arguments, as you would type them here
    #[arg(long, value_name = "COMMAND", required_unless_present_any = ["positions", "hand_in"])]
    cmd: Option<String>,

    /// A directory whose copy the program runs in, for programs that need more than one file
    #[arg(long, value_name = "DIRECTORY")]
    dir: Option<PathBuf>,

    /// The file that you hand in, or a folder with all files that you hand in: it is taken in as by
    /// `judge intake`, and the program that is found there is tried
    #[arg(long, value_name = "FILE", conflicts_with_all = ["cmd", "dir", "positions"])]
    hand_in: Option<PathBuf>,

    /// The rule set by which moves are refused [default: the strictest]
    #[arg(long, value_name = "NAME")]
    rules: Option<String>,

    /// End each of the two games after this number of plies
    #[arg(long, value_name = "COUNT", default_value_t = MAX_PLIES, value_parser = clap::value_parser!(u32).range(1..))]
    plies: u32,

    /// Seconds of CPU time for each of the two games, as your grader gives: they are played to
    /// their ends [default: 10 s, and what the starts of the program take]
    #[arg(long, value_name = "SECONDS", value_parser = positive_seconds)]
    clock: Option<f64>,

    /// Also compare this machine with the `[environment]` of the grading's scheme
    #[arg(long, value_name = "FILE")]
    scheme: Option<PathBuf>,

    /// Run no program; write the ten positions into this directory as input files
    #[arg(long, value_name = "DIRECTORY", conflicts_with = "cmd")]
    positions: Option<PathBuf>,

    /// Also as root, run a program that left no output file once more without a sandbox, to find
    /// the file
    #[arg(long)]
    yes_unsafe: bool,
}

/// Runs `judge try`.
pub fn preflight(options: &TryOptions) -> Result<ExitCode> {
    let mut assignment = options.game.assignment()?;
    assignment.ask_for(asked_programs(options.scheme.as_deref())?);
    let game = match &assignment {
        Assignment::Game(game) => *game,
        Assignment::Homework(homework) => return try_homework(homework, &assignment, options),
    };
    let rules = strict_rules(game, options.rules.as_deref())?;
    if let Some(directory) = &options.positions {
        return write_positions(directory, &test_positions(game, rules, None)?);
    }
    let may_leave_sandbox = options.yes_unsafe || !sandbox::system::is_root();
    let usual = TryTerms::new(rules);
    let terms =
        TryTerms { plies: options.plies, game_clock: options.clock, may_leave_sandbox, ..usual };
    warn_author(&terms.bounds)?;
    let Some(tried) = options.tried(&assignment, &terms.bounds)? else {
        return Ok(ExitCode::FAILURE);
    };
    tried.compare_environment(options, None)?;
    let rules_line = rules_line(game, rules);
    print(&format!("{rules_line}{}: {}\n\n", game.title, shown(&tried.command)));
    let tally = try_program(game, tried.you, terms, &mut print)?;
    Ok(ExitCode::from(match tally {
        Tally { interrupted: true, .. } => interrupt::EXIT_CODE,
        Tally { wrong, doubtful, .. } => u8::from(wrong + doubtful > 0),
    }))
}

/// The program that is tried.
struct Tried {
    you: EngineSpec,
    command: String,
    /// Where it lies, if it was handed in.
    _place: Option<TempDir>,
}

impl Tried {
    /// Prints what the grading has, beside what is here.
    fn compare_environment(&self, options: &TryOptions, homework: Option<&Homework>) -> Result<()> {
        let python = self.command.split(' ').next().filter(|first| first.starts_with("py"));
        let environment = Environment::of(options.scheme.as_deref(), homework)?;
        for (need, has, is_met) in environment.survey(python.unwrap_or("python3").as_ref())? {
            let how = if is_met { "as here" } else { "not as here" };
            print(&format!("The grading has {need}, {how}: {has}\n"));
        }
        Ok(())
    }
}

impl TryOptions {
    /// The program to try; none if there is none in what is handed in, which is told.
    fn tried(&self, assignment: &Assignment, bounds: &Bounds) -> Result<Option<Tried>> {
        interrupt::catch()?;
        if let Some(path) = &self.hand_in {
            return handed_in(path, assignment, bounds);
        }
        let command = self.cmd.clone().unwrap_or_default();
        let mut words = vec!["name=you".to_string(), format!("cmd={command}")];
        words.extend(self.dir.as_ref().map(|dir| format!("dir={}", dir.display())));
        let you = assignment.program(Keys::parse(words.iter().map(String::as_str))?)?;
        Ok(Some(Tried { you, command, _place: None }))
    }
}

/// Takes in what a student hands in, as `judge intake` does where its options are not given, and
/// prints what it has found.
fn handed_in(path: &Path, assignment: &Assignment, bounds: &Bounds) -> Result<Option<Tried>> {
    let place = tempfile::tempdir()?;
    let (alone, out) = (place.path().join("upload"), place.path().join("out"));
    fs::create_dir(&out)?;
    let name = path.file_name().unwrap_or(path.as_os_str());
    let upload = if path.is_dir() {
        path
    } else {
        fs::create_dir(&alone)?;
        fs::copy(path, alone.join(name)).with_context(|| path.display().to_string())?;
        &alone
    };
    let limits = UploadLimits {
        bounds: bounds.clone(),
        build_time: Duration::from_secs(60),
        build_mib: 2048,
        size_mib: 64,
        files: 2000,
        languages: None,
    };
    let taken = take_in_upload(assignment, upload, &out, "you", &limits)?;
    let name = shown(&name.to_string_lossy());
    print(&format!("{name}, as judge intake takes it in:\n{}", taken.told()));
    let Some(command) = taken.submission.command else {
        print(&format!(
            "to fix it: put one program into {name}, its source and all files that it needs, called \
             as your course asks, or homework.py, homework.cpp, Homework.java and so on\n"
        ));
        return Ok(None);
    };
    if let Some(protocol) = &taken.submission.protocol {
        bail!("{name}: judge try plays by files; judge match takes it with proto={protocol}");
    }
    let keys = Keys::of_submission(command.clone(), taken.program, "you", true);
    Ok(Some(Tried { you: assignment.program(keys)?, command, _place: Some(place) }))
}

/// Tries a program on the cases that students know.
fn try_homework(
    homework: &Homework,
    assignment: &Assignment,
    options: &TryOptions,
) -> Result<ExitCode> {
    if options.positions.is_some() {
        bail!("--positions: a homework has none; its cases lie in {}", homework.folder.display());
    }
    let bounds = TryTerms::new("").bounds;
    warn_author(&bounds)?;
    let Some(tried) = options.tried(assignment, &bounds)? else {
        return Ok(ExitCode::FAILURE);
    };
    tried.compare_environment(options, Some(homework))?;
    print(&format!("{}: {}\n\n", homework.title, shown(&tried.command)));
    try_cases(homework, &tried.you, &bounds)
}

fn write_positions(directory: &Path, tests: &[TestPosition]) -> Result<ExitCode> {
    fs::create_dir_all(directory)?;
    for (index, test) in tests.iter().enumerate() {
        let file = directory.join(format!("{}.txt", index + 1));
        write_atomically(&file, &test.input)?;
        print(&format!("{}  {}\n", file.display(), test.title));
    }
    Ok(ExitCode::SUCCESS)
}

fn positive_seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|&seconds: &f64| seconds > 0.0 && seconds < 1e6);
    seconds.ok_or_else(|| "expected a positive number of seconds such as 30 or 6.5".to_string())
}
