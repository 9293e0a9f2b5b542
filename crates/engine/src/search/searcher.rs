//! The memory that outlives one search.

use super::knowledge::{Knowledge, Selectivity};
use super::ordering::{MoveStack, OrderingTables};
use super::reductions::{Reductions, reductions};
use super::table::TranspositionTable;
use super::{MAX_PLY, Mode};
use crate::game::{Game, Side};
use std::sync::Arc;

/// A search and its memory. Reuse one for all moves of a game.
pub struct Searcher<G: Game, K: Knowledge<G>> {
    pub(super) knowledge: K,
    pub(super) mode: Mode,
    pub(super) root_side: Side,
    pub(super) selectivity: Selectivity,
    pub(super) table: Arc<TranspositionTable>,
    pub(super) ordering: OrderingTables,
    /// The generated moves of all nodes on the current line.
    pub(super) stack: MoveStack<G::Move>,
    /// A buffer for generated moves, before they are ordered onto the stack.
    pub(super) generated: Vec<G::Move>,
    /// The principal variations of the nodes on the current line, by ply.
    pub(super) lines: Vec<Vec<G::Move>>,
    /// The keys of the positions on the current line, the root's first.
    pub(super) path: Vec<u64>,
    pub(super) reductions: Reductions,
}

impl<G: Game, K: Knowledge<G>> Searcher<G, K> {
    /// Creates a searcher with a transposition table of `hash_bytes`, or smaller where so much
    /// memory cannot be had.
    #[must_use]
    pub fn new(knowledge: K, mode: Mode, hash_bytes: usize) -> Self {
        Self::with_table(knowledge, mode, Arc::new(TranspositionTable::new(hash_bytes)))
    }

    /// The size of the transposition table in bytes.
    #[must_use]
    pub fn table_bytes(&self) -> usize {
        self.table.bytes()
    }

    /// Creates a searcher with a table that was only ever used with the same knowledge and mode.
    /// Threads that share a table help each other (lazy SMP).
    #[must_use]
    pub fn with_table(knowledge: K, mode: Mode, table: Arc<TranspositionTable>) -> Self {
        let root_side = Side::First;
        let selectivity = match mode {
            Mode::FullWidth => Selectivity::NONE,
            Mode::Selective => knowledge.selectivity(root_side),
        };
        Searcher {
            knowledge,
            mode,
            root_side,
            selectivity,
            table,
            ordering: OrderingTables::new(MAX_PLY as usize + 2),
            stack: MoveStack::with_capacity(1_024),
            generated: Vec::with_capacity(256),
            lines: vec![Vec::new(); MAX_PLY as usize + 2],
            path: Vec::with_capacity(MAX_PLY as usize + 2),
            reductions: reductions(selectivity.late_moves),
        }
    }

    /// The transposition table, to share it.
    #[must_use]
    pub fn table(&self) -> &Arc<TranspositionTable> {
        &self.table
    }
}
