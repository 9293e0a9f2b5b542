//! The options of `judge grade-all`, and the files that they name.

use super::class_plan::{Assigned, ClassPlan};
use super::students::{Commands, Student, students};
use super::to_course_system::{CourseSystemFiles, CourseSystemOptions};
use crate::grade::cases::case_time;
use crate::grade::report::ReportFormat;
use crate::grade::scheme::SchemeOptions;
use anyhow::{Result, bail, ensure};
use arena::player::spec::EngineSpec;
use arena::terms::Shard;
use clap::Args;
use homework::{Assignment, CASE_TIME};
use intake::runtime::Runtimes;
use intake::submission::add_intake_settings;
use std::path::{Path, PathBuf};
use terminal::interrupt;
use terminal::output::make_folder;
use terminal::sandbox_layers::check_class;

/// Options of `judge grade-all`.
#[derive(Args)]
pub struct ClassOptions {
    #[command(flatten)]
    pub(crate) scheme: SchemeOptions,

    /// A directory with a directory for each submission
    pub(super) directory: PathBuf,

    #[command(flatten)]
    commands: Commands,

    /// Write a line for each submission to this file, which must not exist unless --resume
    /// continues the run
    #[arg(long, value_name = "FILE")]
    pub(super) csv: Option<PathBuf>,

    /// Also write the points without names, best first, to this file, which is replaced
    #[arg(long, value_name = "FILE")]
    pub(super) nameless: Option<PathBuf>,

    /// Append every move and result to this file of JSON lines, for judge replay and --resume
    /// [default: beside the CSV file, or in scratch/class]
    #[arg(long, value_name = "FILE")]
    pub(super) record: Option<PathBuf>,

    /// Continue the record of an interrupted or killed run; new and changed submissions are graded
    /// as well
    #[arg(long)]
    pub(super) resume: bool,

    /// Grade only part I of N of the submissions; judge merge joins the records of all parts
    #[arg(long, value_name = "I/N")]
    pub(super) shard: Option<Shard>,

    /// Pin each worker, and the players that it runs, to a core of its own
    #[arg(long)]
    pub(super) pin: bool,

    /// Play all tests of a submission, even after three crashes, stalls or time forfeits in a row
    #[arg(long)]
    pub(super) no_early_stop: bool,

    /// Write a report for each submission into this directory
    #[arg(long, value_name = "DIRECTORY")]
    pub(super) reports: Option<PathBuf>,

    /// Also write the reports as a zip that Moodle, Canvas or Brightspace takes, by the names of
    /// the download
    #[arg(long, value_name = "FILE", requires = "reports")]
    pub(super) feedback: Option<PathBuf>,

    /// The format of the reports; those for Gradescope are written after each test
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub(super) report: ReportFormat,

    /// CPU seconds for each case of a homework that names none
    #[arg(long, value_name = "SECONDS", default_value_t = CASE_TIME, value_parser = case_time)]
    pub(crate) case_time: f64,

    #[command(flatten)]
    pub(super) course_system: CourseSystemOptions,

    /// Write a web page of the whole class: ranking, histogram, tests by submissions; and a folder
    /// beside it with every report and all lost games
    #[arg(long, value_name = "FILE")]
    pub(super) page: Option<PathBuf>,
}

impl ClassOptions {
    /// Reads the grade book and the submissions of the part to grade, with their lateness, and asks
    /// for the user's agreement to run them. The bounds get what programs had at their intake.
    pub(super) fn open_class(
        &self,
        assignment: &Assignment,
        plan: &mut ClassPlan,
        graded_with: Option<String>,
    ) -> Result<(CourseSystemFiles, Vec<Student>)> {
        let bounds = &mut plan.bounds;
        add_intake_settings(&self.directory, bounds)?;
        let mut grade_book = self.course_system.read()?;
        let mut students = students(&self.directory, &self.commands, assignment)?;
        if let Some(Shard { index, of }) = self.shard {
            students.retain(|student| student.place % of == index - 1);
        }
        ensure!(
            self.feedback.is_none() || students.iter().any(|student| !student.feedback.is_empty()),
            "--feedback: Moodle, Canvas and Brightspace take it, and this is a class of none \
             of them"
        );
        grade_book.note_lateness(&mut students, plan.late.is_some())?;
        let runtimes = Runtimes::new(bounds);
        students.iter_mut().for_each(|student| student.try_runtime(&runtimes));
        let players: Vec<EngineSpec> =
            students.iter().filter_map(|student| student.player.clone().ok()).collect();
        check_class(&players, bounds, self.scheme.boxes.yes_unsafe)?;
        interrupt::catch()?;
        students.iter_mut().for_each(|student| student.notes.extend(graded_with.clone()));
        if let Assigned::Games(games) = &mut plan.assigned {
            games.bounds = bounds.clone();
            players.iter().try_for_each(|player| games.check_player(player))?;
        }
        Ok((grade_book, students))
    }
}

/// Returns the CSV file if it is there already, which only a continued run may have.
pub(super) fn check_csv(options: &ClassOptions) -> Result<Option<&Path>> {
    let existing = options.csv.as_deref().filter(|csv| csv.exists());
    if let Some(csv) = existing.filter(|_| !options.resume) {
        bail!(
            "{}: is there already; continue with --resume, or name another file with --csv",
            csv.display()
        );
    }
    Ok(existing)
}

pub(super) fn record_path(options: &ClassOptions) -> Result<PathBuf> {
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
    make_folder(directory)?;
    let class = std::path::absolute(&options.directory)?;
    let name = arena::plain::name(class.file_name().unwrap_or_default());
    let mut path = directory.join(format!("{name}.jsonl"));
    let mut number = 1;
    while path.exists() {
        number += 1;
        path = directory.join(format!("{name}-{number}.jsonl"));
    }
    Ok(path)
}
