//! Our search beside that of the crate `minimax`.

use crate::timed_search;
use bench::minimax_search;
use clap::ValueEnum;
use cpu_time::ProcessTime;
use engine::search::{Control, Limits, Mode, Report, Searcher};
use halma::{Evaluation, Move, Position};
use minimax::Strategy;
use std::time::{Duration, Instant};

/// What to compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// CPU time to the same depth, full width, and whether the root values are the same
    Depth,
    /// The depth reached within 5 s
    Time,
    /// Both
    Both,
    /// Nothing
    None,
}

const TIME: Duration = Duration::from_secs(5);

/// Prints one line for a position.
pub fn compare(kind: Kind, name: &str, position: &Position, depth: u32, hash_bytes: usize) {
    if matches!(kind, Kind::Depth | Kind::Both) {
        let (ours, our_seconds) = timed_search(position, Mode::FullWidth, depth, hash_bytes);
        let start = ProcessTime::now();
        let mut other = minimax_search(hash_bytes);
        other.set_max_depth(depth as u8);
        let chosen = other.choose_move(position);
        let other_seconds = start.elapsed().as_secs_f64();
        let values = if i32::from(other.root_value()) == ours.score { "same value" } else { "other value" };
        println!(
            "{name:<12} depth {depth}: ours {our_seconds:.3} s, minimax 0.6 {other_seconds:.3} s, ratio {:.1}, {values} \
             ({} and {}{})",
            other_seconds / our_seconds,
            ours.score,
            other.root_value(),
            if chosen.is_none() { ", no move" } else { "" },
        );
    }
    if matches!(kind, Kind::Time | Kind::Both) {
        let full = depth_within(position, Mode::FullWidth, hash_bytes);
        let selective = depth_within(position, Mode::Selective, hash_bytes);
        let mut other = minimax_search(hash_bytes);
        other.set_timeout(TIME);
        other.choose_move(position);
        // The crate does not tell the depth; its statistics do not either. The line is as long as the depth.
        let other_depth = other.principal_variation().len();
        println!("{name:<12} depth within 5 s: full width {full}, selective {selective}, minimax 0.6 {other_depth}");
    }
}

/// Wall time, for the crate `minimax` knows no other.
struct Until(Instant);

impl Control<Move> for Until {
    fn stop_now(&mut self) -> bool {
        Instant::now() >= self.0
    }
}

fn depth_within(position: &Position, mode: Mode, hash_bytes: usize) -> u32 {
    let mut searcher = Searcher::new(Evaluation, mode, hash_bytes);
    let report: Option<Report<Move>> = searcher.run(position, Limits::default(), &mut Until(Instant::now() + TIME));
    report.map_or(0, |report| report.depth)
}
