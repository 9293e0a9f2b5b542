//! The program `lab`.

use std::process::ExitCode;

fn main() -> ExitCode {
    lab::run(monitor::with_programs(games::all()))
}
