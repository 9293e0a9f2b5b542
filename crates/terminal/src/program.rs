//! What the programs with commands do alike: `judge`, `league`, `manuals` and the examples.

use crate::games;
use anygame::AnyGame;
use anyhow::Result;
use arena::plain;
use arena::player::scratch::remove_scratch;
use clap::{ArgMatches, Command, CommandFactory, FromArgMatches};
use std::process::ExitCode;

/// Runs a program for these games, and returns the exit code.
pub fn run<C: CommandFactory + FromArgMatches>(
    games: Vec<AnyGame>,
    obey: impl FnOnce(C) -> Result<ExitCode>,
) -> ExitCode {
    run_command(games, C::command, |matches| {
        obey(C::from_arg_matches(matches).unwrap_or_else(|error| error.exit()))
    })
}

/// As [`run`], with a command line that is made when the games are known.
pub fn run_command(
    games: Vec<AnyGame>,
    command: impl FnOnce() -> Command,
    obey: impl FnOnce(&ArgMatches) -> Result<ExitCode>,
) -> ExitCode {
    // A program that starts players is the supervisor of each turn as well, without the options of
    // the command line.
    if let Some(code) = sandbox::own_command() {
        return code;
    }
    // A server's connections, and a worker for each core, need more than the 1,024 that are usual.
    sandbox::system::raise_open_files();
    games::set(games);
    let code = obey(&command().get_matches()).unwrap_or_else(|error| {
        eprintln!("{}", plain::lines(&format!("{error:#}")));
        ExitCode::from(2)
    });
    if let Some(bytes) = engine::search::largest_refused_table() {
        let mib = bytes >> 20;
        eprintln!(
            "not enough memory for a transposition table of {mib} MiB: searches had smaller ones"
        );
    }
    remove_scratch();
    code
}
