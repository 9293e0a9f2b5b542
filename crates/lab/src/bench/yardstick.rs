//! Compares Menagerie's search with that of the crate `minimax`.

use crate::bench::fixed_positions::timed_search;
use crate::bench::minimax_crate::minimax_search;
use clap::ValueEnum;
use clock::cpu::process_time;
use engine::search::{Control, Limits, Mode, Report, Searcher};
use halma::{Evaluation, Move, Position};
use minimax::Strategy;
use std::time::{Duration, Instant};

/// The comparisons of `--yardstick`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Comparison {
    /// CPU time to the same depth, full width, and whether the root values are the same
    Depth,
    /// The depth reached within 5 s
    Time,
    /// Both
    Both,
    /// Nothing
    None,
}

impl Comparison {
    /// Returns whether to compare CPU times to a depth.
    fn compares_depth(self) -> bool {
        matches!(self, Comparison::Depth | Comparison::Both)
    }

    /// Returns whether to compare depths within a time.
    fn compares_time(self) -> bool {
        matches!(self, Comparison::Time | Comparison::Both)
    }
}

/// The wall time of the search of one position.
const TIME_LIMIT: Duration = Duration::from_secs(5);

/// Prints a table for each comparison that `kind` selects. `positions` are names, positions and depths.
pub(crate) fn compare(kind: Comparison, positions: &[(&str, Position, u32)], hash_bytes: usize) {
    if kind.compares_depth() {
        println!("halma, CPU s to a depth    depth    ours   crate ratio  crate with our order ratio  value");
        for (name, position, depth) in positions {
            print_times_to_depth(name, position, *depth, hash_bytes);
        }
    }
    if kind.compares_time() {
        println!("halma, depth in 5 s   full width  selective  crate  crate with our order");
        for (name, position, _) in positions {
            let full = depth_within(position, Mode::FullWidth, hash_bytes);
            let selective = depth_within(position, Mode::Selective, hash_bytes);
            let plain = crate_depth_within::<false>(position, hash_bytes);
            let ordered = crate_depth_within::<true>(position, hash_bytes);
            println!("{name:<21} {full:>10} {selective:>10} {plain:>6} {ordered:>21}");
        }
    }
}

/// Prints the CPU times of three searches of a position to a depth.
fn print_times_to_depth(name: &str, position: &Position, depth: u32, hash_bytes: usize) {
    let (ours, our_seconds) = timed_search(position, Mode::FullWidth, depth, hash_bytes);
    let (plain, plain_seconds) = crate_to_depth::<false>(position, depth, hash_bytes);
    let (ordered, ordered_seconds) = crate_to_depth::<true>(position, depth, hash_bytes);
    let value = if [plain, ordered].map(i32::from) == [ours.score; 2] {
        format!("{} for all", ours.score)
    } else {
        format!("{}, {plain} and {ordered}: NOT THE SAME", ours.score)
    };
    println!(
        "{name:<26} {depth:>5} {our_seconds:>7.3} {plain_seconds:>7.3} {:>5.1} {ordered_seconds:>21.3} {:>5.1}  {value}",
        plain_seconds / our_seconds,
        ordered_seconds / our_seconds,
    );
}

/// Searches a position to a depth with the crate, and returns the root value and the CPU seconds.
fn crate_to_depth<const ORDERED: bool>(position: &Position, depth: u32, hash_bytes: usize) -> (i16, f64) {
    let start = process_time();
    let mut search = minimax_search::<ORDERED>(hash_bytes);
    search.set_max_depth(depth as u8);
    search.choose_move(position);
    (search.root_value(), (process_time() - start).as_secs_f64())
}

/// Returns the depth that the crate's search reaches within the time limit.
fn crate_depth_within<const ORDERED: bool>(position: &Position, hash_bytes: usize) -> usize {
    let mut search = minimax_search::<ORDERED>(hash_bytes);
    search.set_timeout(TIME_LIMIT);
    search.choose_move(position);
    // The crate does not report the depth, but its principal variation has this length.
    search.principal_variation().len()
}

/// A deadline in wall time, the only time limit of the crate `minimax`.
struct Deadline(Instant);

impl Control<Move> for Deadline {
    fn stop_now(&mut self) -> bool {
        Instant::now() >= self.0
    }
}

/// Returns the depth that Menagerie's search reaches within the time limit.
fn depth_within(position: &Position, mode: Mode, hash_bytes: usize) -> u32 {
    let mut searcher = Searcher::new(Evaluation, mode, hash_bytes);
    let report: Option<Report<Move>> =
        searcher.run(position, Limits::default(), &mut Deadline(Instant::now() + TIME_LIMIT));
    report.map_or(0, |report| report.depth)
}
