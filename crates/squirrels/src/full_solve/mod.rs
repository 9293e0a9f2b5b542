//! Solutions of whole games: by several threads, for hours, with progress, that can be interrupted and resumed.

mod progress;
mod saved;

use crate::board::Square;
use crate::exact::{Proof, Solution, Solver, State, Table, Tree};
use crate::rules::Position;
use progress::Progress;
use saved::Saved;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// What a long solution may use.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Threads that share the table, at least one.
    pub threads: u32,
    /// The table's size in bytes, at most.
    pub table_bytes: usize,
    /// The file of proofs to go on from and to add to.
    pub proofs: Option<PathBuf>,
}

/// Progress that is reported while a position is being solved.
#[derive(Clone, Debug)]
pub enum News {
    /// Proofs of an earlier run have been read, this number of them.
    Resumed(u64),
    /// The least and the greatest value that the position can still have, for the side to move.
    Bounds(i32, i32),
    /// How far the search has come, once a second.
    Tick {
        /// Nodes of all threads so far.
        nodes: u64,
        /// Empty squares of the states being solved now; they grow in number up to the position's own.
        empty: u32,
        /// The part of the work on these states that is done, from 0 to 1.
        share: f64,
        /// The time that is expected to be left, once there is something to estimate it by.
        left: Option<Duration>,
    },
}

/// The full solution of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct FullSolution {
    /// The value and a move that reaches it.
    pub solution: Solution,
    /// The squares taken in one line of best moves to the end.
    pub line: Vec<Square>,
    /// Nodes of all threads.
    pub nodes: u64,
}

/// Why a solution failed: the file of proofs cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[error("{}: {error}", file.display())]
pub struct Error {
    /// The file.
    pub file: PathBuf,
    /// What went wrong with it.
    pub error: io::Error,
}

/// Solves a position that is not finished, and reports to `tell` on the way.
///
/// # Errors
/// If the file of proofs cannot be read, is not one for these values, or cannot be written.
pub fn solve(position: &Position, plan: &Plan, tell: &(dyn Fn(News) + Sync)) -> Result<FullSolution, Error> {
    let failed = |error| Error { file: plan.proofs.clone().unwrap_or_default(), error };
    let table = Table::for_empty_in_huge_pages(position.empty(), plan.table_bytes);
    let saved = plan.proofs.as_deref().map(|path| open(path, position, &table, tell)).transpose().map_err(failed)?;
    let shared = Shared {
        saved: Mutex::new((saved, None)),
        done: AtomicBool::new(false),
        nodes: (0..plan.threads.max(1)).map(|_| AtomicU64::new(0)).collect(),
        progress: Progress::new(position.empty().len(), plan.threads.max(1)),
        tell,
    };
    let found: Mutex<Option<(Solution, Vec<Square>)>> = Mutex::new(None);
    std::thread::scope(|scope| {
        for thread in 0..plan.threads.max(1) {
            let (table, shared, found) = (&table, &shared, &found);
            scope.spawn(move || {
                let mut solver = Solver::new(position.values(), table, Worker { thread, shared });
                let tell = |lower, upper| (shared.tell)(News::Bounds(lower, upper));
                let solution = solver.solve(position, tell);
                let line = solution.and_then(|solution| solver.line(position, solution));
                if let (Some(solution), Some(line)) = (solution, line) {
                    shared.done.store(true, Relaxed);
                    found.lock().unwrap_or_else(|error| error.into_inner()).get_or_insert((solution, line));
                }
            });
        }
    });
    let nodes = shared.all_nodes();
    let (mut saved, mut error) = shared.saved.into_inner().unwrap_or_else(|error| error.into_inner());
    if let Some(saved) = &mut saved {
        error = error.or(saved.flush().err());
    }
    match (found.into_inner().unwrap_or_else(|error| error.into_inner()), error) {
        (Some((solution, line)), None) => Ok(FullSolution { solution, line, nodes }),
        (_, error) => Err(failed(error.unwrap_or_else(|| io::Error::other("the search ended without a result")))),
    }
}

fn open(path: &Path, position: &Position, table: &Table, tell: &(dyn Fn(News) + Sync)) -> io::Result<Saved> {
    let (saved, count) = Saved::open(path, position.values(), table)?;
    if count > 0 {
        tell(News::Resumed(count));
    }
    Ok(saved)
}

/// What all threads have in common.
struct Shared<'a> {
    /// The file, and what went wrong with it.
    saved: Mutex<(Option<Saved>, Option<io::Error>)>,
    done: AtomicBool,
    nodes: Vec<AtomicU64>,
    progress: Progress,
    tell: &'a (dyn Fn(News) + Sync),
}

impl Shared<'_> {
    fn all_nodes(&self) -> u64 {
        self.nodes.iter().map(|nodes| nodes.load(Relaxed)).sum()
    }
}

struct Worker<'a> {
    thread: u32,
    shared: &'a Shared<'a>,
}

impl Tree for Worker<'_> {
    fn stop(&mut self, nodes: u64) -> bool {
        self.shared.nodes[self.thread as usize].store(nodes, Relaxed);
        if self.thread == 0
            && let Some((empty, share, left)) = self.shared.progress.tick()
        {
            (self.shared.tell)(News::Tick { nodes: self.shared.all_nodes(), empty, share, left });
        }
        self.shared.done.load(Relaxed)
    }

    fn proven(&mut self, state: State, proof: Proof) {
        let mut saved = self.shared.saved.lock().unwrap_or_else(|error| error.into_inner());
        if let (Some(file), None) = &mut *saved
            && let Err(error) = file.add(state, proof)
        {
            // A full disk ends the run: hours of work that cannot be resumed are no service.
            saved.1 = Some(error);
            self.shared.done.store(true, Relaxed);
        }
    }

    fn child_done(&mut self, empty: u32, done: usize, count: usize) {
        self.shared.progress.child_done(self.thread, empty, done, count);
    }

    fn begin(&mut self, empty: u32) {
        self.shared.progress.begin(self.thread, empty);
    }
}
