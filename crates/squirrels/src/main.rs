//! The Squirrels agent: homework and competition.

use std::process::ExitCode;

fn main() -> ExitCode {
    engine::agent::run::<squirrels::Position>()
}
