//! Exact tables and proofs: one subcommand and one module a game.

mod foxgeese;
mod squirrels;
mod wolves;

use anyhow::Result;
use clap::{Parser, Subcommand};
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
    Foxgeese(foxgeese::Options),
    Squirrels(squirrels::Options),
    Wolves(wolves::Options),
}

fn main() -> ExitCode {
    match run(CommandLine::parse().command) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(command: Command) -> Result<ExitCode> {
    match command {
        Command::Foxgeese(options) => foxgeese::run(&options),
        Command::Squirrels(options) => squirrels::run(&options),
        Command::Wolves(options) => wolves::run(&options),
    }
}
