//! `solve wolves`: Wolves and Sheep.

use anyhow::Result;
use clap::Args;
use engine::perft;
use std::process::ExitCode;
use wolves::{Layout, Position};

/// Wolves and Sheep: exact tables
#[derive(Args, Clone, Debug)]
pub struct Options {
    /// Wolves on the board
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=3))]
    pub wolves: u32,
}

/// Does what the options ask for.
pub fn run(options: &Options) -> Result<ExitCode> {
    println!("{} wolves, perft 4: {}", options.wolves, perft(&mut Position::layout(Layout::Figure1), 4));
    Ok(ExitCode::SUCCESS)
}
