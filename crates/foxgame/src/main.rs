//! The FoxGame agent: with files, or in a game that a monitor runs.

#[cfg(target_os = "linux")]
mod memory;

use std::process::ExitCode;

#[cfg(target_os = "linux")]
#[global_allocator]
static ALLOCATOR: memory::WithoutLocks = memory::WithoutLocks;

fn main() -> ExitCode {
    engine::agent::run::<foxgame::Position>()
}
