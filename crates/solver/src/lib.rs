//! The program `solve`: exact solutions of games and parts of games, tables by retrograde analysis
//! and proofs. Each game has a subcommand and a module of its own.

mod foxgame;
mod foxgeese;
mod layer_files;
mod squirrels;
mod wolves;

use clap::{CommandFactory, Parser, Subcommand};
use std::process::ExitCode;

/// Solves games, or parts of them, exactly.
#[derive(Parser)]
#[command(
    name = "solve",
    version,
    after_help = "Exit code: 0 success; 1 a check failed; 2 a bad file or command line."
)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Foxgame(foxgame::Options),
    Foxgeese(foxgeese::Options),
    Squirrels(squirrels::Options),
    Wolves(wolves::Options),
}

/// Runs the program `solve` by its command line and returns the exit code.
pub fn run() -> ExitCode {
    let done = match CommandLine::parse().command {
        Command::Foxgame(options) => foxgame::run(&options),
        Command::Foxgeese(options) => foxgeese::run(&options),
        Command::Squirrels(options) => squirrels::run(&options),
        Command::Wolves(options) => wolves::run(&options),
    };
    done.unwrap_or_else(|error| {
        eprintln!("{error:#}");
        ExitCode::from(2)
    })
}

/// The definition of the command line, from which manual pages and completions are made.
pub fn command_line() -> clap::Command {
    CommandLine::command()
}
