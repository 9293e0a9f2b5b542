//! Solutions of whole games, which take minutes, by several threads, with progress reports.

use crate::board::Square;
use crate::exact::{Solution, Solver, Table};
use crate::rules::Position;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// The time between two reports of the search's progress.
const TICK: Duration = Duration::from_secs(1);

/// A progress report on a position that is being solved.
#[derive(Clone, Copy, Debug)]
pub enum ProgressUpdate {
    /// The least and the greatest value that the position can still have, for the side to move.
    Bounds(i32, i32),
    /// The progress of the search, reported once a second.
    Tick {
        /// The number of nodes that all threads have visited.
        nodes: u64,
        /// The number of empty squares of the state that is being solved. It grows up to the number
        /// of the position itself.
        empty: u32,
    },
}

/// The full solution of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct FullSolution {
    /// The value and a move that reaches it.
    pub solution: Solution,
    /// The squares taken in one line of best moves to the end.
    pub line: Vec<Square>,
    /// The number of nodes that all threads have visited.
    pub nodes: u64,
}

/// Solves a position that is not finished by `threads` threads, at least one, which share a table
/// of at most `table_bytes`, and reports progress to `report`.
pub fn solve(
    position: &Position,
    threads: u32,
    table_bytes: usize,
    report: &(dyn Fn(ProgressUpdate) + Sync),
) -> FullSolution {
    let table = Table::for_empty_in_huge_pages(position.empty(), table_bytes);
    let threads = threads.max(1);
    let shared = Shared {
        done: AtomicBool::new(false),
        nodes: (0..threads).map(|_| AtomicU64::new(0)).collect(),
        found: Mutex::new(None),
        report,
    };
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let (table, shared) = (&table, &shared);
            scope.spawn(move || {
                let mut reported = Instant::now();
                // The first thread reports for all.
                let stop = |nodes, empty| {
                    shared.nodes[thread as usize].store(nodes, Relaxed);
                    if thread == 0 && reported.elapsed() >= TICK {
                        reported = Instant::now();
                        (shared.report)(ProgressUpdate::Tick { nodes: shared.all_nodes(), empty });
                    }
                    shared.done.load(Relaxed)
                };
                let mut solver = Solver::new(position.values(), table, stop);
                let report = |lower, upper| (shared.report)(ProgressUpdate::Bounds(lower, upper));
                let solution = solver.solve(position, report);
                let line = solution.and_then(|solution| solver.line(position, solution));
                if let (Some(solution), Some(line)) = (solution, line) {
                    shared.done.store(true, Relaxed);
                    shared
                        .found
                        .lock()
                        .unwrap_or_else(|error| error.into_inner())
                        .get_or_insert((solution, line));
                }
            });
        }
    });
    let nodes = shared.all_nodes();
    let found = shared.found.into_inner().unwrap_or_else(|error| error.into_inner());
    let (solution, line) = found.expect("the first thread that finishes stops the others");
    FullSolution { solution, line, nodes }
}

/// The state that all threads share.
struct Shared<'a> {
    done: AtomicBool,
    nodes: Vec<AtomicU64>,
    /// The solution of the thread that finished first, and its line.
    found: Mutex<Option<(Solution, Vec<Square>)>>,
    report: &'a (dyn Fn(ProgressUpdate) + Sync),
}

impl Shared<'_> {
    fn all_nodes(&self) -> u64 {
        self.nodes.iter().map(|nodes| nodes.load(Relaxed)).sum()
    }
}
