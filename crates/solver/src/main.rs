//! The program `solve`.

use std::process::ExitCode;

/// FoxGame's layers take and free blocks of megabytes all the time. The system's allocators get
/// such blocks from the kernel, which clears every page anew; mimalloc keeps them.
#[cfg(target_os = "linux")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    solver::run()
}
