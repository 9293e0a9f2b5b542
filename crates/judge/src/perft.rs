//! `judge perft`: the figure that move generators are compared by.

use crate::check::read_task;
use crate::names::name_parser;
use crate::output::print;
use anyhow::Result;
use arena::terms::rule_set;
use clap::Args;
use engine::Playable;
use std::path::PathBuf;
use std::time::Instant;

/// Options of `judge perft`.
#[derive(Args)]
pub(crate) struct PerftOptions {
    /// The game
    #[arg(value_parser = name_parser())]
    pub game: String,
    /// The deepest count, in plies
    #[arg(short, long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=64))]
    pub depth: u32,
    /// The position, an input file; the start of the game unless given
    #[arg(short, long, value_name = "FILE")]
    pub input: Option<PathBuf>,
    /// The rule set; the judge's most permissive one unless given
    #[arg(long, value_name = "NAME")]
    pub rules: Option<String>,
}

/// Counts lines of moves, depth by depth, and prints each count as soon as it is known.
pub(crate) fn perft<A: Playable>(options: &PerftOptions) -> Result<()> {
    let mut position = match &options.input {
        Some(file) => read_task::<A>(file, options.rules.as_deref())?.position,
        None => A::start(rule_set(options.rules.as_deref())?),
    };
    for depth in 1..=options.depth {
        let start = Instant::now();
        let count = engine::perft(&mut position, depth);
        let seconds = start.elapsed().as_secs_f64();
        let speed = count as f64 / seconds.max(1e-9);
        print(&format!("{depth} {count} ({seconds:.3} s, {speed:.0} nodes/s)\n"));
    }
    Ok(())
}
