//! The search: iterative deepening over principal-variation alpha-beta with a transposition table.
//!
//! In [`Mode::FullWidth`] the value of every completed depth equals that of [`reference::minimax`](crate::reference);
//! in [`Mode::Selective`] the options that the game's [`Knowledge`] names trade exactness for depth.

mod alpha_beta;
mod iterative;
mod knowledge;
mod ordering;
mod quiescence;
mod table;

pub use crate::score::Score;
pub use knowledge::{Knowledge, LateMoves, LatePruning, Selectivity};
pub use ordering::HISTORY_LIMIT;
pub(crate) use table::SLOT_BYTES;
pub use table::{Bound, Entry, NO_MOVE, Table};

use crate::clock::cpu_time;
use crate::game::Game;
use ordering::{Candidate, Experience};
use std::sync::Arc;
use std::time::Duration;

/// The deepest line that is searched, in plies.
pub const MAX_PLY: u32 = 120;

/// Whether the search may use the game's selective options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Every move is searched to the same depth, with the evaluation at the leaves. The value equals plain minimax.
    FullWidth,
    /// With the game's selective options and quiescence: stronger play, no exactness.
    Selective,
}

/// Where a search ends, whichever comes first. Clocks come in through [`Control`].
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
    /// Asked every few hundred nodes: `true` ends the search at once. The last completed iteration stands.
    fn stop_now(&mut self) -> bool {
        false
    }

    /// Told of each completed iteration: `true` keeps the search from starting another.
    fn stop_after(&mut self, report: &Report<M>) -> bool {
        let _ = report;
        false
    }
}

/// A search left to its limits.
pub struct NoControl;

impl<M> Control<M> for NoControl {}

/// A search until the process has used so much CPU time.
pub struct UntilCpu(pub Duration);

impl<M> Control<M> for UntilCpu {
    fn stop_now(&mut self) -> bool {
        cpu_time() >= self.0
    }

    fn stop_after(&mut self, _: &Report<M>) -> bool {
        cpu_time() >= self.0
    }
}

/// What a search found.
#[derive(Clone, Debug, PartialEq)]
pub struct Report<M> {
    /// The best move.
    pub best: M,
    /// Its score for the side to move.
    pub score: Score,
    /// The last completed depth, in plies; 0 if none was completed.
    pub depth: u32,
    /// Nodes visited: positions whose moves were looked at, and leaves that were evaluated one by one.
    pub nodes: u64,
    /// The principal variation, the best move first.
    pub line: Vec<M>,
    /// The score is a proven result, not an estimate: a forced win or loss, or every line was followed to the end.
    pub proven: bool,
}

/// A search with its memory: the table, killers and history. Reuse one for the moves of one game.
pub struct Searcher<G: Game, K: Knowledge<G>> {
    knowledge: K,
    mode: Mode,
    selectivity: Selectivity,
    table: Arc<Table>,
    experience: Experience,
    /// The moves of all nodes on the current line, one after the other.
    arena: Vec<Candidate<G::Move>>,
    /// Where generators write before their moves are ordered into the arena.
    generated: Vec<G::Move>,
    /// `lines[ply]` is the best line found below the node at `ply`.
    lines: Vec<Vec<G::Move>>,
    /// Keys of the positions on the current line, the root's first.
    path: Vec<u64>,
    reductions: Vec<[u8; 64]>,
    nodes: u64,
    node_limit: u64,
    stopped: bool,
}

impl<G: Game, K: Knowledge<G>> Searcher<G, K> {
    /// A search with a table of its own, of `hash_bytes`.
    #[must_use]
    pub fn new(knowledge: K, mode: Mode, hash_bytes: usize) -> Self {
        Self::with_table(knowledge, mode, Arc::new(Table::new(hash_bytes)))
    }

    /// A search over a shared table. The table must have been filled with the same knowledge and mode only.
    #[must_use]
    pub fn with_table(knowledge: K, mode: Mode, table: Arc<Table>) -> Self {
        let selectivity = match mode {
            Mode::FullWidth => Selectivity::NONE,
            Mode::Selective => knowledge.selectivity(),
        };
        Searcher {
            knowledge,
            mode,
            selectivity,
            table,
            experience: Experience::new(MAX_PLY as usize + 2),
            arena: Vec::with_capacity(8_192),
            generated: Vec::with_capacity(1_024),
            lines: (0..MAX_PLY + 2).map(|_| Vec::with_capacity(16)).collect(),
            path: Vec::with_capacity(MAX_PLY as usize + 2),
            reductions: alpha_beta::reductions(selectivity.late_moves),
            nodes: 0,
            node_limit: u64::MAX,
            stopped: false,
        }
    }

    /// The table, to share it or to ask for its size.
    #[must_use]
    pub fn table(&self) -> &Arc<Table> {
        &self.table
    }
}
