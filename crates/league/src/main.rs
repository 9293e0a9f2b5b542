//! The program `league`, with the five games.

use std::process::ExitCode;

fn main() -> ExitCode {
    league::run(games::all())
}
