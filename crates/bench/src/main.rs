//! Every game's search on fixed positions, and Halma's beside the crate `minimax` on the same boards with the same
//! evaluation.
//!
//! The node sum of the first part is a fingerprint: a change that should not alter play must not alter it.

mod fixed;
mod yardstick;

use clap::Parser;
use fixed::{Bench, Sum, depth_of, measure, print_line, read_position};
use std::process::ExitCode;

/// Measures the search on fixed positions; CPU times, one position after the other.
#[derive(Parser)]
#[command(after_help = "Examples:\n  bench\n  bench --deeper -1 --yardstick none\n\
The node sum is the same on every machine as long as the search behaves the same and the options are the same.")]
struct Options {
    /// Plies more (or, below zero, less) than each position's own depth
    #[arg(long, default_value_t = 0, allow_negative_numbers = true, value_parser = clap::value_parser!(i32).range(-6..10))]
    deeper: i32,
    /// Compare with the crate `minimax`: to a depth, for 5 s a position, both, or not at all
    #[arg(long, value_enum, default_value_t = yardstick::Kind::Depth)]
    yardstick: yardstick::Kind,
    /// Size of every transposition table in MiB
    #[arg(long, default_value_t = 64)]
    hash: usize,
}

const HALMA: Bench = Bench {
    positions: &[("start", 8), ("opening-20", 8), ("middle-31", 8), ("middle-44", 6), ("middle-60", 6)],
    selective: 2,
};
const WOLVES: Bench =
    Bench { positions: &[("start", 12), ("middle-7", 11), ("middle-9", 11), ("question-2a", 12)], selective: 0 };
const SQUIRRELS: Bench = Bench {
    positions: &[("start", 9), ("competition-single-8-left", 8), ("competition-game-7-left", 7)],
    selective: 0,
};
const FOXGAME: Bench =
    Bench { positions: &[("start", 10), ("middle-30", 10), ("middle-60", 9), ("middle-90", 9)], selective: 2 };
const FOXGEESE: Bench =
    Bench { positions: &[("start", 13), ("geese-9", 12), ("foxes-11", 12), ("geese-16", 11)], selective: 0 };

fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

fn run(options: &Options) -> Result<(), String> {
    let (deeper, hash_bytes) = (options.deeper, options.hash << 20);
    let games = [
        measure::<halma::Position>(&HALMA, deeper, hash_bytes)?,
        measure::<wolves::Position>(&WOLVES, deeper, hash_bytes)?,
        measure::<squirrels::Position>(&SQUIRRELS, deeper, hash_bytes)?,
        measure::<foxgame::Position>(&FOXGAME, deeper, hash_bytes)?,
        measure::<foxgeese::Position>(&FOXGEESE, deeper, hash_bytes)?,
    ];
    let mut all = Sum::default();
    games.into_iter().for_each(|game| all.add(game));
    print_line("all games", "", all, "");
    println!("node sum: {} (fingerprint of the search's behaviour)", all.nodes);
    let boards = HALMA.positions.iter().map(|&(name, depth)| Ok((name, read_position(name)?, depth_of(depth, deeper))));
    yardstick::compare(options.yardstick, &boards.collect::<Result<Vec<_>, String>>()?, hash_bytes);
    Ok(())
}
