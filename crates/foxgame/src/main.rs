//! The FoxGame agent. It answers one input file, or plays a whole game over TCP that a monitor runs.

#[cfg(target_os = "linux")]
mod allocator;

use std::process::ExitCode;

#[cfg(target_os = "linux")]
#[global_allocator]
static ALLOCATOR: allocator::SplitAllocator = allocator::SplitAllocator;

fn main() -> ExitCode {
    engine::agent::run::<foxgame::Position>()
}
