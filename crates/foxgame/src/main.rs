//! The FoxGame agent.

use std::process::ExitCode;

fn main() -> ExitCode {
    engine::agent::run::<foxgame::Position>()
}
