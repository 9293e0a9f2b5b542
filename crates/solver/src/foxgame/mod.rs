//! `solve foxgame`: tables of all FoxGame endings with one fox, by retrograde analysis.

mod all_layers;
mod class;
mod count;
mod extent;
mod moves;
mod solved_tables;
mod successors;
mod verify_all;
mod verify_random;

use anyhow::Result;
use clap::Args;
use extent::Extent;
use foxgame::rules::LEAST_SHEEP;
use std::path::PathBuf;
use std::process::ExitCode;

const MOST_SHEEP: u32 = 16;

/// FoxGame: every ending of one fox against a few sheep, layer by layer
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  solve foxgame --sheep 9 --out tables                         every position of one fox and 9 sheep
  solve foxgame --sheep 9 --out tables --verify --verify-random 10000000
  solve foxgame --sheep 10 --layers 4 --out small --verify     only the most advanced sheep, in a second
  foxgame --tables tables -v                                   the agent plays from them
A layer whose file exists is not computed again. At the end the values are counted.")]
pub(crate) struct Options {
    /// The most sheep; layers with fewer sheep are solved first
    #[arg(long, value_name = "COUNT", default_value_t = LEAST_SHEEP, value_parser = sheep)]
    sheep: u32,

    /// Solve only this many layers, those with the most advanced sheep, and the layers that
    /// captures lead to
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..))]
    layers: Option<u32>,

    /// The directory of the tables
    #[arg(short, long, value_name = "DIR", default_value = "tables")]
    out: PathBuf,

    /// Check that every value follows from its successors' values, for all positions
    #[arg(long)]
    verify: bool,

    /// Leave out the layers with fewer sheep, which an earlier --verify has checked
    #[arg(long, value_name = "SHEEP", default_value_t = 0, requires = "verify")]
    verify_from: u32,

    /// Check this many random positions by the rules that agents play by
    #[arg(long, value_name = "COUNT")]
    verify_random: Option<u64>,

    /// The seed of the random positions
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
}

fn sheep(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(count @ LEAST_SHEEP..=MOST_SHEEP) => Ok(count),
        Ok(0..LEAST_SHEEP) => Err(format!(
            "with fewer than {LEAST_SHEEP} sheep FOX has won, so there is nothing to solve: expected {LEAST_SHEEP} to {MOST_SHEEP}"
        )),
        _ => Err(format!("expected {LEAST_SHEEP} to {MOST_SHEEP}")),
    }
}

/// Solves the layers, counts their values and checks them. Exit code 1 if a value is wrong.
pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    let extent = Extent { sheep: options.sheep, most_advanced: options.layers };
    let directory = &options.out;
    all_layers::solve(directory, extent)?;
    count::print(directory, extent)?;
    let mut wrong = 0;
    if options.verify {
        let bar = all_layers::progress(extent);
        wrong += verify_all::check(directory, extent, options.verify_from, &bar)?;
    }
    if let Some(positions) = options.verify_random {
        wrong += verify_random::check(directory, extent, positions, options.seed)?;
    }
    Ok(ExitCode::from(u8::from(wrong > 0)))
}
