//! `solve foxgame`: endings of FoxGame with one fox.

mod class;
mod count;
mod extent;
mod known;
mod layers;
mod moves;
mod values;
mod verify;
mod whole;

use anyhow::Result;
use clap::Args;
use extent::Extent;
use foxgame::rules::LEAST_SHEEP;
use std::path::PathBuf;
use std::process::ExitCode;

/// FoxGame: every ending of one fox against a few sheep, layer by layer
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  solve foxgame --sheep 9 --out tables                         every position of one fox and 9 sheep
  solve foxgame --sheep 9 --out tables --verify --verify-random 10000000
  solve foxgame --sheep 10 --layers 4 --out small --verify     the most advanced flocks alone, in a second
  foxgame --tables tables -v                                   the agent plays from them
A layer whose file is there is not computed again, so that an interrupted run goes on where it was. At the end the values \
are counted.")]
pub(crate) struct Options {
    /// The most sheep; flocks of fewer are solved first
    #[arg(long, value_name = "COUNT", default_value_t = LEAST_SHEEP,
          value_parser = clap::value_parser!(u32).range(i64::from(LEAST_SHEEP)..=16))]
    sheep: u32,

    /// Solve only so many layers, those of the most advanced flocks, and of smaller flocks those that captures lead to
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..))]
    layers: Option<u32>,

    /// The directory of the tables
    #[arg(short, long, value_name = "DIR", default_value = "tables")]
    out: PathBuf,

    /// Check that every value follows from its successors' values, for all positions
    #[arg(long)]
    verify: bool,

    /// Leave out the flocks of fewer sheep, which an earlier --verify has checked
    #[arg(long, value_name = "SHEEP", default_value_t = 0, requires = "verify")]
    verify_from: u32,

    /// Check so many random positions by the rules that agents play by
    #[arg(long, value_name = "COUNT")]
    verify_random: Option<u64>,

    /// The seed of the random positions
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
}

/// Solves, and checks, as the options ask; exit code 1 if a check finds a wrong value.
pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    let extent = Extent { sheep: options.sheep, most_advanced: options.layers };
    layers::solve(&options.out, extent)?;
    count::print(&options.out, extent)?;
    let mut wrong = 0;
    if options.verify {
        wrong += whole::all(&options.out, extent, options.verify_from, &layers::progress(extent))?;
    }
    if let Some(positions) = options.verify_random {
        wrong += verify::random(&options.out, extent, positions, options.seed)?;
    }
    Ok(ExitCode::from(u8::from(wrong > 0)))
}
