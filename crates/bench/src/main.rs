//! Time to depth on fixed positions, and beside the crate `minimax` on the same boards with the same evaluation.
//!
//! The node sum of the first part is a fingerprint: a change that should not alter play must not alter it.

mod foxgame;
mod yardstick;

use clap::Parser;
use cpu_time::ProcessTime;
use engine::search::{Limits, Mode, NoControl, Report, Searcher};
use engine::{Playable, Protocol, RuleSet};
use halma::{Move, Position};
use std::process::ExitCode;

/// Measures the search on fixed positions; CPU times, one position after the other.
#[derive(Parser)]
#[command(after_help = "Examples:\n  bench\n  bench --deeper -1 --yardstick none\n\
The node sum is the same on every machine as long as the search behaves the same.")]
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

/// The benched positions of Halma: file name under inputs/halma, and the depth of their full-width search.
const POSITIONS: [(&str, u32); 5] =
    [("start", 8), ("opening-20", 8), ("middle-31", 8), ("middle-44", 6), ("middle-60", 6)];

fn main() -> ExitCode {
    let options = Options::parse();
    let positions = match read_positions() {
        Ok(positions) => positions,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(2);
        }
    };
    let depth_of = |index: usize| POSITIONS[index].1.saturating_add_signed(options.deeper).max(1);
    let mut fingerprint = 0;
    for (mode, name, deeper) in [(Mode::FullWidth, "full width", 0), (Mode::Selective, "selective", 2)] {
        println!("{name:<12} depth      nodes   CPU s    nodes/s  score");
        for (index, (position_name, position)) in positions.iter().enumerate() {
            let (report, seconds) = timed_search(position, mode, depth_of(index) + deeper, options.hash << 20);
            println!(
                "{position_name:<12} {:>5} {:>10} {seconds:>7.3} {:>10.0} {:>6}",
                report.depth,
                report.nodes,
                report.nodes as f64 / seconds,
                report.score
            );
            fingerprint += report.nodes;
        }
    }
    println!("nodes in all: {fingerprint} (fingerprint of the search's behaviour)");
    for (index, (name, position)) in positions.iter().enumerate() {
        yardstick::compare(options.yardstick, name, position, depth_of(index), options.hash << 20);
    }
    if let Err(error) = foxgame::measure(options.hash << 20) {
        eprintln!("{error}");
        return ExitCode::from(2);
    }
    ExitCode::SUCCESS
}

fn read_positions() -> Result<Vec<(&'static str, Position)>, String> {
    POSITIONS
        .into_iter()
        .map(|(name, _)| {
            let file = format!("{}/../../inputs/halma/{name}.txt", env!("CARGO_MANIFEST_DIR"));
            let text = std::fs::read_to_string(&file).map_err(|error| format!("{file}: {error}"))?;
            let task = Position::read_task(&text, halma::Rules::AGENT).map_err(|error| format!("{file}:{error}"))?;
            Ok((name, task.position))
        })
        .collect()
}

/// A search from scratch, and its CPU seconds.
fn timed_search(position: &Position, mode: Mode, depth: u32, hash_bytes: usize) -> (Report<Move>, f64) {
    let start = ProcessTime::now();
    let mut searcher = Searcher::new(<Position as Playable>::knowledge(), mode, hash_bytes);
    let report = searcher
        .run(position, Limits { depth, ..Limits::default() }, &mut NoControl)
        .expect("the benched positions are not finished");
    (report, start.elapsed().as_secs_f64())
}
