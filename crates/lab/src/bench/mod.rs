//! `lab bench`: measures the search of every game on fixed positions, and compares Halma's search with that of the crate
//! `minimax` on the same boards with the same evaluation.
//!
//! The node sum of the first part is a fingerprint of the search's behaviour: a change that should not alter play must not
//! alter it.

mod fixed_positions;
pub(crate) mod minimax_agent;
mod minimax_clocked;
mod minimax_crate;
mod minimax_listener;
mod yardstick;

use anyhow::Result;
use clap::Args;
use engine::Playable;
use fixed_positions::{GameBench, Sum, depth_of, measure, print_line, read_position};

/// Examples for the help text.
pub(crate) const EXAMPLE: &str = "\
Examples:
  lab bench
  lab bench --deeper -1 --yardstick none
The node sum is the same on every machine as long as the search behaves the same and the options are the same.";

/// Options of `lab bench`.
#[derive(Args)]
pub(crate) struct BenchOptions {
    /// Search each position this number of plies deeper than usual; negative numbers search less deeply
    #[arg(long, default_value_t = 0, allow_negative_numbers = true, value_parser = clap::value_parser!(i32).range(-6..10))]
    deeper: i32,
    /// The comparison with the crate `minimax`: to a depth, for 5 s for each position, both, or none
    #[arg(long, value_enum, default_value_t = yardstick::Comparison::Depth)]
    yardstick: yardstick::Comparison,
    /// Size of every transposition table in MiB
    #[arg(long, default_value_t = 64)]
    hash: usize,
}

/// The benchmark of Halma.
const HALMA: GameBench = GameBench {
    positions: &[("start", 8), ("opening-20", 8), ("middle-31", 8), ("middle-44", 6), ("middle-60", 6)],
    selective: 2,
};
/// The benchmark of Wolves and Sheep.
const WOLVES: GameBench =
    GameBench { positions: &[("start", 12), ("middle-7", 11), ("middle-9", 11), ("question-2a", 12)], selective: 0 };
/// The benchmark of Squirrels.
const SQUIRRELS: GameBench = GameBench {
    positions: &[("start", 9), ("competition-single-8-left", 8), ("competition-game-7-left", 7)],
    selective: 0,
};
/// The benchmark of FoxGame.
const FOXGAME: GameBench =
    GameBench { positions: &[("start", 10), ("middle-30", 10), ("middle-60", 9), ("middle-90", 9)], selective: 2 };
/// The benchmark of Foxes and Geese.
const FOXGEESE: GameBench =
    GameBench { positions: &[("start", 13), ("geese-9", 12), ("foxes-11", 12), ("geese-16", 11)], selective: 0 };
/// The benchmark of a game without one of its own.
const USUAL: GameBench = GameBench { positions: &[("start", 6)], selective: 0 };

/// Returns the benchmark of a game.
fn bench_of(game: &str) -> &'static GameBench {
    match game {
        "halma" => &HALMA,
        "wolves" => &WOLVES,
        "squirrels" => &SQUIRRELS,
        "foxgame" => &FOXGAME,
        "foxgeese" => &FOXGEESE,
        _ => &USUAL,
    }
}

fn measure_game<G: Playable>(deeper: i32, hash_bytes: usize) -> Result<Sum> {
    measure::<G>(bench_of(G::NAME), deeper, hash_bytes)
}

/// Runs `lab bench`.
pub(crate) fn run(options: &BenchOptions) -> Result<()> {
    let (deeper, hash_bytes) = (options.deeper, options.hash << 20);
    macro_rules! measured {
        ($($game:ident,)*) => { [$(measure_game::<games::$game::Position>(deeper, hash_bytes)?),*] };
    }
    let games = games::each_game!(measured);
    let mut all = Sum::default();
    games.into_iter().for_each(|game| all.add(game));
    print_line("all games", "", all, "");
    println!("node sum: {} (fingerprint of the search's behaviour)", all.nodes);
    let boards = HALMA.positions.iter().map(|&(name, depth)| Ok((name, read_position(name)?, depth_of(depth, deeper))));
    yardstick::compare(options.yardstick, &boards.collect::<Result<Vec<_>>>()?, hash_bytes);
    Ok(())
}
