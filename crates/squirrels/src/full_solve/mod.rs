//! Solutions of whole games that take hours: several threads, progress reports, and a file of proofs from which an
//! interrupted run resumes.

mod progress;
mod proof_file;

use crate::board::Square;
use crate::exact::{Proof, SearchObserver, Solution, Solver, State, Table};
use crate::rules::Position;
use progress::Progress;
use proof_file::ProofFile;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// The resources of a long solution.
#[derive(Clone, Debug)]
pub struct SolveOptions {
    /// The number of threads, which share the table; at least one.
    pub threads: u32,
    /// The largest size of the table in bytes.
    pub table_bytes: usize,
    /// The file of proofs to resume from and to append to.
    pub proofs: Option<PathBuf>,
}

/// A progress report on a position that is being solved.
#[derive(Clone, Debug)]
pub enum ProgressUpdate {
    /// This number of proofs of an earlier run have been read.
    Resumed(u64),
    /// The least and the greatest value that the position can still have, for the side to move.
    Bounds(i32, i32),
    /// The progress of the search, reported once a second.
    Tick {
        /// The number of nodes that all threads have visited.
        nodes: u64,
        /// The number of empty squares of the states that are being solved. It grows up to the number of the position
        /// itself.
        empty: u32,
        /// The part of the work on these states that is done, from 0 to 1.
        share: f64,
        /// The estimated time left; `None` while there is nothing to estimate it by.
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
    /// The number of nodes that all threads have visited.
    pub nodes: u64,
}

/// The reason why a solution failed: the file of proofs cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[error("{}: {error}", file.display())]
pub struct Error {
    /// The path of the file of proofs.
    pub file: PathBuf,
    /// The error.
    pub error: io::Error,
}

/// Solves a position that is not finished, and reports progress to `report`.
///
/// # Errors
/// The file of proofs cannot be read, is not one for these values, or cannot be written.
pub fn solve(
    position: &Position,
    options: &SolveOptions,
    report: &(dyn Fn(ProgressUpdate) + Sync),
) -> Result<FullSolution, Error> {
    let failed = |error| Error { file: options.proofs.clone().unwrap_or_default(), error };
    let table = Table::for_empty_in_huge_pages(position.empty(), options.table_bytes);
    let proof_file =
        options.proofs.as_deref().map(|path| open(path, position, &table, report)).transpose().map_err(failed)?;
    let shared = Shared {
        proof_file: Mutex::new((proof_file, None)),
        done: AtomicBool::new(false),
        nodes: (0..options.threads.max(1)).map(|_| AtomicU64::new(0)).collect(),
        progress: Progress::new(position.empty().len(), options.threads.max(1)),
        report,
    };
    let found: Mutex<Option<(Solution, Vec<Square>)>> = Mutex::new(None);
    std::thread::scope(|scope| {
        for thread in 0..options.threads.max(1) {
            let (table, shared, found) = (&table, &shared, &found);
            scope.spawn(move || {
                let mut solver = Solver::new(position.values(), table, Worker { thread, shared });
                let report = |lower, upper| (shared.report)(ProgressUpdate::Bounds(lower, upper));
                let solution = solver.solve(position, report);
                let line = solution.and_then(|solution| solver.line(position, solution));
                if let (Some(solution), Some(line)) = (solution, line) {
                    shared.done.store(true, Relaxed);
                    found.lock().unwrap_or_else(|error| error.into_inner()).get_or_insert((solution, line));
                }
            });
        }
    });
    let nodes = shared.all_nodes();
    let (mut proof_file, mut error) = shared.proof_file.into_inner().unwrap_or_else(|error| error.into_inner());
    if let Some(proof_file) = &mut proof_file {
        error = error.or(proof_file.flush().err());
    }
    match (found.into_inner().unwrap_or_else(|error| error.into_inner()), error) {
        (Some((solution, line)), None) => Ok(FullSolution { solution, line, nodes }),
        (_, error) => Err(failed(error.unwrap_or_else(|| io::Error::other("the search ended without a result")))),
    }
}

fn open(
    path: &Path,
    position: &Position,
    table: &Table,
    report: &(dyn Fn(ProgressUpdate) + Sync),
) -> io::Result<ProofFile> {
    let (proof_file, count) = ProofFile::open(path, position.values(), table)?;
    if count > 0 {
        report(ProgressUpdate::Resumed(count));
    }
    Ok(proof_file)
}

/// The state that all threads share.
struct Shared<'a> {
    /// The file of proofs, and the first error in writing it.
    proof_file: Mutex<(Option<ProofFile>, Option<io::Error>)>,
    done: AtomicBool,
    nodes: Vec<AtomicU64>,
    progress: Progress,
    report: &'a (dyn Fn(ProgressUpdate) + Sync),
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

impl SearchObserver for Worker<'_> {
    fn stop(&mut self, nodes: u64) -> bool {
        self.shared.nodes[self.thread as usize].store(nodes, Relaxed);
        if self.thread == 0
            && let Some((empty, share, left)) = self.shared.progress.tick()
        {
            (self.shared.report)(ProgressUpdate::Tick { nodes: self.shared.all_nodes(), empty, share, left });
        }
        self.shared.done.load(Relaxed)
    }

    fn proven(&mut self, state: State, proof: Proof) {
        let mut proof_file = self.shared.proof_file.lock().unwrap_or_else(|error| error.into_inner());
        if let (Some(file), None) = &mut *proof_file
            && let Err(error) = file.add(state, proof)
        {
            // A full disk ends the run at once: hours of work that cannot be resumed would be lost.
            proof_file.1 = Some(error);
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
