//! `judge grade-all`: a directory with a directory for each student; a table and a CSV file at the end.

use super::csv::{self, Line};
use super::report::{Form, write};
use super::result::{Grade, verdict};
use super::run;
use super::scheme::Scheme;
use crate::games::find;
use crate::interrupt;
use crate::output::print;
use crate::standings::aligned;
use crate::walls::announce_to_processes;
use anyhow::{Context, Result, bail};
use arena::plain;
use arena::player::keys::Keys;
use arena::player::left::{Unreadable, read_left};
use arena::terms::Shard;
use clap::Args;
use engine::agent::files::write_atomically;
use engine::protocol::without_mark;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Options of `judge grade-all`.
#[derive(Args)]
pub(crate) struct ClassOptions {
    #[command(flatten)]
    scheme: Scheme,

    /// A directory with a directory for each submission
    directory: PathBuf,

    /// The command that runs a submission, in a copy of its directory
    #[arg(long, value_name = "COMMAND", required_unless_present = "own_commands")]
    cmd: Option<String>,

    /// Run a submission by the command in its own file `command`, if it has one
    #[arg(long)]
    own_commands: bool,

    /// Write a line for each submission to this file, after each submission
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Go on after an interruption: submissions that have a line in the CSV file are not graded again
    #[arg(long, requires = "csv")]
    resume: bool,

    /// Grade only part I of N of the submissions; the CSV files of all parts together hold all of them
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,

    /// Write a report for each submission into this directory
    #[arg(long, value_name = "DIRECTORY")]
    reports: Option<PathBuf>,

    /// The form of those reports
    #[arg(long, value_enum, default_value_t = Form::Text)]
    report: Form,
}

/// The longest `command` file that is read, in bytes.
const COMMAND_LIMIT: u64 = 4096;

/// Grades all submissions, one after the other. One that cannot be run gets 0 points and a reason.
pub(crate) fn grade_class(options: &ClassOptions) -> Result<u8> {
    let game = &find(&options.scheme.game)?.arena;
    let scheme = options.scheme.words(game)?;
    let name = options.directory.display();
    let mut directories: Vec<PathBuf> = std::fs::read_dir(&options.directory)
        .and_then(|entries| entries.map(|entry| entry.map(|entry| entry.path())).collect())
        .with_context(|| format!("{name}: cannot be listed"))?;
    directories.retain(|path| path.is_dir());
    directories.sort();
    if directories.is_empty() {
        bail!("{name}: no directories in it");
    }
    if let Some(Shard { index, of }) = options.shard {
        let mut place = 0;
        directories.retain(|_| {
            place += 1;
            (place - 1) % of == index - 1
        });
    }
    let mut lines = match &options.csv {
        Some(path) if options.resume && path.exists() => lines_so_far(path, &scheme, options.scheme.most(game))?,
        _ => Vec::new(),
    };
    if let Some(path) = &options.reports {
        std::fs::create_dir_all(path).with_context(|| format!("{}: cannot be made", path.display()))?;
    }
    interrupt::catch()?;
    let total = directories.len();
    let mut announced = false;
    for (number, directory) in directories.iter().enumerate() {
        let student = plain::name(directory.file_name().unwrap_or_default());
        if lines.iter().any(|line| line.submission == student) {
            continue;
        }
        if !std::mem::replace(&mut announced, true) {
            announce_to_processes(&options.scheme.settings.bounds()?)?;
        }
        eprintln!("{student} ({} of {total})", number + 1);
        let graded = grade_one(options, directory, &student);
        // A grading that was broken off is none.
        if interrupt::asked() {
            break;
        }
        if let (Ok(grade), Some(reports)) = (&graded, &options.reports) {
            let path = reports.join(report_name(&student, options.report));
            write_atomically(&path, &write(grade, options.report)?).with_context(|| path.display().to_string())?;
        }
        lines.push(line(&student, &graded, &scheme));
        if let Some(path) = &options.csv {
            write_atomically(path, &csv::write(&lines)?)
                .with_context(|| format!("{}: cannot be written", path.display()))?;
        }
    }
    let mut table = vec![HEADINGS.map(String::from).to_vec()];
    table.extend(lines.into_iter().map(|line| vec![line.submission, line.points, line.of, line.cpu, line.lost_by]));
    print(&aligned(&table, &[0, 4]));
    Ok(if interrupt::asked() { interrupt::EXIT_CODE } else { 0 })
}

