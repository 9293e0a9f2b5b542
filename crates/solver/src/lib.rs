//! Exact tables and proofs: one subcommand and one module a game. The program `solve` is [`run`].

mod checkpoint;
mod foxgame;
mod foxgame_proof;
mod foxgeese;
mod interrupt;
mod numbers;
mod squirrels;
mod wolves;

use anyhow::Result;
use clap::{CommandFactory, Parser, Subcommand};
use std::process::ExitCode;

/// Solves games, or parts of them, exactly.
#[derive(Parser)]
#[command(
    name = "solve",
    version,
    after_help = "Exit code: 0 all is well; 1 a check failed; 2 a file or the command line is bad."
)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Foxgame(foxgame::Options),
    FoxgameProof(foxgame_proof::Options),
    Foxgeese(foxgeese::Options),
    Squirrels(squirrels::Options),
    Wolves(wolves::Options),
}

/// The whole run of the program: the exit code.
#[must_use]
pub fn run() -> ExitCode {
    match obey(CommandLine::parse().command) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::from(2)
        }
    }
}

/// The command line of the program, for its manual page and for shells that complete it.
#[must_use]
pub fn command_line() -> clap::Command {
    CommandLine::command()
}

fn obey(command: Command) -> Result<ExitCode> {
    match command {
        Command::Foxgame(options) => foxgame::run(&options),
        Command::FoxgameProof(options) => foxgame_proof::run(&options),
        Command::Foxgeese(options) => foxgeese::run(&options),
        Command::Squirrels(options) => squirrels::run(&options),
        Command::Wolves(options) => wolves::run(&options),
    }
}
