//! Solutions of whole games, which take minutes, by several threads.

use crate::board::Square;
use crate::exact::{Solution, Solver, Table};
use crate::rules::Position;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// The progress of a solution.
#[derive(Clone, Copy, Debug)]
pub enum ProgressUpdate {
    /// The least and the greatest value that the position can still have, for the side to move.
    Bounds(i32, i32),
    /// Reported once a second.
    Tick {
        /// The nodes that all threads have visited.
        nodes: u64,
        /// The empty squares of the state that is being solved, which grow up to those of the
        /// position.
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

/// Solves a position that is not finished by `threads` threads, which share a table of at most
/// `table_bytes`.
pub fn solve(
    position: &Position,
    threads: u32,
    table_bytes: usize,
    report: &(dyn Fn(ProgressUpdate) + Sync),
) -> FullSolution {
    let table = Table::for_empty(position.empty(), table_bytes);
    let (done, found) = (AtomicBool::new(false), Mutex::new(None));
    let nodes: Vec<_> = (0..threads.max(1)).map(|_| AtomicU64::new(0)).collect();
    let all_nodes = || nodes.iter().map(|nodes| nodes.load(Relaxed)).sum();
    let work = |thread: usize| {
        let mut reported = Instant::now();
        // The first thread reports for all.
        let stop = |count, empty| {
            nodes[thread].store(count, Relaxed);
            if thread == 0 && reported.elapsed() >= Duration::from_secs(1) {
                reported = Instant::now();
                report(ProgressUpdate::Tick { nodes: all_nodes(), empty });
            }
            done.load(Relaxed)
        };
        let mut solver = Solver::new(position.values(), &table, stop);
        let bounds = |lower, upper| report(ProgressUpdate::Bounds(lower, upper));
        let solution = solver.solve(position, bounds);
        let line = solution.and_then(|solution| solver.line(position, solution));
        if let (Some(solution), Some(line)) = (solution, line) {
            done.store(true, Relaxed);
            found.lock().unwrap().get_or_insert((solution, line));
        }
    };
    std::thread::scope(|scope| {
        for thread in 0..nodes.len() {
            let work = &work;
            scope.spawn(move || work(thread));
        }
    });
    let found = found.into_inner().unwrap();
    let (solution, line) = found.expect("the first thread that finishes stops the others");
    FullSolution { solution, line, nodes: all_nodes() }
}
