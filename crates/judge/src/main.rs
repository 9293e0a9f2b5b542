//! The program `judge`, with the five games.

use std::process::ExitCode;

fn main() -> ExitCode {
    judge::run(games::all())
}
