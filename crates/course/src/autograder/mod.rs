//! `judge autograder`: a zip with all that a platform needs to grade submissions.

mod autograde;
mod clocks;
mod results;
mod templates;

pub use autograde::{AutogradeOptions, autograde};

use crate::class::ClassOptions;
use crate::grade::scheme::file::SchemeFile;
use crate::zip_file::{ZippedFile, write_zip};
use anyhow::{Context, Result, bail};
use arena::plain;
use arena::rules_program;
use arena::toml_text;
use clap::{Args, FromArgMatches};
use clocks::{ClockPlan, homework_clocks, plan_clocks};
use intake::environment::Environment;
use sandbox::system;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use terminal::games::GameOption;

/// Examples for the command's help.
pub const EXAMPLE: &str = "\
Examples:
  judge autograder --game halma --timeout 1200 --out autograder.zip -- --games 3
  judge autograder --game wolves --classroom --out template.zip        (unpack it into the template repository)
  judge autograder --game wolves --make --out grader.zip               (unpack it, then: make grade DIR=submission)
  judge autograder --homework cheap-paths --out autograder.zip         (a homework of your own)
The platform runs the judge in the zip. To build a judge that needs no C library, and give it with --judge:
  cargo build --release --target x86_64-unknown-linux-musl -p judge";

/// Options of `judge autograder`.
#[derive(Args)]
pub struct AutograderOptions {
    #[command(flatten)]
    game: GameOption,

    /// The scheme file, as for judge grade --scheme [default: the game's own scheme]
    #[arg(long, value_name = "FILE")]
    scheme: Option<PathBuf>,

    /// A file with further languages, as for judge intake --languages
    #[arg(long, value_name = "FILE")]
    languages: Option<PathBuf>,

    /// The zip file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// The judge program to put into the zip [default: this program]
    #[arg(long, value_name = "FILE")]
    judge: Option<PathBuf>,

    /// Time limit of the platform for one grading, in seconds; the clocks are scaled to it
    #[arg(long, value_name = "SECONDS", default_value_t = 600, value_parser = clap::value_parser!(u64).range(30..=1_000_000))]
    timeout: u64,

    /// Debian or Ubuntu packages that setup.sh installs if their programs are missing
    #[arg(
        long,
        value_name = "NAMES",
        default_value = "python3 g++ gcc make default-jdk-headless nodejs"
    )]
    packages: String,

    /// Write a zip for a template repository on GitHub, with a workflow that grades every push,
    /// instead of one for Gradescope; GitHub Classroom itself has ended
    #[arg(long, conflicts_with = "make")]
    classroom: bool,

    /// Write a zip with a Makefile for `make grade` instead of one for Gradescope
    #[arg(long)]
    make: bool,

    /// Processors that the platform gives a grading; the clocks are scaled to it, and further if
    /// less is found there [default: 0.5 as on Gradescope; 1 with --classroom and --make]
    #[arg(long, value_name = "COUNT")]
    cpus: Option<f64>,

    /// Options of judge grade-all, after --
    #[arg(last = true, value_name = "OPTION")]
    options: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct AutograderConfig {
    game: String,
    timeout: u64,
    cpus: f64,
    /// Of `judge grade-all`.
    options: Vec<String>,
    scheme: Option<String>,
    languages: Option<String>,
}

impl AutograderConfig {
    /// Returns the clocks of a grading, and the scheme with them; a homework has none.
    fn plan(&self, directory: &Path, cpus: f64) -> Result<(Option<SchemeFile>, ClockPlan)> {
        let mut words = ["grade-all", "--game", &self.game, "class"].map(String::from).to_vec();
        let scheme = self.scheme.iter().map(|name| directory.join(name));
        words.extend(scheme.map(|path| format!("--scheme={}", path.display())));
        words.extend(self.options.iter().cloned());
        let command = ClassOptions::augment_args(clap::Command::new("grade-all"));
        let found = command.try_get_matches_from(words);
        let found = found.and_then(|found| ClassOptions::from_arg_matches(&found));
        let found = found.context("the options after --")?;
        if let Some(homework) = found.scheme.game.assignment()?.homework() {
            found.scheme.refuse_keys_of_games()?;
            let plan = homework_clocks(homework, found.case_time, self.timeout, cpus);
            return Ok((None, plan));
        }
        let mut scheme = found.scheme.data()?;
        let plan = plan_clocks(&scheme, self.timeout, cpus);
        scheme.scale_clocks(plan.share);
        Ok((Some(scheme), plan))
    }
}

const GRADESCOPE_CPUS: f64 = 0.5;
const CONFIG: &str = "autograder.toml";
const SCHEME: &str = "scheme.toml";
/// A game or homework of the course's own.
const OWN_GAME: &str = "./game";
const LANGUAGES: &str = "languages.toml";
const WORKFLOW: &str = ".github/workflows/classroom.yml";
const SETUP: &str = "setup.sh";
const RUN: &str = "run_autograder";
const GRADER: &str = ".grader/";

