//! The agent `squirrels`, for the homework's files and the competition's.

use std::process::ExitCode;

fn main() -> ExitCode {
    engine::agent::run::<squirrels::Position>()
}
