//! Move ordering: the move from the transposition table, the killers, then the rest by the game's ordering score plus
//! the history score.

use super::table::NO_MOVE;
use super::zeroed::zeroed;
use crate::game::{Game, Side};
use std::sync::atomic::{AtomicI16, AtomicU32, Ordering::Relaxed};

/// The maximum history score; the minimum is its negative.
pub const HISTORY_LIMIT: i32 = 8_192;

/// The number of history scores per side; codes of moves are hashed to them.
const HISTORY_SIZE: usize = 1 << 16;

/// The killer moves and history scores of earlier nodes: two killers per ply, and a history score for each side and
/// move code. The threads of a search share them with relaxed atomics; a lost update costs nothing but ordering.
pub(super) struct OrderingTables {
    killers: Vec<[AtomicU32; 2]>,
    history: [Box<[AtomicI16]>; 2],
}

impl OrderingTables {
    pub(super) fn new(plies: usize) -> OrderingTables {
        let killers = (0..plies).map(|_| [const { AtomicU32::new(NO_MOVE) }; 2]).collect();
        OrderingTables { killers, history: [zeroed(HISTORY_SIZE), zeroed(HISTORY_SIZE)] }
    }

    pub(super) fn killers(&self, ply: u32) -> [u32; 2] {
        let [first, second] = &self.killers[ply as usize];
        [first.load(Relaxed), second.load(Relaxed)]
    }

    pub(super) fn history(&self, side: Side, code: u32) -> i32 {
        i32::from(self.history[side.index()][slot(code)].load(Relaxed))
    }

    /// Records a beta cutoff by a move at a node of this depth: the move becomes the ply's first killer, and its
    /// history score rises.
    pub(super) fn record_cutoff(&self, side: Side, code: u32, depth: u32, ply: u32) {
        let [first, second] = &self.killers[ply as usize];
        let newest = first.load(Relaxed);
        if newest != code {
            second.store(newest, Relaxed);
            first.store(code, Relaxed);
        }
        self.update_history(side, code, bonus(depth));
    }

    /// Lowers the history score of a move that was searched before the one that caused a beta cutoff.
    pub(super) fn penalize(&self, side: Side, code: u32, depth: u32) {
        self.update_history(side, code, -bonus(depth));
    }

    fn update_history(&self, side: Side, code: u32, bonus: i32) {
        let score = &self.history[side.index()][slot(code)];
        // History gravity: the closer a score is to the limit, the less it moves, which keeps it within the limit.
        let old = i32::from(score.load(Relaxed));
        score.store((old + bonus - old * bonus.abs() / HISTORY_LIMIT) as i16, Relaxed);
    }
}

fn bonus(depth: u32) -> i32 {
    (16 * depth * depth).min(1_024) as i32
}

fn slot(code: u32) -> usize {
    (code ^ (code >> 16)) as usize % HISTORY_SIZE
}

/// A generated move with its code and its ordering score.
#[derive(Clone, Copy)]
pub(super) struct Candidate<M> {
    pub(super) mv: M,
    pub(super) code: u32,
    pub(super) order: i32,
}

/// A staged move picker for one node. The table move and the killers come first, before any move is generated, since
/// one of them often causes a cutoff.
pub(super) struct Picker {
    known: [u32; 3],
    tried: usize,
    /// The range of the node's moves in the arena, once they are generated.
    range: Option<(usize, usize)>,
}

impl Picker {
    pub(super) fn new(table_move: u32, killers: [u32; 2]) -> Picker {
        Picker { known: [table_move, killers[0], killers[1]], tried: 0, range: None }
    }

    /// Returns the next of the table move and the killers that is legal here, with its code.
    pub(super) fn next_known<G: Game>(&mut self, position: &G) -> Option<(G::Move, u32)> {
        while self.tried < 3 {
            let index = self.tried;
            self.tried += 1;
            let code = self.known[index];
            if code == NO_MOVE || self.known[..index].contains(&code) {
                self.known[index] = NO_MOVE;
                continue;
            }
            match position.decode(code) {
                Some(mv) => return Some((mv, code)),
                None => self.known[index] = NO_MOVE,
            }
        }
        None
    }

    /// Returns the next generated move that [`Picker::next_known`] has not returned, with its code. `generate` is
    /// called once and appends the node's moves, with their ordering scores, to the arena.
    pub(super) fn next_generated<M: Copy>(
        &mut self,
        arena: &mut Vec<Candidate<M>>,
        generate: impl FnOnce(&mut Vec<Candidate<M>>),
    ) -> Option<(M, u32)> {
        let (next, end) = self.range.get_or_insert_with(|| {
            let start = arena.len();
            generate(arena);
            (start, arena.len())
        });
        while next < end {
            // One step of a selection sort: most nodes are cut off after a few moves.
            let mut best = *next;
            for index in *next + 1..*end {
                if arena[index].order > arena[best].order {
                    best = index;
                }
            }
            arena.swap(*next, best);
            let candidate = arena[*next];
            *next += 1;
            if !self.known.contains(&candidate.code) {
                return Some((candidate.mv, candidate.code));
            }
        }
        None
    }
}
