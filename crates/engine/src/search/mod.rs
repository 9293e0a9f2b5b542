//! The search: iterative deepening over principal-variation alpha-beta with a transposition table.
//!
//! In [`Mode::FullWidth`] the value of every completed depth equals that of
//! [`reference::minimax`](crate::reference); in [`Mode::Selective`] the search adds quiescence and
//! the options of the game's [`Selectivity`], which trade exactness for depth.

mod alpha_beta;
mod heuristics;
mod iterative;
mod knowledge;
mod ordering;
mod reductions;
mod searcher;
mod table;
mod window;
mod zeroed;

pub use crate::score::Score;
pub use knowledge::{Knowledge, LateMoves, LatePruning, Selectivity};
pub use ordering::HISTORY_LIMIT;
pub use searcher::Searcher;
pub(crate) use table::SLOT_BYTES;
pub use table::{Bound, Entry, NO_MOVE, TranspositionTable, largest_refused_table};
pub use zeroed::zeroed_words;

/// The maximum distance from the root, in plies.
pub const MAX_PLY: u32 = 120;

/// An exact full-width search or a selective one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Searches every move to the same depth and evaluates the leaves statically: the value of
    /// plain minimax.
    FullWidth,
    /// Searches with the game's selective options and quiescence: stronger play, without exactness.
    Selective,
}

/// The limits of a search, which ends at the first one reached. A time limit is the [`Observer`]'s.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The depth of the last iteration, in plies.
    pub depth: u32,
    /// The maximum number of nodes.
    pub nodes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { depth: MAX_PLY - 1, nodes: u64::MAX }
    }
}

/// An observer of a search, which may follow it and stop it. By default it does neither.
pub trait Observer<M> {
    /// Called by the searches of [`reference`](crate::reference): once for a leaf; for an inner
    /// node when it is entered and after each child. After a child that causes a cutoff, the window
    /// is the one from before the child.
    fn visit(&mut self, visit: Visit<M>) {
        let _ = visit;
    }

    /// Called after each completed iteration.
    fn iteration(&mut self, report: &Report<M>) {
        let _ = report;
    }

    /// Whether to stop the search at once, with the best move found so far. Polled every few
    /// hundred nodes, and after each iteration.
    fn wants_stop(&mut self) -> bool {
        false
    }

    /// Called by [`think`](mod@crate::think) before a search or an exact solution whose table is
    /// smaller than asked for, because so much memory cannot be had. The sizes are in bytes.
    fn smaller_table(&mut self, asked: usize, had: usize) {
        let _ = (asked, had);
    }

    /// Whether the process ends after this search. [`think`](mod@crate::think) then leaves the
    /// searcher's memory to the system, which costs less than to free it.
    fn is_last(&self) -> bool {
        false
    }
}

impl<M> Observer<M> for () {}

/// A function that returns `true` to stop the search.
impl<M, F: FnMut() -> bool> Observer<M> for F {
    fn wants_stop(&mut self) -> bool {
        self()
    }
}

/// A node as [`Observer::visit`] sees it, with values from the view of the side to move at the
/// root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit<M> {
    /// The move that led to the node; `None` at the root.
    pub mv: Option<M>,
    /// The number of plies below the root.
    pub ply: u32,
    /// The node's value so far.
    pub value: Score,
    /// Alpha and beta; in [`minimax`](crate::reference::minimax) always the full range.
    pub window: (Score, Score),
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Report<M> {
    /// The best move.
    pub best: M,
    /// The score of the best move for the side to move.
    pub score: Score,
    /// The last completed depth, in plies; 0 if none was completed.
    pub depth: u32,
    /// The number of nodes: positions whose moves were generated or scored together, and leaves
    /// that were evaluated one by one.
    pub nodes: u64,
    /// The principal variation, the best move first.
    pub line: Vec<M>,
    /// Whether the score is proven: a forced win or loss, or a search that followed every line to
    /// the end of the game.
    pub proven: bool,
}