/// The headings of the table.
const HEADINGS: [&str; 5] = ["Submission", "Points", "Of", "CPU s", "Lost by"];

fn grade_one(options: &ClassOptions, directory: &Path, student: &str) -> Result<Grade> {
    let own = if options.own_commands { own_command(directory)? } else { None };
    let is_own = own.is_some();
    let command = own.or_else(|| options.cmd.clone()).context("no file `command`, and no --cmd for all")?;
    // Names of engines are without quotes.
    let keys = Keys::of_submission(command, directory.to_owned(), student.replace('"', "'"), is_own);
    let spec = keys.engine(&find(&options.scheme.game)?.arena)?;
    let grade = run(&options.scheme, &spec, None)?;
    Ok(Grade { agent: student.to_string(), ..grade })
}

/// The command in a submission's file `command`, which may be anything; `None` if there is no such file.
fn own_command(directory: &Path) -> Result<Option<String>> {
    match read_left(directory, Path::new("command"), COMMAND_LIMIT) {
        Ok(text) => Ok(Some(without_mark(&text).trim().to_string())),
        Err(Unreadable::Missing) => Ok(None),
        Err(Unreadable::Other(_)) if directory.join("command").is_dir() => Ok(None),
        Err(Unreadable::Other(reason)) => bail!("the file `command` {reason}"),
    }
}

/// Points, time and what was lost by a submission.
fn line(student: &str, graded: &Result<Grade>, scheme: &str) -> Line {
    let [points, of, cpu, lost_by] = match graded {
        Ok(grade) => {
            let (points, most) = grade.points();
            let mut lost: BTreeMap<String, u32> = BTreeMap::new();
            for item in grade.items.iter().filter(|item| item.points < item.most) {
                *lost.entry(verdict(item)).or_default() += 1;
            }
            let lost: Vec<String> = lost.into_iter().map(|(word, count)| format!("{count} {word}")).collect();
            [points.to_string(), most.to_string(), format!("{:.1}", grade.cpu()), lost.join(", ")]
        }
        // The submission's own words may be in it.
        Err(error) => ["0", "", "0.0", &plain::shown(&format!("not run: {error:#}"))].map(String::from),
    };
    Line { submission: student.to_string(), points, of, cpu, lost_by, scheme: scheme.to_string() }
}

/// The name of a submission's report, like no other's.
fn report_name(student: &str, form: Form) -> String {
    // Names of files have at most 255 bytes, and a file has a longer name while it is written. What is shortened stays
    // longer than what need not be.
    const LONGEST: usize = 200;
    let suffix = match form {
        Form::Text => "txt",
        Form::Json | Form::Gradescope => "json",
        Form::Junit => "xml",
    };
    if student.len() <= LONGEST {
        return format!("{student}.{suffix}");
    }
    let digest = crc32fast::hash(student.as_bytes());
    let beginning = &student[..student.floor_char_boundary(LONGEST - 10)];
    format!("{beginning}~{digest:08x}.{suffix}")
}

/// The lines of the CSV file that a run goes on with. All must be of the same scheme.
fn lines_so_far(path: &Path, scheme: &str, most: f64) -> Result<Vec<Line>> {
    let mut lines = csv::read(path)?;
    for (index, line) in lines.iter_mut().enumerate() {
        let at = format!("{}:{}", path.display(), index + 2);
        // Whoever wrote them may have let through what is not plain.
        for field in [&mut line.submission, &mut line.points, &mut line.of, &mut line.cpu, &mut line.lost_by] {
            *field = plain::shown(field);
        }
        let remedy = "one file is for one scheme: give the options of that one, or another file to --csv";
        if !line.scheme.is_empty() && line.scheme != scheme {
            let there = plain::shown(&line.scheme);
            bail!("{at}: graded by another scheme than this one; {remedy}\n  there: {there}\n  here:  {scheme}");
        }
        let of = line.of.parse::<f64>().ok();
        if line.scheme.is_empty() && of.is_some_and(|of| (of - most).abs() > 1e-6) {
            let of = &line.of;
            bail!("{at}: graded by a scheme of {of} points, and this one is of {most}; {remedy}\n  here:  {scheme}");
        }
    }
    Ok(lines)
}
