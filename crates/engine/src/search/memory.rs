//! What a searcher does with its memory: lists and orders moves, remembers values, lines and cuts.

use super::ordering::{Candidate, Picker};
use super::reductions::{REDUCTIONS, reductions};
use super::window::Window;
use super::{Bound, Entry, Knowledge, Mode, NO_MOVE, Searcher};
use crate::game::{Game, Side};

impl<G: Game, K: Knowledge<G>> Searcher<G, K> {
    /// Takes up the selective options of the side that searches from now on.
    pub(super) fn search_for(&mut self, side: Side) {
        if self.mode == Mode::FullWidth || side == self.searches {
            return;
        }
        self.searches = side;
        let selectivity = self.knowledge.selectivity(side);
        if selectivity.late_moves != self.selectivity.late_moves {
            self.reductions = reductions(selectivity.late_moves);
        }
        self.selectivity = selectivity;
    }

    /// Stores a node's result in the table, without the move if the node failed low: none of its moves is known to be
    /// best.
    pub(super) fn remember(&self, key: u64, ply: u32, mut entry: Entry) {
        if entry.bound == Bound::Upper {
            entry.mv = NO_MOVE;
        }
        self.table.store(key, ply, entry);
    }

    /// Whether a table entry answers the question asked at a node. In full-width mode only the very same question
    /// counts, and never a deeper search's answer, which may differ from minimax at this depth.
    pub(super) fn settles(&self, entry: Entry, depth: u32, window: Window) -> bool {
        let deep_enough = match self.mode {
            Mode::FullWidth => u32::from(entry.depth) == depth,
            Mode::Selective => u32::from(entry.depth) >= depth && !window.is_open(),
        };
        deep_enough
            && match entry.bound {
                Bound::Exact => true,
                Bound::Lower => entry.score >= window.beta,
                Bound::Upper => entry.score <= window.alpha,
            }
    }

    /// The most moves of a node that are searched, as late-move pruning has it.
    pub(super) fn most_moves(&self, depth: u32, window: Window) -> usize {
        match self.selectivity.late_pruning {
            Some(options) if !window.is_open() && depth <= options.most_depth => {
                options.base + options.factor * (depth * depth) as usize
            }
            _ => usize::MAX,
        }
    }

    /// The plies by which the `number`th move of a node of this depth is searched less deeply at first.
    pub(super) fn reduction(&self, depth: u32, number: usize) -> u32 {
        match self.selectivity.late_moves {
            Some(options) if depth >= options.least_depth && number >= options.full_moves => {
                let largest = REDUCTIONS - 1;
                u32::from(self.reductions[(depth as usize).min(largest)][number.min(largest)]).min(depth - 1)
            }
            _ => 0,
        }
    }

    /// The next move of a node that was not known beforehand, and its code.
    pub(super) fn next_generated(&mut self, picker: &mut Picker, position: &G) -> Option<(G::Move, u32)> {
        let mut arena = std::mem::take(&mut self.arena);
        let next = picker.next_generated(&mut arena, |arena| {
            self.generated.clear();
            position.moves(&mut self.generated);
            self.order_generated(position, arena);
        });
        self.arena = arena;
        next
    }

    /// Lists the noisy moves of a leaf at the arena's end, the best first, and returns their range if there are any.
    pub(super) fn list_noisy(&mut self, position: &G) -> Option<(usize, usize)> {
        self.generated.clear();
        self.knowledge.noisy(position, &mut self.generated);
        if self.generated.is_empty() {
            return None;
        }
        let mut arena = std::mem::take(&mut self.arena);
        let start = arena.len();
        self.order_generated(position, &mut arena);
        arena[start..].sort_unstable_by_key(|candidate| -candidate.order);
        let end = arena.len();
        self.arena = arena;
        Some((start, end))
    }

    fn order_generated(&self, position: &G, arena: &mut Vec<Candidate<G::Move>>) {
        let side = position.side_to_move();
        arena.extend(self.generated.iter().map(|&mv| {
            let code = position.encode(mv);
            let order = self.knowledge.order(position, mv) + self.experience.history(side, code);
            Candidate { mv, code, order }
        }));
    }

    /// Holds back next time the generated moves that were tried before the one that cut.
    pub(super) fn punish_tried(&mut self, side: Side, code: u32, depth: u32, arena_start: usize, number: usize) {
        let tried = self.arena[arena_start..].iter().take(number).take_while(|candidate| candidate.code != code);
        for candidate in tried {
            self.experience.punish(side, candidate.code, depth);
        }
    }

    /// Makes a move and the best line after it the best line of the node at `ply`.
    pub(super) fn extend_line(&mut self, mv: G::Move, ply: u32) {
        let (above, below) = self.lines.split_at_mut(ply as usize + 1);
        let line = &mut above[ply as usize];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&below[0]);
    }
}
