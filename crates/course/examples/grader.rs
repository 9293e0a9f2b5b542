//! The commands of this crate as a program, with those that tests need beside them: what starts
//! players supervises their boxes, and so cannot be the tests' own process.

use clap::Parser;
use course::class::{ClassOptions, grade_class};
use course::grade::{self, CaseOptions, GradeOptions};
use course::homework_test::{HomeworkTestOptions, homework_test};
use intake::IntakeOptions;
use pages::replay::watch::WatchOptions;
use pages::replay::{self, ReplayOptions};
use std::process::ExitCode;

/// The commands.
#[derive(Parser)]
enum CommandLine {
    /// Prepares the submissions of a class
    Intake(IntakeOptions),
    /// Grades an agent
    Grade(GradeOptions),
    /// Grades a class
    GradeAll(ClassOptions),
    /// Grades homework by cases
    GradeCases(CaseOptions),
    /// Tests a homework
    HomeworkTest(HomeworkTestOptions),
    /// Shows the games of a record
    Replay(ReplayOptions),
    /// Shows a running match
    Watch(WatchOptions),
}

fn main() -> ExitCode {
    terminal::program::run(monitor::with_programs(games::all()), |line| {
        let done = match line {
            CommandLine::Intake(options) => intake::intake(&options),
            CommandLine::Grade(options) => grade::grade(&options),
            CommandLine::GradeAll(options) => grade_class(&options),
            CommandLine::GradeCases(options) => grade::grade_cases(&options),
            CommandLine::HomeworkTest(options) => homework_test(&options),
            CommandLine::Replay(options) => replay::replay(&options).map(|()| 0),
            CommandLine::Watch(options) => replay::watch::watch(&options).map(|()| 0),
        };
        done.map(ExitCode::from)
    })
}
