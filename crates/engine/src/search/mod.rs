//! The search: iterative deepening over principal-variation alpha-beta with a transposition table.
//!
//! In [`Mode::FullWidth`] the value of every completed depth equals that of [`reference::minimax`](crate::reference);
//! in [`Mode::Selective`] the options that the game's [`Knowledge`] names trade exactness for depth.

mod company;
mod iterative;
mod knowledge;
mod memory;
mod ordering;
mod reductions;
mod run;
mod searcher;
mod table;
mod under_search;
mod window;
mod zeroed;

pub use crate::score::Score;
pub use knowledge::{Knowledge, LateMoves, LatePruning, Selectivity};
pub use ordering::HISTORY_LIMIT;
pub use searcher::Searcher;
pub(crate) use table::SLOT_BYTES;
pub use table::{Bound, Entry, NO_MOVE, Table};
pub use under_search::UnderSearch;

/// The deepest line that is searched, in plies.
pub const MAX_PLY: u32 = 120;

/// Whether the search may use the game's selective options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// The full width: every move is searched to the same depth, with the evaluation at the leaves. The value equals
    /// plain minimax.
    FullWidth,
    /// The search with the game's selective options and quiescence: stronger play, no exactness.
    Selective,
}

/// The limits at which a search ends, whichever comes first. Clocks come in through [`Control`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The deepest iteration, in plies.
    pub depth: u32,
    /// The largest number of nodes.
    pub nodes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { depth: MAX_PLY - 1, nodes: u64::MAX }
    }
}

/// The outside world's say in a search that runs.
pub trait Control<M> {
    /// Whether to end the search at once, asked every few hundred nodes. The last completed iteration stands.
    fn stop_now(&mut self) -> bool {
        false
    }

    /// Whether to start no further iteration, asked after each completed one.
    fn stop_after(&mut self, report: &Report<M>) -> bool {
        let _ = report;
        false
    }
}

/// The control that leaves a search to its limits.
pub struct NoControl;

impl<M> Control<M> for NoControl {}

/// The result of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Report<M> {
    /// The best move.
    pub best: M,
    /// The score of the best move for the side to move.
    pub score: Score,
    /// The last completed depth, in plies; 0 if none was completed.
    pub depth: u32,
    /// Nodes visited: positions whose moves were looked at, and leaves that were evaluated one by one.
    pub nodes: u64,
    /// The principal variation, the best move first.
    pub line: Vec<M>,
    /// Whether the score is a proven result, not an estimate: a forced win or loss, or every line was followed to the
    /// end.
    pub proven: bool,
}
