//! The Halma agent, built together with the tests.

use std::process::ExitCode;

fn main() -> ExitCode {
    engine::agent::run::<halma::Position>()
}
