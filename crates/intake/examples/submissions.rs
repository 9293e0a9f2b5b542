//! The commands of this crate for its tests. What starts players is the supervisor of their boxes as
//! well, and so cannot be the tests' own process.

use clap::Parser;
use intake::IntakeOptions;
use intake::try_command::{TryOptions, preflight};
use std::process::ExitCode;

#[derive(Parser)]
#[allow(clippy::large_enum_variant, reason = "there is one of it")]
enum CommandLine {
    /// Prepares the submissions of a class
    Intake(IntakeOptions),
    /// Tries a program before it is handed in
    Try(TryOptions),
}

fn main() -> ExitCode {
    terminal::program::run(games::all(), |line| match line {
        CommandLine::Intake(options) => intake::intake(&options).map(ExitCode::from),
        CommandLine::Try(options) => preflight(&options),
    })
}
