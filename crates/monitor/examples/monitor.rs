//! The monitor as a program of its own, with the options that it has in the judge: what the tests
//! start and talk to.

use clap::Parser;
use monitor::server::{MonitorOptions, monitor};
use std::process::ExitCode;

/// The monitor.
#[derive(Parser)]
struct CommandLine {
    #[command(flatten)]
    options: MonitorOptions,
}

fn main() -> ExitCode {
    terminal::program::run(Vec::new(), |line: CommandLine| monitor(&line.options))
}
