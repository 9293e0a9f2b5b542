//! The program `league`, with the five games.

use std::process::ExitCode;

fn main() -> ExitCode {
    league::run(monitor::with_programs(games::all()))
}
