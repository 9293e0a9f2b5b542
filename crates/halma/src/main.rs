//! The Halma agent.

use std::process::ExitCode;

fn main() -> ExitCode {
    engine::agent::run::<halma::Position>()
}
