//! The order in which a node's moves are tried: the table's, the killers, then the rest by the game's order and history.

use super::table::NO_MOVE;
use super::zeroed::zeroed;
use crate::game::{Game, Side};
use std::sync::atomic::{AtomicI16, AtomicU32, Ordering::Relaxed};

/// The largest history score; the least is its negative.
pub const HISTORY_LIMIT: i32 = 8_192;

const HISTORY_SIZE: usize = 1 << 16;

/// The experience of earlier nodes with good moves: two killers a ply, and a history score for each side and move. The
/// threads of a search share it; what one of them writes over another's is lost, which costs nothing but order.
pub(super) struct Experience {
    killers: Vec<[AtomicU32; 2]>,
    history: [Box<[AtomicI16]>; 2],
}

impl Experience {
    pub(super) fn new(plies: usize) -> Experience {
        let killers = (0..plies).map(|_| [const { AtomicU32::new(NO_MOVE) }; 2]).collect();
        Experience { killers, history: [zeroed(HISTORY_SIZE), zeroed(HISTORY_SIZE)] }
    }

    pub(super) fn killers(&self, ply: u32) -> [u32; 2] {
        let [first, second] = &self.killers[ply as usize];
        [first.load(Relaxed), second.load(Relaxed)]
    }

    pub(super) fn history(&self, side: Side, code: u32) -> i32 {
        i32::from(self.history[side.index()][slot(code)].load(Relaxed))
    }

    /// Learns that a move cut off a node of this depth.
    pub(super) fn reward(&self, side: Side, code: u32, depth: u32, ply: u32) {
        let [first, second] = &self.killers[ply as usize];
        let newest = first.load(Relaxed);
        if newest != code {
            second.store(newest, Relaxed);
            first.store(code, Relaxed);
        }
        self.learn(side, code, bonus(depth));
    }

    /// Learns that a move was tried in vain before the one that cut.
    pub(super) fn punish(&self, side: Side, code: u32, depth: u32) {
        self.learn(side, code, -bonus(depth));
    }

    fn learn(&self, side: Side, code: u32, bonus: i32) {
        let score = &self.history[side.index()][slot(code)];
        // Scores far out move little, which keeps them within the limit.
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

/// A move listed at a node, with its code and the number it is ordered by.
#[derive(Clone, Copy)]
pub(super) struct Candidate<M> {
    pub(super) mv: M,
    pub(super) code: u32,
    pub(super) order: i32,
}

/// The moves of one node, handed out one by one. The moves known beforehand come first and without generating the
/// others, since one of them often cuts.
pub(super) struct Picker {
    known: [u32; 3],
    tried: usize,
    /// The node's part of the arena, once generated.
    range: Option<(usize, usize)>,
}

impl Picker {
    pub(super) fn new(table_move: u32, killers: [u32; 2]) -> Picker {
        Picker { known: [table_move, killers[0], killers[1]], tried: 0, range: None }
    }

    /// The next move known beforehand and its code.
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

    /// The next of the other moves and its code, once there is no known one left. `generate` appends the node's ordered
    /// moves to the arena.
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
