//! `judge perft`: counts sequences of legal moves, by which move generators are compared.

use crate::check::read_task;
use anyhow::Result;
use clap::Args;
use std::path::PathBuf;
use std::time::Instant;
use terminal::games::{GameAndRules, rules_line};
use terminal::output::print;

#[derive(Args)]
pub(crate) struct PerftOptions {
    #[command(flatten)]
    pub game: GameAndRules,
    /// The maximum depth, in plies
    #[arg(short, long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=64))]
    pub depth: u32,
    /// The input file with the position; by default the start of the game
    #[arg(short, long, value_name = "FILE")]
    pub input: Option<PathBuf>,
}

/// Counts sequences of moves for each depth, and prints each count as soon as it is known.
pub(crate) fn perft(options: &PerftOptions) -> Result<()> {
    let (game, rules) = options.game.find()?;
    let position = match &options.input {
        Some(file) => read_task(game, file, Some(rules))?.position,
        None => game.rules.start(Some(rules))?,
    };
    print(&rules_line(game, rules));
    for depth in 1..=options.depth {
        let start = Instant::now();
        let count = position.perft(depth, &|| false)?;
        let seconds = start.elapsed().as_secs_f64();
        let speed = count as f64 / seconds.max(1e-9);
        print(&format!("{depth} {count} ({seconds:.3} s, {speed:.0} nodes/s)\n"));
    }
    Ok(())
}
