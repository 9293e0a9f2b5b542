//! `judge grade-all`: grades a class, a directory with a directory for each submission, and writes a table, a CSV file, reports
//! and a page.

mod bonus;
mod class_run;
mod csv;
mod digest;
mod grade_book;
mod homework;
mod merge;
mod output;
mod page;
mod queue;
mod record;
mod running_tests;
mod students;
mod to_course_system;

pub use merge::{is_class, merge};
pub use students::{Commands, students};

use super::report::ReportFormat;
use super::scheme::SchemeOptions;
use anyhow::{Context, Result, bail};
use arena::player::spec::EngineSpec;
use arena::terms::Shard;
use clap::Args;
use class_run::ClassRun;
use output::Outputs;
use std::path::{Path, PathBuf};
use terminal::interrupt;
use terminal::layers::{check_agreed, check_sandbox_for_strangers};
use to_course_system::CourseSystemOptions;

/// Options of `judge grade-all`.
#[derive(Args)]
pub struct ClassOptions {
    #[command(flatten)]
    scheme: SchemeOptions,

    /// A directory with a directory for each submission
    directory: PathBuf,

    /// The command that runs each submission, in a copy of its directory
    #[arg(long, value_name = "COMMAND")]
    cmd: Option<String>,

    /// Run each submission with the command in its file `command`, if it has one
    #[arg(long)]
    own_commands: bool,

    /// Write a line for each submission to this file, which must not exist unless --resume continues the run
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Append every move and result to this file of JSON lines, for judge replay and --resume [default: beside the CSV file,
    /// or in scratch/class]
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,

    /// Continue the record of an interrupted or killed run; new and changed submissions are graded as well
    #[arg(long)]
    resume: bool,

    /// Grade only part I of N of the submissions; judge merge joins the records of all parts
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,

    /// Pin each worker, and the players that it runs, to a core of its own
    #[arg(long)]
    pin: bool,

    /// Play all tests of a submission, even after three crashes, stalls or time forfeits in a row
    #[arg(long)]
    no_early_stop: bool,

    /// Write a report for each submission into this directory
    #[arg(long, value_name = "DIRECTORY")]
    reports: Option<PathBuf>,

    /// Write a report after each test, and not only when all tests of the submission are done
    #[arg(long, requires = "reports")]
    reports_at_once: bool,

    /// The format of the reports
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    report: ReportFormat,

    /// Grade by the cases of a homework, as of judge grade-cases, a point each, instead of by a scheme
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["record", "pin", "page", "reports_at_once", "scheme", "singles", "games", "analyse"])]
    homework: Option<PathBuf>,

    /// CPU seconds for each case of a homework
    #[arg(long, value_name = "SECONDS", default_value_t = 30.0)]
    case_time: f64,

    #[command(flatten)]
    course_system: CourseSystemOptions,

    /// Write a web page of the whole class: ranking, histogram, tests by submissions; and a folder beside it with every
    /// report and all lost games
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,
}

impl ClassOptions {
    /// Returns the options of the scheme.
    pub(crate) fn scheme(&self) -> &SchemeOptions {
        &self.scheme
    }
}

/// Runs `judge grade-all`. A submission that cannot be run gets 0 points and a reason.
pub fn grade_class(options: &ClassOptions) -> Result<u8> {
    if let Some(cases) = &options.homework {
        return homework::grade_homework(options, cases);
    }
    let mut plan = options.scheme.plan()?;
    if options.no_early_stop {
        plan.note("early-stop=no");
    }
    check_sandbox_for_strangers(plan.bounds())?;
    let record = record_path(options)?;
    let existing_csv = check_csv(options)?;
    if let Some(csv) = existing_csv.filter(|_| !record.exists()) {
        let (csv, record) = (csv.display(), record.display());
        bail!("{csv}: there is no record {record} to continue; name it with --record, or another file with --csv");
    }
    let grade_book = options.course_system.read()?;
    let commands = Commands { all: options.cmd.as_deref(), own: options.own_commands };
    let mut students = students(&options.directory, &commands, plan.game)?;
    if let Some(Shard { index, of }) = options.shard {
        students.retain(|student| student.place % of == index - 1);
    }
    grade_book.note_lateness(&mut students)?.say(plan.late.is_some());
    let players: Vec<EngineSpec> = students.iter().filter_map(|student| student.player.clone().ok()).collect();
    check_agreed(&players, plan.bounds(), options.scheme.settings.yes_unsafe)?;
    interrupt::catch()?;
    let outputs = Outputs {
        csv: options.csv.clone(),
        reports: options.reports.clone(),
        reports_at_once: options.reports_at_once,
        format: options.report,
        page: options.page.clone(),
    };
    let (most, ids) =
        (plan.most(), students.iter().map(|student| (student.name.clone(), student.id.clone())).collect());
    let class = ClassRun::open(plan, students, &record, options.resume, options.shard)?;
    let lines = class.play(&options.scheme, options.pin, !options.no_early_stop, &outputs, &record)?;
    if let Some(lines) = lines {
        let points: Vec<(&str, &str)> =
            lines.iter().map(|line| (line.submission.as_str(), line.points.as_str())).collect();
        return Ok(u8::from(!grade_book.fill(&points, &ids, most)?));
    }
    eprintln!("interrupted; the same command with --resume continues {}", record.display());
    Ok(interrupt::EXIT_CODE)
}

/// Returns the CSV file if it is there already, which only a continued run may have.
fn check_csv(options: &ClassOptions) -> Result<Option<&Path>> {
    let existing = options.csv.as_deref().filter(|csv| csv.exists());
    if let Some(csv) = existing.filter(|_| !options.resume) {
        bail!("{}: is there already; continue with --resume, or name another file with --csv", csv.display());
    }
    Ok(existing)
}

/// Returns the path of the record: that of `--record`, or beside the CSV file, or a new one in `scratch/class`.
fn record_path(options: &ClassOptions) -> Result<PathBuf> {
    if let Some(path) = &options.record {
        return Ok(path.clone());
    }
    if let Some(csv) = &options.csv {
        return Ok(csv.with_extension("jsonl"));
    }
    if options.resume {
        bail!("--resume: name the run to continue, by its --record or --csv");
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
