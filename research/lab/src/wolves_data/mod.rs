//! `lab wolves-data`: the files of results that the agent of Wolves and Sheep embeds, made from the
//! tables of `solve wolves`.

mod outcomes;
mod strategy;

use anyhow::{Context, Result};
use clap::Args;
use std::path::{Path, PathBuf};

pub(crate) const EXAMPLE: &str = "\
Examples:
  lab wolves-data tables --outcomes crates/wolves/data/outcomes.bin
  lab wolves-data tables --strategy crates/wolves/data/strategy.bin";

#[derive(Args)]
pub(crate) struct Options {
    /// The directory of the tables
    tables: PathBuf,

    /// Write the outcomes, from the tables of 1 and 2 wolves with 3 to 15 sheep, to this file
    #[arg(long, value_name = "FILE", required_unless_present = "strategy")]
    outcomes: Option<PathBuf>,

    /// Write the sheep's strategy, from the tables of 2 wolves with 3 to 10 sheep, to this file
    #[arg(long, value_name = "FILE")]
    strategy: Option<PathBuf>,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    if let Some(file) = &options.outcomes {
        write(file, &outcomes::of(&options.tables)?)?;
    }
    if let Some(file) = &options.strategy {
        write(file, &strategy::of(&options.tables)?)?;
    }
    Ok(())
}

fn write(file: &Path, bytes: &[u8]) -> Result<()> {
    std::fs::write(file, bytes)
        .with_context(|| format!("{}: cannot be written", file.display()))?;
    println!("{}: {} bytes", file.display(), bytes.len());
    Ok(())
}
