//! The Halma agent, for the judge's tests: the same few lines as in its own crate, built along with the tests.

use std::process::ExitCode;

fn main() -> ExitCode {
    engine::agent::run::<halma::Position>()
}
