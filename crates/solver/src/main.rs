//! The program `solve`.

use std::process::ExitCode;

/// FoxGame's layers take and free blocks of megabytes all the time, which mimalloc keeps: the kernel
/// would clear every page anew.
#[cfg(target_os = "linux")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    solver::run()
}
