//! `solve wolves`: tables of all positions of Wolves and Sheep, by retrograde analysis.

mod all_layers;
mod links;
mod retrograde;
mod verify;

use anyhow::Result;
use clap::Args;
use std::path::PathBuf;
use std::process::ExitCode;
use wolves::rules::{MOST_SHEEP, SHEEP_LOST};

/// Wolves and Sheep: every position's value and distance, layer by layer from 3 sheep upwards
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  solve wolves --wolves 2 --sheep 10 --out tables      every position of 2 wolves against 3 to 10 sheep
  solve wolves --wolves 2 --sheep 7 --out tables --verify
  solve wolves --wolves 2 --sheep 12 --out tables --verify-random 10000000
A layer whose file exists is not computed again.")]
pub(crate) struct Options {
    /// Wolves on the board
    #[arg(long, value_name = "COUNT", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=3))]
    wolves: u32,

    /// The most sheep; the layers below are solved first
    #[arg(long, value_name = "COUNT", default_value_t = 10,
          value_parser = clap::value_parser!(u32).range(i64::from(SHEEP_LOST) + 1..=i64::from(MOST_SHEEP)))]
    sheep: u32,

    /// The directory of the tables
    #[arg(short, long, value_name = "DIR", default_value = "tables")]
    out: PathBuf,

    /// Check that every value follows from the rules and its successors' values, for all positions
    /// of the layers
    #[arg(long)]
    verify: bool,

    /// Leave out the layers with fewer sheep, which an earlier --verify has checked
    #[arg(long, value_name = "SHEEP", default_value_t = 0, requires = "verify")]
    verify_from: u32,

    /// Check this many random positions of either side, over all layers
    #[arg(long, value_name = "COUNT", conflicts_with = "verify")]
    verify_random: Option<u64>,

    /// The seed of the random positions
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,

    /// The number of threads [default: one for each processor]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
}

/// Solves the layers and checks them. Exit code 1 if a value is wrong.
pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    if let Some(threads) = options.threads {
        rayon::ThreadPoolBuilder::new().num_threads(threads as usize).build_global()?;
    }
    let (directory, wolves, sheep) = (&options.out, options.wolves, options.sheep);
    all_layers::solve(directory, wolves, sheep)?;
    let wrong = if options.verify {
        verify::check_all(directory, wolves, options.verify_from..=sheep)?
    } else if let Some(positions) = options.verify_random {
        verify::check_random(directory, wolves, sheep, positions, options.seed)?
    } else {
        0
    };
    Ok(ExitCode::from(u8::from(wrong > 0)))
}
