//! Our search beside that of the crate `minimax`.

use crate::fixed::timed_search;
use bench::minimax_search;
use clap::ValueEnum;
use engine::search::{Control, Limits, Mode, Report, Searcher};
use halma::{Evaluation, Move, Position};
use minimax::Strategy;
use std::time::{Duration, Instant};
use system::cpu::process_time;

/// The figures to compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// CPU time to the same depth, full width, and whether the root values are the same
    Depth,
    /// The depth reached within 5 s
    Time,
    /// Both
    Both,
    /// Nothing
    None,
}

impl Kind {
    fn to_a_depth(self) -> bool {
        matches!(self, Kind::Depth | Kind::Both)
    }

    fn within_a_time(self) -> bool {
        matches!(self, Kind::Time | Kind::Both)
    }
}

const TIME: Duration = Duration::from_secs(5);

/// Prints a table for each comparison, a line for each position: its name, the position, the depth.
pub(crate) fn compare(kind: Kind, positions: &[(&str, Position, u32)], hash_bytes: usize) {
    if kind.to_a_depth() {
        println!("halma, CPU s to a depth    depth    ours   crate ratio  crate with our order ratio  value");
        for (name, position, depth) in positions {
            to_depth(name, position, *depth, hash_bytes);
        }
    }
    if kind.within_a_time() {
        println!("halma, depth in 5 s   full width  selective  crate  crate with our order");
        for (name, position, _) in positions {
            let full = depth_within(position, Mode::FullWidth, hash_bytes);
            let selective = depth_within(position, Mode::Selective, hash_bytes);
            let plain = crate_within::<false>(position, hash_bytes);
            let ordered = crate_within::<true>(position, hash_bytes);
            println!("{name:<21} {full:>10} {selective:>10} {plain:>6} {ordered:>21}");
        }
    }
}

fn to_depth(name: &str, position: &Position, depth: u32, hash_bytes: usize) {
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

/// The value that the crate finds, and its CPU seconds.
fn crate_to_depth<const ORDERED: bool>(position: &Position, depth: u32, hash_bytes: usize) -> (i16, f64) {
    let start = process_time();
    let mut search = minimax_search::<ORDERED>(hash_bytes);
    search.set_max_depth(depth as u8);
    search.choose_move(position);
    (search.root_value(), (process_time() - start).as_secs_f64())
}

fn crate_within<const ORDERED: bool>(position: &Position, hash_bytes: usize) -> usize {
    let mut search = minimax_search::<ORDERED>(hash_bytes);
    search.set_timeout(TIME);
    search.choose_move(position);
    // The crate does not tell the depth; its statistics do not either. The line is as long as the depth.
    search.principal_variation().len()
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
