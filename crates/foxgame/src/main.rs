//! The FoxGame agent: with files, or in a game that a monitor runs.

mod memory;

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: memory::WithoutLocks = memory::WithoutLocks;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if foxgame::options::asks_for_monitor(&arguments) {
        foxgame::options::run()
    } else {
        engine::agent::run::<foxgame::Position>()
    }
}
