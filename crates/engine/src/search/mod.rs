//! The search: iterative deepening over principal-variation alpha-beta with a transposition table.
//!
//! In [`Mode::FullWidth`] the value of every completed depth equals that of [`reference::minimax`](crate::reference);
//! in [`Mode::Selective`] the search adds quiescence and the options of the game's [`Selectivity`], which trade
//! exactness for depth.

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

/// The maximum distance from the root, in plies.
pub const MAX_PLY: u32 = 120;

/// Selects between an exact full-width search and a selective one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Searches every move to the same depth and evaluates the leaves statically. The value equals plain minimax.
    FullWidth,
    /// Searches with the game's selective options and quiescence: stronger play, without exactness.
    Selective,
}

/// Limits on a search, which ends at the first one reached. Time limits come in through [`Control`].
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

/// Callbacks by which the caller can stop a running search.
pub trait Control<M> {
    /// Returns `true` to stop the search at once. Polled every few hundred nodes; the last completed iteration stands.
    fn stop_now(&mut self) -> bool {
        false
    }

    /// Returns `true` to start no further iteration. Called after each completed one.
    fn stop_after(&mut self, report: &Report<M>) -> bool {
        let _ = report;
        false
    }
}

/// A [`Control`] that never stops a search before its limits.
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
    /// The number of nodes visited: positions whose moves were generated or scored together, and leaves that were
    /// evaluated one by one.
    pub nodes: u64,
    /// The principal variation, the best move first.
    pub line: Vec<M>,
    /// Whether the score is proven, not an estimate: a forced win or loss, or a search that followed every line to the
    /// end of the game.
    pub proven: bool,
}
