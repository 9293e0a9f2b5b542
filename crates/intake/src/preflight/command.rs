//! The command line of `judge try`.

use super::cases::try_cases;
use super::terms::{MAX_PLIES, TryTerms};
use super::test_positions::{TestPosition, test_positions};
use super::try_run::{Tally, try_program};
use crate::build::environment::Environment;
use anyhow::{Result, bail};
use arena::keys::Keys;
use arena::plain::shown;
use arena::player::spec::EngineSpec;
use clap::Args;
use files::write_atomically;
use homework::{Assignment, Homework};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use terminal::games::{GameOption, rules_line, strict_rules};
use terminal::interrupt;
use terminal::output::print;
use terminal::sandbox_layers::warn_author;

/// Example for the command's help.
pub const EXAMPLE: &str = "\
Examples:
  judge try --game halma --cmd 'python3 homework.py'
  judge try --game wolves --cmd 'java -cp . Agent' --dir build
  judge try --game halma --positions here       (the ten positions as here/1.txt to here/10.txt)
Exit code: 0 a grader would accept the program; 1 something has to be fixed; 2 the program cannot be run; 130 interrupted.";

/// Options of `judge try`.
#[derive(Args)]
pub struct TryOptions {
    #[command(flatten)]
    game: GameOption,

    /// The program and its arguments, as you would type them here
    #[arg(long, value_name = "COMMAND", required_unless_present = "positions")]
    cmd: Option<String>,

    /// A directory whose copy the program runs in, for programs that need more than one file
    #[arg(long, value_name = "DIRECTORY")]
    dir: Option<PathBuf>,

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
    let assignment = options.game.assignment()?;
    let game = match &assignment {
        Assignment::Game(game) => *game,
        Assignment::Homework(homework) => return try_homework(homework, &assignment, options),
    };
    let rules = strict_rules(game, options.rules.as_deref())?;
    if let Some(directory) = &options.positions {
        return write_positions(directory, &test_positions(game, rules, None)?);
    }
    let you = options.program(&assignment)?;
    interrupt::catch()?;
    let may_leave_sandbox = options.yes_unsafe || !sandbox::system::is_root();
    let usual = TryTerms::new(rules);
    let terms =
        TryTerms { plies: options.plies, game_clock: options.clock, may_leave_sandbox, ..usual };
    warn_author(&terms.bounds)?;
    options.compare_environment(None)?;
    print(&format!("{}{}: {}\n\n", rules_line(game, rules), game.title, shown(options.command())));
    let tally = try_program(game, you, terms, &mut print)?;
    Ok(ExitCode::from(match tally {
        Tally { interrupted: true, .. } => interrupt::EXIT_CODE,
        Tally { wrong, doubtful, .. } => u8::from(wrong + doubtful > 0),
    }))
}

impl TryOptions {
    /// Prints what the grading has, beside what is here.
    fn compare_environment(&self, homework: Option<&Homework>) -> Result<()> {
        let python = self.command().split(' ').next().filter(|first| first.starts_with("py"));
        let environment = Environment::of(self.scheme.as_deref(), homework)?;
        for (need, has, is_met) in environment.survey(python.unwrap_or("python3").as_ref())? {
            let how = if is_met { "as here" } else { "not as here" };
            print(&format!("The grading has {need}, {how}: {has}\n"));
        }
        Ok(())
    }

    fn command(&self) -> &str {
        self.cmd.as_deref().unwrap_or_default()
    }

    fn program(&self, assignment: &Assignment) -> Result<EngineSpec> {
        let mut words = vec!["name=you".to_string(), format!("cmd={}", self.command())];
        words.extend(self.dir.as_ref().map(|dir| format!("dir={}", dir.display())));
        assignment.program(Keys::parse(words.iter().map(String::as_str))?)
    }
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
    let you = options.program(assignment)?;
    interrupt::catch()?;
    let bounds = TryTerms::new("").bounds;
    warn_author(&bounds)?;
    options.compare_environment(Some(homework))?;
    print(&format!("{}: {}\n\n", homework.title, shown(options.command())));
    try_cases(homework, &you, &bounds)
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