/// Runs `judge autograder`.
pub fn autograder(options: &AutograderOptions) -> Result<u8> {
    let scheme = options.scheme.as_deref().map(toml_text::read).transpose()?;
    let languages = options.languages.as_deref().map(toml_text::read).transpose()?;
    let usual = if options.classroom || options.make { 1.0 } else { GRADESCOPE_CPUS };
    let cpus = options.cpus.unwrap_or(usual);
    if !(cpus > 0.0 && cpus <= 1024.0) {
        bail!("--cpus: expected a positive number of processors, such as 0.5, found {cpus}");
    }
    let program = match &options.judge {
        Some(path) => path.clone(),
        None => std::env::current_exe().context("the judge's own program cannot be found")?,
    };
    let mut beginning = Vec::new();
    File::open(&program)
        .and_then(|file| file.take(6).read_to_end(&mut beginning))
        .with_context(|| format!("{}: cannot be read", program.display()))?;
    if beginning != *b"\x7fELF\x02\x01" {
        bail!("--judge {}: not a 64-bit program for Linux", program.display())
    }
    let assignment = options.game.assignment()?;
    let homework = assignment.homework();
    let own_folder = assignment.interface().folder;
    if let Some(homework) = homework {
        if homework.is_plain() {
            bail!("--homework: {} has no homework.toml", homework.folder.display());
        }
        let secret = homework.cases.iter().filter(|case| case.is_secret).count();
        if options.classroom && secret > 0 {
            let cases = plain::counted(secret, "case is", "cases are");
            bail!("--classroom: students read all files of the repository, and {cases} secret");
        }
    }
    let config = AutograderConfig {
        game: if own_folder.is_some() { OWN_GAME.to_string() } else { options.game.word() },
        timeout: options.timeout,
        cpus,
        options: options.options.clone(),
        scheme: scheme.as_ref().map(|_| SCHEME.to_string()),
        languages: languages.as_ref().map(|_| LANGUAGES.to_string()),
    };
    let here = options.scheme.as_ref().map(|path| path.to_string_lossy().into_owned());
    let given = AutograderConfig { scheme: here, game: options.game.word(), ..config.clone() };
    let (_, ClockPlan { note, .. }) = given.plan(Path::new(""), cpus)?;
    if Environment::of(options.scheme.as_deref(), homework)?.venv.is_some() {
        bail!("[environment]: venv: cannot go into the zip; --packages names Debian's packages");
    }
    let config = toml::to_string(&config).context(CONFIG)?;
    let place = if options.classroom || options.make { GRADER } else { "" };
    let mut files = Vec::new();
    if let Some(folder) = own_folder {
        let paths = match homework {
            Some(homework) => homework.paths()?.into_iter().map(PathBuf::from).collect(),
            None => rules_program::files(folder)?,
        };
        files = folder_files(folder, paths, place)?;
    }
    let packages = &options.packages;
    let mut texts = vec![(format!("{place}{CONFIG}"), config)];
    texts.extend(scheme.map(|text| (format!("{place}{SCHEME}"), text)));
    texts.extend(languages.map(|text| (format!("{place}{LANGUAGES}"), text)));
    if options.classroom {
        texts.push((WORKFLOW.to_string(), templates::workflow(packages, options.timeout)));
    } else if options.make {
        texts.push(("Makefile".to_string(), templates::MAKEFILE.to_string()));
    } else {
        texts.push((SETUP.to_string(), templates::setup_script(packages)));
        texts.push((RUN.to_string(), templates::RUN_SCRIPT.to_string()));
    }
    files.extend(texts.into_iter().map(|(name, text)| {
        let is_script = [SETUP, RUN].contains(&&*name);
        (name, text.into_bytes(), is_script)
    }));
    write_zip(&options.out, &files, Some((&format!("{place}judge"), &program)))?;
    println!("{}: {note}", options.out.display());
    println!(
        "the judge in the zip needs the platform's C library, no older than this machine's, unless it is linked statically \
         (judge autograder --help)"
    );
    Ok(0)
}

fn folder_files(folder: &Path, paths: Vec<PathBuf>, place: &str) -> Result<Vec<ZippedFile>> {
    let read = |file: PathBuf| {
        let path = folder.join(&file);
        let within = || format!("{}: cannot be read", path.display());
        let bytes = fs::read(&path).with_context(within)?;
        let executable = system::mode(&path.metadata().with_context(within)?) & 0o111 != 0;
        Ok((format!("{place}game/{}", file.display()), bytes, executable))
    };
    paths.into_iter().map(read).collect()
}
