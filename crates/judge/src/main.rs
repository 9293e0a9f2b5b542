//! The judge's program.

use std::process::ExitCode;

fn main() -> ExitCode {
    judge::run(judge::menagerie())
}
