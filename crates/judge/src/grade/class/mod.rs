//! `judge grade-all`: a directory with a directory for each student; a table, a CSV file and reports at the end.

mod bonus;
mod csv;
mod digest;
mod merge;
mod output;
mod queue;
mod record;
mod run;
mod running;
mod students;

pub(crate) use merge::{is_class, merge};
pub(crate) use students::{Commands, students};

use super::report::Form;
use super::scheme::Scheme;
use crate::interrupt;
use anyhow::{Context, Result, bail};
use arena::terms::Shard;
use clap::Args;
use output::Outputs;
use run::Class;
use std::path::{Path, PathBuf};

/// Options of `judge grade-all`.
#[derive(Args)]
pub(crate) struct ClassOptions {
    #[command(flatten)]
    scheme: Scheme,

    /// A directory with a directory for each submission
    directory: PathBuf,

    /// The command that runs a submission, in a copy of its directory
    #[arg(long, value_name = "COMMAND")]
    cmd: Option<String>,

    /// Run a submission by the command in its own file `command`, if it has one
    #[arg(long)]
    own_commands: bool,

    /// Write a line for each submission to this file, which must not be there yet unless the run goes on with --resume
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Append every move and result to this file of JSON lines, for judge replay and --resume [default: beside the CSV file,
    /// or in scratch/class]
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,

    /// Go on with the record after an interruption, also of a run that was killed; submissions that came or changed since are
    /// graded as well
    #[arg(long)]
    resume: bool,

    /// Grade only part I of N of the submissions; judge merge joins the records of all parts
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,

    /// Keep each worker, and the players that it runs, on a core of its own
    #[arg(long)]
    pin: bool,

    /// Play all tests of a submission, also after three stalls or crashes in a row
    #[arg(long)]
    no_early_stop: bool,

    /// Write a report for each submission into this directory
    #[arg(long, value_name = "DIRECTORY")]
    reports: Option<PathBuf>,

    /// The form of those reports
    #[arg(long, value_enum, default_value_t = Form::Text)]
    report: Form,

    /// Write a page of the whole class for a browser: ranking, histogram, tests by submissions; in a folder beside it every
    /// report and all lost games
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,
}

/// Grades all submissions. One that cannot be run gets 0 points and a reason.
pub(crate) fn grade_class(options: &ClassOptions) -> Result<u8> {
    let mut plan = options.scheme.plan()?;
    if options.no_early_stop {
        plan.note("early-stop=no");
    }
    let record = record_path(options)?;
    let csv_is_there = options.csv.as_deref().filter(|csv| csv.exists());
    if let Some(csv) = csv_is_there.filter(|_| !options.resume) {
        bail!("{}: is there already; go on with --resume, or name another file with --csv", csv.display());
    }
    if let Some(csv) = csv_is_there.filter(|_| !record.exists()) {
        let (csv, record) = (csv.display(), record.display());
        bail!("{csv}: there is no record {record} to go on from; name it with --record, or another file with --csv");
    }
    let commands = Commands { all: options.cmd.as_deref(), own: options.own_commands };
    let mut students = students(&options.directory, &commands, plan.game)?;
    if let Some(Shard { index, of }) = options.shard {
        students.retain(|student| student.place % of == index - 1);
    }
    interrupt::catch()?;
    let outputs = Outputs {
        csv: options.csv.clone(),
        reports: options.reports.clone(),
        form: options.report,
        page: options.page.clone(),
    };
    let class = Class::open(plan, students, &record, options.resume, options.shard)?;
    let complete = class.play(&options.scheme, options.pin, !options.no_early_stop, &outputs, &record)?;
    if complete {
        return Ok(0);
    }
    eprintln!("interrupted; the same line with --resume goes on from {}", record.display());
    Ok(interrupt::EXIT_CODE)
}

/// Where the record is: where it is asked for, beside the CSV file, or in a directory for such things.
fn record_path(options: &ClassOptions) -> Result<PathBuf> {
    if let Some(path) = &options.record {
        return Ok(path.clone());
    }
    if let Some(csv) = &options.csv {
        return Ok(csv.with_extension("jsonl"));
    }
    if options.resume {
        bail!("--resume: which run? Name its --record, or the --csv that it lies beside");
    }
    let directory = Path::new("scratch/class");
    std::fs::create_dir_all(directory).with_context(|| format!("{}: cannot be made", directory.display()))?;
    let class = std::path::absolute(&options.directory)?;
    let name = arena::plain::name(class.file_name().unwrap_or_default());
    let numbered = |number: u32| {
        directory.join(if number == 1 { format!("{name}.jsonl") } else { format!("{name}-{number}.jsonl") })
    };
    (1..10_000)
        .map(numbered)
        .find(|path| !path.exists())
        .context("scratch/class: too many records; name one with --record")
}
