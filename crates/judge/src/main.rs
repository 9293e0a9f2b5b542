//! The program `judge`, with the five games.

use std::process::ExitCode;

fn main() -> ExitCode {
    judge::run(monitor::with_programs(games::all()))
}
