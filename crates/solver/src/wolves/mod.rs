//! `solve wolves`: Wolves and Sheep.

mod links;
mod retrograde;

use anyhow::Result;
use clap::Args;
use engine::Side;
use std::process::ExitCode;
use wolves::index::Layer;

/// Wolves and Sheep: exact tables
#[derive(Args, Clone, Debug)]
pub struct Options {
    /// Wolves on the board
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=3))]
    pub wolves: u32,
    #[arg(long, default_value_t = 10)]
    pub sheep: u32,
}

/// Does what the options ask for.
pub fn run(options: &Options) -> Result<ExitCode> {
    let mut below: Option<(Layer, Vec<u8>)> = None;
    for sheep in 3..=options.sheep {
        let layer = Layer::new(options.wolves, sheep);
        let solved = retrograde::solve(
            &layer,
            below.as_ref().map(|(layer, codes)| retrograde::Below { ranking: &layer.ranking, codes }),
            |_, _| (),
        )?;
        println!(
            "{sheep} W {:?}\n  S {:?} cpu {:?}",
            retrograde::count(&solved.wolves, Side::First),
            retrograde::count(&solved.sheep, Side::Second),
            engine::clock::cpu_time()
        );
        below = Some((layer, solved.sheep));
    }
    Ok(ExitCode::SUCCESS)
}
