//! `lab bench`: searches fixed positions of every game to fixed depths. The node sum is a
//! fingerprint of the search's behaviour: it is the same on every machine, and a change that should
//! not alter play must not alter it.

use anyhow::{Context, Result, anyhow};
use clap::Args;
use clock::cpu::process_time;
use engine::search::{Limits, Mode, Report, Searcher};
use engine::think::default_knowledge;
use engine::{Playable, Protocol, RuleSet};
use std::path::Path;

/// Examples for the help text.
pub(crate) const EXAMPLE: &str = "\
Examples:
  lab bench
  lab bench --deeper -1
The node sum is the same on every machine as long as the search behaves the same and the options are the same.";

/// Options of `lab bench`.
#[derive(Args)]
pub(crate) struct BenchOptions {
    /// Search each position this number of plies deeper than usual; negative numbers search less
    /// deeply
    #[arg(long, default_value_t = 0, allow_negative_numbers = true, value_parser = clap::value_parser!(i32).range(-6..10))]
    deeper: i32,
    /// Size of every transposition table in MiB
    #[arg(long, default_value_t = 64)]
    hash: usize,
}

/// The benchmark of one game: its positions and their depths.
struct GameBench {
    /// The file names under inputs/GAME, without `.txt`, each with the depth of the full-width
    /// search.
    positions: &'static [(&'static str, u32)],
    /// The additional plies of the selective search.
    selective: u32,
}

/// A sum of nodes and CPU seconds.
#[derive(Clone, Copy, Default)]
struct Sum {
    /// The number of nodes, as [`Report::nodes`] counts them.
    nodes: u64,
    /// CPU seconds.
    seconds: f64,
}

impl Sum {
    /// Adds another sum.
    fn add(&mut self, other: Sum) {
        self.nodes += other.nodes;
        self.seconds += other.seconds;
    }
}

/// The benchmark of Halma.
const HALMA: GameBench = GameBench {
    positions: &[
        ("start", 8),
        ("opening-20", 8),
        ("middle-31", 8),
        ("middle-44", 6),
        ("middle-60", 6),
    ],
    selective: 2,
};
/// The benchmark of Wolves and Sheep.
const WOLVES: GameBench = GameBench {
    positions: &[("start", 12), ("middle-7", 11), ("middle-9", 11), ("question-2a", 12)],
    selective: 0,
};
/// The benchmark of Squirrels.
const SQUIRRELS: GameBench = GameBench {
    positions: &[("start", 9), ("competition-single-8-left", 8), ("competition-game-7-left", 7)],
    selective: 0,
};
/// The benchmark of FoxGame.
const FOXGAME: GameBench = GameBench {
    positions: &[("start", 10), ("middle-30", 10), ("middle-60", 9), ("middle-90", 9)],
    selective: 2,
};
/// The benchmark of Foxes and Geese.
const FOXGEESE: GameBench = GameBench {
    positions: &[("start", 13), ("geese-9", 12), ("foxes-11", 12), ("geese-16", 11)],
    selective: 0,
};
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
    Ok(())
}

/// Searches a game's positions in both modes, and prints a line for each search and one for their
/// sum. Errors name the file.
fn measure<G: Playable>(bench: &GameBench, deeper: i32, hash_bytes: usize) -> Result<Sum> {
    let mut sum = Sum::default();
    for (mode, name, more) in
        [(Mode::FullWidth, "full width", 0), (Mode::Selective, "selective", bench.selective)]
    {
        println!(
            "{:<26} depth      nodes   CPU s    nodes/s  score",
            format!("{}, {name}", G::NAME)
        );
        for &(file, depth) in bench.positions {
            // Agents search this view of the position, too.
            let position = G::as_searched(&read_position::<G>(file)?);
            let (report, seconds) =
                timed_search(&position, mode, depth_of(depth, deeper) + more, hash_bytes);
            let one = Sum { nodes: report.nodes, seconds };
            print_line(file, &report.depth.to_string(), one, &report.score.to_string());
            sum.add(one);
        }
    }
    print_line(&format!("{}, in all", G::NAME), "", sum, "");
    Ok(sum)
}

/// Returns a position's depth changed by `deeper` plies, at least 1.
fn depth_of(depth: u32, deeper: i32) -> u32 {
    depth.saturating_add_signed(deeper).max(1)
}

/// Prints one line of the table. A column without a value is an empty string.
fn print_line(name: &str, depth: &str, sum: Sum, score: &str) {
    let speed = sum.nodes as f64 / sum.seconds;
    let line = format!(
        "{name:<26} {depth:>5} {:>10} {:>7.3} {speed:>10.0} {score:>6}",
        sum.nodes, sum.seconds
    );
    println!("{}", line.trim_end());
}

/// Reads the position of inputs/GAME/NAME.txt. Without a file, `start` is the position that games
/// start from.
fn read_position<G: Protocol>(name: &str) -> Result<G> {
    let file = format!("{}/../../inputs/{}/{name}.txt", env!("CARGO_MANIFEST_DIR"), G::NAME);
    if name == "start" && !Path::new(&file).exists() {
        return Ok(G::start(G::Rules::AGENT));
    }
    let text = std::fs::read_to_string(&file).with_context(|| file.clone())?;
    let task = G::read_task(&text, G::Rules::AGENT).map_err(|error| anyhow!("{file}:{error}"))?;
    Ok(task.position)
}

/// Searches a position on one thread with an empty transposition table, and measures the CPU
/// seconds.
fn timed_search<G: Playable>(
    position: &G,
    mode: Mode,
    depth: u32,
    hash_bytes: usize,
) -> (Report<G::Move>, f64) {
    let start = process_time();
    let mut searcher = Searcher::new(default_knowledge::<G>(), mode, hash_bytes);
    let report = searcher
        .run(position, Limits { depth, ..Limits::default() }, &mut ())
        .expect("an input's position is not finished");
    (report, (process_time() - start).as_secs_f64())
}
