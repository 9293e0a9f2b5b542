//! The heuristics of a node: cutoffs by the transposition table, late-move pruning and reductions,
//! move ordering, and the principal variation.

use super::ordering::{MoveStack, OrderingTables, Picker};
use super::reductions::{REDUCTION_TABLE_SIZE, reductions};
use super::window::Window;
use super::{Bound, Entry, Knowledge, Mode, NO_MOVE, Searcher};
use crate::game::{Game, Side};

impl<G: Game, K: Knowledge<G>> Searcher<G, K> {
    /// Loads the selective options of the side to move at the root.
    pub(super) fn set_root_side(&mut self, side: Side) {
        if self.mode == Mode::FullWidth || side == self.root_side {
            return;
        }
        self.root_side = side;
        let selectivity = self.knowledge.selectivity(side);
        if selectivity.late_moves != self.selectivity.late_moves {
            self.reductions = reductions(selectivity.late_moves);
        }
        self.selectivity = selectivity;
    }

    /// Stores a node's result; after a fail-low without a move, since none is known to be best.
    pub(super) fn store_result(&self, key: u64, ply: u32, mut entry: Entry) {
        if entry.bound == Bound::Upper {
            entry.mv = NO_MOVE;
        }
        self.table.store(key, ply, entry);
    }

    /// Whether a table entry gives a cutoff. In selective mode an entry at least as deep gives one,
    /// outside the principal variation. In full-width mode it must have exactly this depth: the
    /// value of a deeper search may differ from minimax.
    pub(super) fn gives_cutoff(&self, entry: Entry, depth: u32, window: Window) -> bool {
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

    /// The number of moves of a node after which late-move pruning begins.
    pub(super) fn most_moves(&self, depth: u32, window: Window) -> usize {
        match self.selectivity.late_pruning {
            Some(options) if !window.is_open() && depth <= options.most_depth => {
                options.base + options.factor * (depth * depth) as usize
            }
            _ => usize::MAX,
        }
    }

    /// The late-move reduction, in plies, of the `number`th move, from 0, of a node of this depth.
    pub(super) fn reduction(&self, depth: u32, number: usize) -> u32 {
        match self.selectivity.late_moves {
            Some(options) if depth >= options.least_depth && number >= options.full_moves => {
                let largest = REDUCTION_TABLE_SIZE - 1;
                u32::from(self.reductions[(depth as usize).min(largest)][number.min(largest)])
                    .min(depth - 1)
            }
            _ => 0,
        }
    }

    /// The next move of a node after the table move and the killers, with its code.
    pub(super) fn next_generated(
        &mut self,
        picker: &mut Picker,
        position: &G,
    ) -> Option<(G::Move, u32)> {
        let Searcher { stack, generated, knowledge, ordering, .. } = self;
        picker.next_generated(stack, |stack| {
            generated.clear();
            position.moves(generated);
            order_generated(generated, position, knowledge, ordering, stack);
        })
    }

    /// Appends the noisy moves of a leaf to the stack, the best first, and returns their range.
    pub(super) fn generate_noisy(&mut self, position: &G) -> Option<(usize, usize)> {
        self.generated.clear();
        self.knowledge.noisy(position, &mut self.generated);
        if self.generated.is_empty() {
            return None;
        }
        let start = self.stack.len();
        order_generated(
            &self.generated,
            position,
            &self.knowledge,
            &self.ordering,
            &mut self.stack,
        );
        self.stack.sort_from(start);
        Some((start, self.stack.len()))
    }

    /// Lowers the history scores of the moves that were searched before the one that caused the
    /// cutoff.
    pub(super) fn penalize_tried(
        &mut self,
        side: Side,
        code: u32,
        depth: u32,
        stack_start: usize,
        number: usize,
    ) {
        let tried = self
            .stack
            .from(stack_start)
            .iter()
            .take(number)
            .take_while(|&&(_, tried)| tried != code);
        for &(_, tried) in tried {
            self.ordering.penalize(side, tried, depth);
        }
    }

    /// The principal variation of the node becomes `mv` and that of the child.
    pub(super) fn update_line(&mut self, mv: G::Move, ply: u32) {
        let (above, below) = self.lines.split_at_mut(ply as usize + 1);
        let line = &mut above[ply as usize];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&below[0]);
    }
}

fn order_generated<G: Game>(
    moves: &[G::Move],
    position: &G,
    knowledge: &impl Knowledge<G>,
    ordering: &OrderingTables,
    stack: &mut MoveStack<G::Move>,
) {
    let side = position.side_to_move();
    for &mv in moves {
        let code = position.encode(mv);
        stack.push(mv, code, knowledge.order(position, mv) + ordering.history(side, code));
    }
}
