//! Principal-variation search in negamax form (fail-soft), with quiescence at the leaves.

use super::ordering::Picker;
use super::window::Window;
use super::{Bound, Entry, Knowledge, MAX_PLY, Mode, NO_MOVE, Observer, Searcher};
use crate::game::Game;
use crate::score::{INFINITY, Score, WIN, WIN_BOUND, outcome_score};

const NODES_BETWEEN_POLLS: u64 = 128;

/// A search in progress.
pub(super) struct TreeSearch<'a, G: Game, K: Knowledge<G>, O> {
    pub(super) searcher: &'a mut Searcher<G, K>,
    pub(super) observer: &'a mut O,
    pub(super) nodes: u64,
    pub(super) node_limit: u64,
    /// Whether the search must end. From then on the values of nodes are meaningless.
    pub(super) stopped: bool,
}

struct BestMove {
    score: Score,
    code: u32,
    /// The number of moves tried so far.
    number: usize,
}

impl<G: Game, K: Knowledge<G>, O: Observer<G::Move>> TreeSearch<'_, G, K, O> {
    /// Counts a node, polls the limits, and returns whether the search must end.
    pub(super) fn count_node(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes >= self.node_limit
            || (self.nodes % NODES_BETWEEN_POLLS == 0 && self.observer.wants_stop())
        {
            self.stopped = true;
        }
        self.stopped
    }

    /// The value of a node for the side to move, `depth` plies deep: exact within the window,
    /// otherwise a bound.
    pub(super) fn negamax(
        &mut self,
        position: &mut G,
        depth: u32,
        window: Window,
        ply: u32,
    ) -> Score {
        if self.count_node() {
            return 0;
        }
        self.searcher.lines[ply as usize].clear();
        if let Some(outcome) = position.outcome() {
            return outcome_score(outcome, position.side_to_move(), ply);
        }
        // The horizon: quiescence search, or the static evaluation in full-width mode.
        if depth == 0 || ply >= MAX_PLY {
            return self.evaluate_leaf(position, window, ply);
        }
        // Mate-distance pruning: the game is not over here, so no line is better than a win at the
        // next ply or worse than a loss here. The window shrinks to that range.
        let floor = ply as Score - WIN;
        let ceiling = WIN - (ply as Score + 1);
        let window = Window { alpha: window.alpha.max(floor), beta: window.beta.min(ceiling) };
        if window.alpha >= window.beta {
            return window.alpha;
        }
        let searcher = &mut *self.searcher;
        // Frontier node: the game may score all moves at once, without making them.
        if depth == 1 {
            if let Some((score, mv)) =
                searcher.knowledge.frontier(position, window.alpha, window.beta)
            {
                searcher.lines[ply as usize].push(mv);
                return score;
            }
        }
        let key = position.key_within(depth);
        // A repetition on the current line scores as a draw.
        if searcher.selectivity.repetition_is_draw && searcher.path.contains(&position.key()) {
            return 0;
        }
        // Transposition table: a cutoff, or at least a move to try first.
        let mut table_move = NO_MOVE;
        if let Some(entry) = searcher.table.probe(key, ply) {
            table_move = entry.mv;
            if searcher.gives_cutoff(entry, depth, window) {
                if let Some(mv) = position.decode(entry.mv) {
                    searcher.lines[ply as usize].push(mv);
                }
                return entry.score;
            }
        }
        let best = self.search_moves(position, depth, window, ply, table_move);
        if self.stopped {
            return 0;
        }
        let bound = Bound::of(best.score, window.alpha, window.beta);
        let entry = Entry { mv: best.code, score: best.score, depth: depth as u8, bound };
        self.searcher.store_result(key, ply, entry);
        best.score
    }

    /// Searches the moves of a node until one causes a beta cutoff or none is left.
    fn search_moves(
        &mut self,
        position: &mut G,
        depth: u32,
        mut window: Window,
        ply: u32,
        table_move: u32,
    ) -> BestMove {
        let most_moves = self.searcher.most_moves(depth, window);
        let stack_start = self.searcher.stack.len();
        let mut picker = Picker::new(table_move, self.searcher.ordering.killers(ply));
        let mut best = BestMove { score: -INFINITY, code: NO_MOVE, number: 0 };
        self.searcher.path.push(position.key());
        // Late-move pruning: past `most_moves`, further moves are searched only while all of them
        // lose.
        while best.number < most_moves || best.score < -WIN_BOUND {
            let known = picker.next_known(position);
            // Pre-frontier node: after the table move and the killers, the game may score the rest
            // at once.
            if known.is_none()
                && depth == 2
                && self.pre_frontier(position, window, ply, most_moves, &mut best)
            {
                if best.score >= window.beta {
                    self.searcher.ordering.record_cutoff(
                        position.side_to_move(),
                        best.code,
                        depth,
                        ply,
                    );
                }
                break;
            }
            let Some((mv, code)) =
                known.or_else(|| self.searcher.next_generated(&mut picker, position))
            else {
                break;
            };
            let undo = position.play(mv);
            let score = self.search_child(position, depth - 1, window, ply, best.number);
            position.undo(mv, undo);
            best.number += 1;
            if self.stopped {
                break;
            }
            if score > best.score {
                (best.score, best.code) = (score, code);
                if score > window.alpha {
                    window.alpha = score;
                    self.searcher.update_line(mv, ply);
                }
            }
            if best.score >= window.beta {
                let side = position.side_to_move();
                self.searcher.ordering.record_cutoff(side, code, depth, ply);
                self.searcher.penalize_tried(side, code, depth, stack_start, best.number);
                break;
            }
        }
        self.searcher.path.pop();
        self.searcher.stack.truncate(stack_start);
        debug_assert!(best.number > 0 || self.stopped, "a position without an outcome has a move");
        best
    }

    /// Lets the game score the rest of a node ([`Knowledge::pre_frontier`]); `false` if it does
    /// not.
    fn pre_frontier(
        &mut self,
        position: &mut G,
        window: Window,
        ply: u32,
        most_moves: usize,
        best: &mut BestMove,
    ) -> bool {
        let searcher = &mut *self.searcher;
        let window = window.above(best.score);
        let Some((score, moves)) =
            searcher.knowledge.pre_frontier(position, window.alpha, window.beta, most_moves)
        else {
            return false;
        };
        best.number += 1;
        if score > best.score {
            (best.score, best.code) = (score, position.encode(moves[0]));
            let line = &mut searcher.lines[ply as usize];
            line.clear();
            line.extend_from_slice(&moves);
        }
        true
    }

    /// The value for the parent of the position after its `number`th move, from 0.
    /// Principal-variation search: the first move has the full window, later ones a null window
    /// with a late-move reduction, and a re-search if they raise alpha.
    pub(super) fn search_child(
        &mut self,
        position: &mut G,
        depth: u32,
        window: Window,
        parent_ply: u32,
        number: usize,
    ) -> Score {
        let ply = parent_ply + 1;
        if number == 0 {
            return -self.negamax(position, depth, window.reversed(), ply);
        }
        // Null-window search, with a late-move reduction.
        let reduction = self.searcher.reduction(depth + 1, number);
        let mut score = -self.negamax(position, depth - reduction, window.reversed_null(), ply);
        // The reduced search failed high: search again at full depth.
        if reduction > 0 && score > window.alpha && !self.stopped {
            score = -self.negamax(position, depth, window.reversed_null(), ply);
        }
        // The null-window search failed high inside an open window: search again for the exact
        // value.
        if score > window.alpha && score < window.beta && !self.stopped {
            score = -self.negamax(position, depth, window.reversed(), ply);
        }
        score
    }

    /// The value of an unfinished leaf: the static evaluation in full-width mode, otherwise a
    /// quiescence search of the noisy moves.
    fn evaluate_leaf(&mut self, position: &mut G, window: Window, ply: u32) -> Score {
        let searcher = &mut *self.searcher;
        let estimate = searcher.knowledge.evaluate(position);
        // Stand pat: the side to move need not play a noisy move.
        if searcher.mode == Mode::FullWidth || estimate >= window.beta || ply >= MAX_PLY {
            return estimate;
        }
        let Some((start, end)) = searcher.generate_noisy(position) else { return estimate };
        let mut best = estimate;
        for index in start..end {
            let mv = self.searcher.stack.at(index);
            let undo = position.play(mv);
            let score = -self.quiescence(position, window.above(best).reversed(), ply + 1);
            position.undo(mv, undo);
            if self.stopped {
                break;
            }
            best = best.max(score);
            if best >= window.beta {
                break;
            }
        }
        self.searcher.stack.truncate(start);
        best
    }

    fn quiescence(&mut self, position: &mut G, window: Window, ply: u32) -> Score {
        if self.count_node() {
            return 0;
        }
        if let Some(outcome) = position.outcome() {
            return outcome_score(outcome, position.side_to_move(), ply);
        }
        self.evaluate_leaf(position, window, ply)
    }
}
