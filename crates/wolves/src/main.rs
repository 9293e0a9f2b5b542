//! The Wolves and Sheep agent.

use std::process::ExitCode;

fn main() -> ExitCode {
    engine::agent::run::<wolves::Position>()
}
