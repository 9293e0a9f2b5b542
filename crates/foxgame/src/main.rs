//! The FoxGame agent. It answers one input file, or plays a whole game over TCP that a monitor
//! runs.

#[cfg(target_os = "linux")]
mod allocator;

use foxgame::monitor::command_line::asks_for_monitor;
use std::process::ExitCode;

#[cfg(target_os = "linux")]
#[global_allocator]
static ALLOCATOR: allocator::SplitAllocator = allocator::SplitAllocator;

fn main() -> ExitCode {
    let words: Vec<String> =
        std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    if asks_for_monitor(&words) {
        foxgame::monitor::run()
    } else {
        engine::agent::run::<foxgame::Position>()
    }
}
