//! `judge autograder`: all that a platform needs to grade a submission by itself, in one zip; and `judge autograde`, which
//! runs there.

mod clocks;
mod elf;
mod files;
mod results;
mod run;

pub(crate) use run::{AutogradeOptions, autograde};

use crate::games::find;
use crate::names::name_parser;
use anyhow::{Context, Result, bail};
use clap::Args;
use clocks::{Fitted, fitted};
use engine::agent::files::{AtomicFile, read_input};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, Cursor, Read, Seek, Write};
use std::path::{Path, PathBuf};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// Examples for the command's help.
pub(crate) const EXAMPLE: &str = "\
Examples:
  judge autograder --game halma --out autograder.zip
  judge autograder --game halma --scheme schemes/halma.toml --timeout 1200 --out autograder.zip
  judge autograder --game wolves --classroom --out template.zip        (unpack it into the template repository)
  judge autograder --game wolves --make --out grader.zip               (unpack it, then: make grade DIR=submission)
  judge autograder --game halma --out autograder.zip -- --games 3 --reference greedy
The platform runs the judge that is in the zip. One that needs no C library is made by
  cargo build --release --target x86_64-unknown-linux-musl -p menagerie-judge
and given by --judge.";

/// Options of `judge autograder`.
#[derive(Args)]
pub(crate) struct AutograderOptions {
    /// The game
    #[arg(long, value_parser = name_parser())]
    game: String,

    /// A scheme, as judge grade --scheme takes it [default: the game's own]
    #[arg(long, value_name = "FILE")]
    scheme: Option<PathBuf>,

    /// Languages beside those that the judge knows
    #[arg(long, value_name = "FILE")]
    languages: Option<PathBuf>,

    /// The zip to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// The judge's program to put in [default: this one]
    #[arg(long, value_name = "FILE")]
    judge: Option<PathBuf>,

    /// Seconds after which the platform ends a grading, as it is set there; clocks are scaled to keep it
    #[arg(long, value_name = "SECONDS", default_value_t = 600, value_parser = clap::value_parser!(u64).range(30..=1_000_000))]
    timeout: u64,

    /// Packages of Debian or Ubuntu that setup.sh installs where their programs are missing
    #[arg(long, value_name = "NAMES", default_value = "python3 g++ gcc make default-jdk-headless nodejs")]
    packages: String,

    /// A workflow for GitHub Classroom, with what it needs, instead of Gradescope's form
    #[arg(long, conflicts_with = "make")]
    classroom: bool,

    /// A Makefile with `make grade`, with what it needs, instead of Gradescope's form
    #[arg(long)]
    make: bool,

    /// Options of judge grade-all, behind --
    #[arg(last = true, value_name = "OPTION")]
    options: Vec<String>,
}

/// What `judge autograde` is told by the zip: `autograder.toml`.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Config {
    /// The game.
    game: String,
    /// Seconds after which the platform ends a grading.
    timeout: u64,
    /// Options of `judge grade-all`.
    options: Vec<String>,
    /// The scheme's file beside this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    scheme: Option<String>,
    /// The file of languages beside this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    languages: Option<String>,
    /// What students are told of the clocks.
    said: String,
}

/// The name of the configuration in the zip.
const CONFIG: &str = "autograder.toml";
const SCHEME: &str = "scheme.toml";
const LANGUAGES: &str = "languages.toml";

/// `judge autograder`.
pub(crate) fn autograder(options: &AutograderOptions) -> Result<u8> {
    let game = &find(&options.game)?.arena;
    let read = |path: &PathBuf| read_input(path).with_context(|| format!("{}: cannot be read", path.display()));
    let scheme = options.scheme.as_ref().map(read).transpose()?;
    let languages = options.languages.as_ref().map(read).transpose()?;
    let mut fit = fitted(scheme.as_deref(), game, options.timeout).map_err(|error| {
        let name = options.scheme.as_deref().unwrap_or(Path::new("scheme")).display();
        anyhow::anyhow!("{name}:{error:#}")
    })?;
    if options.options.iter().any(|option| option.contains("-clock")) {
        fit = Fitted { scheme, options: Vec::new(), said: "clocks are as the teacher gave them".to_string() };
    }
    let program = match &options.judge {
        Some(path) => path.clone(),
        None => std::env::current_exe().context("the judge's own program cannot be found")?,
    };
    let needs = elf::interpreter(&program).with_context(|| format!("{}: cannot be read", program.display()))?;
    let Some(needs) = needs else { bail!("--judge {}: no program for Linux", program.display()) };
    let config = Config {
        game: options.game.clone(),
        timeout: options.timeout,
        options: [fit.options.clone(), options.options.clone()].concat(),
        scheme: fit.scheme.as_ref().map(|_| SCHEME.to_string()),
        languages: languages.as_ref().map(|_| LANGUAGES.to_string()),
        said: fit.said.clone(),
    };
    let config = toml::to_string(&config).context(CONFIG)?;
    let place = if options.classroom || options.make { files::GRADER } else { "" };
    let mut texts = vec![(format!("{place}{CONFIG}"), config, false)];
    texts.extend(fit.scheme.map(|text| (format!("{place}{SCHEME}"), text, false)));
    texts.extend(languages.map(|text| (format!("{place}{LANGUAGES}"), text, false)));
    texts.extend(match (options.classroom, options.make) {
        (true, _) => vec![(files::WORKFLOW.to_string(), files::workflow(&options.packages, options.timeout), false)],
        (_, true) => vec![("Makefile".to_string(), files::MAKEFILE.to_string(), false)],
        _ => vec![
            ("setup.sh".to_string(), files::setup(&options.packages), true),
            ("run_autograder".to_string(), files::RUN.to_string(), true),
        ],
    });
    write_zip(&options.out, &texts, &format!("{place}judge"), &program)?;
    println!("{}: {}", options.out.display(), fit.said);
    match needs {
        elf::Needs::Nothing => println!("the judge in it is static: it runs on any Linux of this kind of processor"),
        elf::Needs::Loader(loader) => println!(
            "the judge in it needs the C library of the platform ({loader}), no older than this machine's; a static one: \
             cargo build --release --target x86_64-unknown-linux-musl -p menagerie-judge, and --judge FILE"
        ),
    }
    Ok(0)
}

/// Writes the zip, whole or not at all.
fn write_zip(path: &Path, texts: &[(String, String, bool)], judge: &str, program: &Path) -> Result<()> {
    let name = path.display();
    let mut out = AtomicFile::create(path).with_context(|| format!("{name}: cannot be written"))?;
    let mut bytes = Cursor::new(Vec::new());
    packed(&mut bytes, texts, judge, program)?;
    out.write_all(bytes.get_ref()).and_then(|()| out.commit()).with_context(|| format!("{name}: cannot be written"))
}

fn packed(out: &mut (impl Write + Seek), texts: &[(String, String, bool)], judge: &str, program: &Path) -> Result<()> {
    let mode = |executable| SimpleFileOptions::default().unix_permissions(if executable { 0o755 } else { 0o644 });
    let mut zip = ZipWriter::new(out);
    for (name, text, executable) in texts {
        zip.start_file(name, mode(*executable))?;
        zip.write_all(text.as_bytes())?;
    }
    zip.start_file(judge, mode(true))?;
    let mut program = File::open(program).with_context(|| format!("{}: cannot be read", program.display()))?;
    io::copy(&mut Read::by_ref(&mut program), &mut zip)?;
    zip.finish()?;
    Ok(())
}
