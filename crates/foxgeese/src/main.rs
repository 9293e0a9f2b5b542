//! The Foxes and Geese agent.

use std::process::ExitCode;

fn main() -> ExitCode {
    engine::agent::run::<foxgeese::Position>()
}
