//! The FoxGame agent: with files, or in a game that a monitor runs.

mod memory;

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: memory::WithoutLocks = memory::WithoutLocks;

fn main() -> ExitCode {
    engine::agent::run::<foxgame::Position>()
}
