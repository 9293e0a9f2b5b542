//! The FoxGame agent: with files, or in a game that a monitor runs.

#[cfg(target_os = "linux")]
mod allocator;

use std::process::ExitCode;

#[cfg(target_os = "linux")]
#[global_allocator]
static ALLOCATOR: allocator::WithoutLocks = allocator::WithoutLocks;

fn main() -> ExitCode {
    engine::agent::run::<foxgame::Position>()
}
