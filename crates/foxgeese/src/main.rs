//! The agent `foxgeese`, for files and for puzzle servers.

use std::process::ExitCode;

fn main() -> ExitCode {
    engine::agent::run::<foxgeese::Position>()
}
