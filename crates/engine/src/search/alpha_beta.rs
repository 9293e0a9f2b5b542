//! One node of the principal-variation search (fail-soft negamax).

use super::ordering::{Candidate, Picker};
use super::{Bound, Control, Entry, Knowledge, LateMoves, MAX_PLY, Mode, NO_MOVE, Searcher};
use crate::game::Game;
use crate::score::{INFINITY, Score, WIN, WIN_BOUND, outcome_score};

/// The control is asked once in so many nodes.
const NODES_BETWEEN_POLLS: u64 = 512;

impl<G: Game, K: Knowledge<G>> Searcher<G, K> {
    /// Counts a node; `true` if the search has to end.
    pub(super) fn count_node(&mut self, control: &mut impl Control<G::Move>) -> bool {
        self.nodes += 1;
        if self.nodes >= self.node_limit || (self.nodes.is_multiple_of(NODES_BETWEEN_POLLS) && control.stop_now()) {
            self.stopped = true;
        }
        self.stopped
    }

    /// The value of a position for its side to move, `depth` plies deep: exact within `alpha..beta`, otherwise a bound.
    /// Meaningless once `self.stopped`.
    pub(super) fn node(
        &mut self,
        position: &mut G,
        depth: u32,
        alpha: Score,
        beta: Score,
        ply: u32,
        control: &mut impl Control<G::Move>,
    ) -> Score {
        if self.count_node(control) {
            return 0;
        }
        self.lines[ply as usize].clear();
        if let Some(outcome) = position.outcome() {
            return outcome_score(outcome, position.side_to_move(), ply);
        }
        if depth == 0 || ply >= MAX_PLY {
            return self.leaf(position, alpha, beta, ply, control);
        }
        // No line from here ends sooner than at the next ply: the window shrinks to what is possible.
        let floor = ply as Score - WIN;
        let ceiling = WIN - (ply as Score + 1);
        let (mut alpha, beta) = (alpha.max(floor), beta.min(ceiling));
        if alpha >= beta {
            return alpha;
        }
        if depth == 1
            && let Some((score, mv)) = self.knowledge.frontier(position, alpha, beta)
        {
            self.lines[ply as usize].push(mv);
            return score;
        }
        let key = position.key_within(depth);
        if self.selectivity.repetition_is_draw && self.path.contains(&position.key()) {
            return 0;
        }
        let pv_node = beta - alpha > 1;
        let mut table_move = NO_MOVE;
        if let Some(entry) = self.table.probe(key, ply) {
            table_move = entry.mv;
            if self.settles(entry, depth, alpha, beta, pv_node) {
                if let Some(mv) = position.decode(entry.mv) {
                    self.lines[ply as usize].push(mv);
                }
                return entry.score;
            }
        }

        let most_moves = match self.selectivity.late_pruning {
            Some(options) if !pv_node && depth <= options.most_depth => {
                options.base + options.factor * (depth * depth) as usize
            }
            _ => usize::MAX,
        };
        let side = position.side_to_move();
        let alpha_before = alpha;
        let arena_start = self.arena.len();
        let mut picker = Picker::new(table_move, self.experience.killers(ply));
        let (mut best, mut best_code, mut number) = (-INFINITY, NO_MOVE, 0);
        self.path.push(position.key());
        while number < most_moves || best < -WIN_BOUND {
            let known = picker.next_known(position);
            if known.is_none()
                && depth == 2
                && let Some((score, moves)) = self.knowledge.pre_frontier(position, alpha.max(best), beta, most_moves)
            {
                number += 1;
                if score > best {
                    best = score;
                    best_code = position.encode(moves[0]);
                    self.lines[ply as usize].clear();
                    self.lines[ply as usize].extend_from_slice(&moves);
                }
                if score >= beta {
                    self.experience.reward(side, best_code, depth, ply);
                }
                break;
            }
            let next = known.or_else(|| {
                let mut arena = std::mem::take(&mut self.arena);
                let next = picker.next_generated(&mut arena, |arena| self.generate(position, arena));
                self.arena = arena;
                next
            });
            let Some((mv, code)) = next else { break };
            let undo = position.play(mv);
            let score = self.child(position, depth - 1, alpha, beta, ply, number, control);
            position.undo(mv, undo);
            if self.stopped {
                break;
            }
            number += 1;
            if score > best {
                best = score;
                best_code = code;
                if score > alpha {
                    alpha = score;
                    self.extend_line(mv, ply);
                }
            }
            if best >= beta {
                self.learn_from_cut(side, code, depth, ply, arena_start, number);
                break;
            }
        }
        self.path.pop();
        self.arena.truncate(arena_start);
        if self.stopped {
            return 0;
        }
        debug_assert!(number > 0, "a position without an outcome has a move");
        let bound = Bound::of(best, alpha_before, beta);
        self.remember(key, ply, Entry { mv: best_code, score: best, depth: depth as u8, bound });
        best
    }

