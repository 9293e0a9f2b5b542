//! `solve foxgame`: endings of FoxGame with one fox.

mod class;
mod extent;
mod layers;
mod lower;
mod moves;

use anyhow::Result;
use clap::Args;
use extent::Extent;
use foxgame::rules::LEAST_SHEEP;
use std::path::PathBuf;
use std::process::ExitCode;

/// FoxGame: every ending of one fox against a few sheep, layer by layer
#[derive(Args, Clone, Debug)]
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
}

/// Solves, and checks, as the options ask; exit code 1 if a check finds a wrong value.
pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    let extent = Extent { sheep: options.sheep, layers: options.layers };
    layers::solve(&options.out, extent)?;
    Ok(ExitCode::SUCCESS)
}
