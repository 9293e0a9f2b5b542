//! `judge grade-all`: grades a class, and writes a table, a CSV file, reports and a page.

mod alike;
mod bonus;
mod class_options;
mod class_plan;
mod class_run;
mod csv;
mod feedback;
mod grades;
mod merge;
mod output;
mod page;
mod queue;
mod record;
mod running_tests;
mod students;
mod to_course_system;

pub(crate) use alike::Alike;
pub use class_options::ClassOptions;
pub use merge::{is_class, merge};
pub use students::{Commands, Student, students};

use anyhow::{Result, bail};
use class_options::{check_csv, record_path};
use class_plan::{ClassPlan, HomeworkTest};
use class_run::ClassRun;
use record::first_line;
use std::sync::OnceLock;
use terminal::interrupt;
use terminal::settings::tell_drawn;

/// Runs `judge grade-all`. A submission that cannot be run gets 0 points and a reason.
pub fn grade_class(options: &ClassOptions) -> Result<u8> {
    let assignment = options.scheme.game.assignment()?;
    let record = record_path(options)?;
    let (mut plan, graded_with, drawn) = match assignment.homework() {
        Some(homework) => {
            options.scheme.refuse_keys_of_games()?;
            let (bounds, graded_with) = options.scheme.prepare(Some(homework))?;
            let (seconds, stops_early) = (options.case_time, !options.no_early_stop);
            let earlier = OnceLock::new();
            let test = HomeworkTest { homework, seconds, stops_early, earlier };
            (ClassPlan::of_homework(test, bounds)?, graded_with, None)
        }
        None => {
            let recorded = options.resume.then(|| first_line(&record).ok()).flatten();
            let recorded = recorded.and_then(|header| header["seed"].as_u64());
            let mut plan = options.scheme.plan(recorded, options.shard.is_some())?;
            if options.no_early_stop {
                plan.note("early-stop=no");
            }
            let (graded_with, drawn) = (plan.graded_with.take(), plan.drawn);
            (ClassPlan::of_games(plan), graded_with, drawn)
        }
    };
    let existing_csv = check_csv(options)?;
    if let Some(csv) = existing_csv.filter(|_| !record.exists()) {
        let (csv, record) = (csv.display(), record.display());
        bail!(
            "{csv}: there is no record {record} to continue; name it with --record, or another file with --csv"
        );
    }
    let (grade_book, students) = options.open_class(&assignment, &mut plan, graded_with)?;
    let most = plan.most;
    let class = ClassRun::open(options, plan, students, record.clone())?;
    drawn.into_iter().for_each(tell_drawn);
    if let Some(lines) = class.play()? {
        return Ok(u8::from(!grade_book.fill(&lines, &class.students, most)?));
    }
    eprintln!("interrupted; the same command with --resume continues {}", record.display());
    Ok(interrupt::EXIT_CODE)
}