    /// Stores what was found. No move of a node that failed low is better than another.
    fn remember(&self, key: u64, ply: u32, mut entry: Entry) {
        if entry.bound == Bound::Upper {
            entry.mv = NO_MOVE;
        }
        self.table.store(key, ply, entry);
    }

    /// Searches the position after the `number`th move of its parent (counted from 0): the first with the whole window,
    /// later ones with none, reduced where that is allowed, and again when they turn out better than expected.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn child(
        &mut self,
        position: &mut G,
        depth: u32,
        alpha: Score,
        beta: Score,
        parent_ply: u32,
        number: usize,
        control: &mut impl Control<G::Move>,
    ) -> Score {
        let ply = parent_ply + 1;
        if number == 0 {
            return -self.node(position, depth, -beta, -alpha, ply, control);
        }
        let reduction = self.reduction(depth + 1, number);
        let mut score = -self.node(position, depth - reduction, -alpha - 1, -alpha, ply, control);
        if reduction > 0 && score > alpha && !self.stopped {
            score = -self.node(position, depth, -alpha - 1, -alpha, ply, control);
        }
        if score > alpha && score < beta && !self.stopped {
            score = -self.node(position, depth, -beta, -alpha, ply, control);
        }
        score
    }

    fn reduction(&self, depth: u32, number: usize) -> u32 {
        match self.selectivity.late_moves {
            Some(options) if depth >= options.least_depth && number >= options.full_moves => {
                u32::from(self.reductions[depth.min(63) as usize][number.min(63)]).min(depth - 1)
            }
            _ => 0,
        }
    }

    /// Whether a table entry answers the question asked at a node. In full-width mode only the very same question
    /// counts, and never a deeper search's answer, which may differ from minimax at this depth.
    fn settles(&self, entry: Entry, depth: u32, alpha: Score, beta: Score, pv_node: bool) -> bool {
        let deep_enough = match self.mode {
            Mode::FullWidth => u32::from(entry.depth) == depth,
            Mode::Selective => u32::from(entry.depth) >= depth && !pv_node,
        };
        deep_enough
            && match entry.bound {
                Bound::Exact => true,
                Bound::Lower => entry.score >= beta,
                Bound::Upper => entry.score <= alpha,
            }
    }

    fn generate(&mut self, position: &G, arena: &mut Vec<Candidate<G::Move>>) {
        self.generated.clear();
        position.moves(&mut self.generated);
        self.order_generated(position, arena);
    }

    /// Orders the generated moves into the arena's end.
    pub(super) fn list_generated(&mut self, position: &G) {
        let mut arena = std::mem::take(&mut self.arena);
        self.order_generated(position, &mut arena);
        self.arena = arena;
    }

    fn order_generated(&self, position: &G, arena: &mut Vec<Candidate<G::Move>>) {
        let side = position.side_to_move();
        arena.extend(self.generated.iter().map(|&mv| {
            let code = position.encode(mv);
            let order = self.knowledge.order(position, mv) + self.experience.history(side, code);
            Candidate { mv, code, order }
        }));
    }

    /// The move that cut is remembered; generated moves tried before it are held back next time.
    fn learn_from_cut(
        &mut self,
        side: crate::game::Side,
        code: u32,
        depth: u32,
        ply: u32,
        arena_start: usize,
        number: usize,
    ) {
        self.experience.reward(side, code, depth, ply);
        let tried = self.arena[arena_start..].iter().take(number).take_while(|candidate| candidate.code != code);
        for candidate in tried {
            self.experience.punish(side, candidate.code, depth);
        }
    }

    pub(super) fn extend_line(&mut self, mv: G::Move, ply: u32) {
        let (above, below) = self.lines.split_at_mut(ply as usize + 1);
        let line = &mut above[ply as usize];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&below[0]);
    }
}

/// The reductions by depth and number of the move.
pub(super) fn reductions(options: Option<LateMoves>) -> Vec<[u8; 64]> {
    let mut table = vec![[0; 64]; 64];
    if let Some(options) = options {
        for (depth, row) in table.iter_mut().enumerate().skip(1) {
            for (number, plies) in row.iter_mut().enumerate().skip(1) {
                let (depth, number) = (depth as f32, number as f32);
                *plies = (options.base + depth.ln() * number.ln() / options.divisor).max(0.0) as u8;
            }
        }
    }
    table
}
