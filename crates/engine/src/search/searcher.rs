//! The searcher: what a search keeps from one run to the next.

use super::company::Others;
use super::knowledge::{Knowledge, Selectivity};
use super::ordering::{Candidate, Experience};
use super::reductions::{Reductions, reductions};
use super::table::Table;
use super::{MAX_PLY, Mode};
use crate::game::{Game, Side};
use std::sync::Arc;

/// A search with its memory: the table, killers and history. Reuse one for the moves of one game.
pub struct Searcher<G: Game, K: Knowledge<G>> {
    pub(super) knowledge: K,
    pub(super) mode: Mode,
    /// The side that searches: the one to move at the root.
    pub(super) searches: Side,
    pub(super) selectivity: Selectivity,
    pub(super) table: Arc<Table>,
    pub(super) experience: Arc<Experience>,
    /// The other threads of the same search.
    pub(super) others: Others,
    /// The moves of all nodes on the current line, one after the other.
    pub(super) arena: Vec<Candidate<G::Move>>,
    /// The moves of all nodes on the current line that other threads are looking at, to come back to, each with its code and
    /// number.
    pub(super) deferred: Vec<(G::Move, u32, usize)>,
    /// The moves as generators list them, before they are ordered into the arena.
    pub(super) generated: Vec<G::Move>,
    /// The best line found below the node at each ply of the current line.
    pub(super) lines: Vec<Vec<G::Move>>,
    /// Keys of the positions on the current line, the root's first.
    pub(super) path: Vec<u64>,
    pub(super) reductions: Reductions,
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
        let searches = Side::First;
        let selectivity = match mode {
            Mode::FullWidth => Selectivity::NONE,
            Mode::Selective => knowledge.selectivity(searches),
        };
        Searcher {
            knowledge,
            mode,
            searches,
            selectivity,
            table,
            experience: Arc::new(Experience::new(MAX_PLY as usize + 2)),
            others: Others::default(),
            deferred: Vec::with_capacity(256),
            arena: Vec::with_capacity(1_024),
            generated: Vec::with_capacity(256),
            lines: vec![Vec::new(); MAX_PLY as usize + 2],
            path: Vec::with_capacity(MAX_PLY as usize + 2),
            reductions: reductions(selectivity.late_moves),
        }
    }

    /// The searchers of a search by some threads over one table, at least one: as one thread goes through the moves of a node,
    /// it leaves those for later that another is looking at, and all share their experience. Each is to search the same
    /// position, with the same moves allowed in the same order; what one has found out helps the others, and the first to
    /// finish a depth has its result. Alone, one searches as [`Searcher::with_table`] does.
    #[must_use]
    pub fn crew(knowledge: &K, mode: Mode, table: &Arc<Table>, threads: usize) -> Vec<Self> {
        let experience = Arc::new(Experience::new(MAX_PLY as usize + 2));
        let others = if threads > 1 { Others::of(Arc::default()) } else { Others::default() };
        let member = |_| Searcher {
            experience: experience.clone(),
            others: others.clone(),
            ..Searcher::with_table(knowledge.clone(), mode, table.clone())
        };
        (0..threads.max(1)).map(member).collect()
    }

    /// The table, to share it or to ask for its size.
    #[must_use]
    pub fn table(&self) -> &Arc<Table> {
        &self.table
    }
}
