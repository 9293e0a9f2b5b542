//! The program `two-foxes`.

use std::process::ExitCode;

/// Solving takes and frees blocks of megabytes all the time. The system's allocators get such
/// blocks from the kernel, which clears every page anew; mimalloc keeps them.
#[cfg(target_os = "linux")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    two_foxes::run()
}
