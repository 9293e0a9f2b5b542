//! One run of a search: what is counted and watched while it lasts, and the nodes of its tree (fail-soft negamax).

use super::ordering::Picker;
use super::window::Window;
use super::{Bound, Control, Entry, Knowledge, MAX_PLY, Mode, NO_MOVE, Searcher};
use crate::game::Game;
use crate::score::{INFINITY, Score, WIN, WIN_BOUND, outcome_score};

/// The nodes between two questions to the control whether to stop.
const NODES_BETWEEN_POLLS: u64 = 128;

/// A search under way: the searcher with its memory, and the control that may end it.
pub(super) struct Run<'a, G: Game, K: Knowledge<G>, C> {
    pub(super) searcher: &'a mut Searcher<G, K>,
    pub(super) control: &'a mut C,
    pub(super) nodes: u64,
    pub(super) node_limit: u64,
    /// Whether the search has to end; values of nodes mean nothing from then on.
    pub(super) stopped: bool,
}

/// The best move that a node has found so far.
struct Best {
    score: Score,
    code: u32,
    /// The number of moves looked at so far.
    number: usize,
}

/// A node whose moves are being searched.
struct Node {
    key: u64,
    depth: u32,
    /// What is left of the node's window.
    window: Window,
    ply: u32,
    /// The place in the searcher's arena where the node's moves begin.
    arena_start: usize,
}

impl<G: Game, K: Knowledge<G>, C: Control<G::Move>> Run<'_, G, K, C> {
    /// Counts a node, and returns whether the search has to end.
    pub(super) fn count_node(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes >= self.node_limit || (self.nodes.is_multiple_of(NODES_BETWEEN_POLLS) && self.control.stop_now())
        {
            self.stopped = true;
        }
        self.stopped
    }

    /// The value of a position for its side to move, `depth` plies deep: exact within the window, otherwise a bound.
    /// Meaningless once `self.stopped`.
    pub(super) fn node(&mut self, position: &mut G, depth: u32, window: Window, ply: u32) -> Score {
        if self.count_node() {
            return 0;
        }
        self.searcher.lines[ply as usize].clear();
        if let Some(outcome) = position.outcome() {
            return outcome_score(outcome, position.side_to_move(), ply);
        }
        if depth == 0 || ply >= MAX_PLY {
            return self.leaf(position, window, ply);
        }
        // No line from here ends sooner than at the next ply: the window shrinks to what is possible.
        let floor = ply as Score - WIN;
        let ceiling = WIN - (ply as Score + 1);
        let window = Window { alpha: window.alpha.max(floor), beta: window.beta.min(ceiling) };
        if window.alpha >= window.beta {
            return window.alpha;
        }
        let searcher = &mut *self.searcher;
        if depth == 1
            && let Some((score, mv)) = searcher.knowledge.frontier(position, window.alpha, window.beta)
        {
            searcher.lines[ply as usize].push(mv);
            return score;
        }
        let key = position.key_within(depth);
        if searcher.selectivity.repetition_is_draw && searcher.path.contains(&position.key()) {
            return 0;
        }
        let mut table_move = NO_MOVE;
        if let Some(entry) = searcher.table.probe(key, ply) {
            table_move = entry.mv;
            if searcher.settles(entry, depth, window) {
                if let Some(mv) = position.decode(entry.mv) {
                    searcher.lines[ply as usize].push(mv);
                }
                return entry.score;
            }
        }
        let best = self.best_move(position, key, depth, window, ply, table_move);
        if self.stopped {
            return 0;
        }
        let bound = Bound::of(best.score, window.alpha, window.beta);
        let entry = Entry { mv: best.code, score: best.score, depth: depth as u8, bound };
        self.searcher.remember(key, ply, entry);
        best.score
    }

    /// Searches the moves of a node until one of them reaches the window's end or none is left. Those that other threads are
    /// looking at come last.
    fn best_move(&mut self, position: &mut G, key: u64, depth: u32, window: Window, ply: u32, table_move: u32) -> Best {
        let most_moves = self.searcher.most_moves(depth, window);
        let (arena_start, deferred_start) = (self.searcher.arena.len(), self.searcher.deferred.len());
        let mut node = Node { key, depth, window, ply, arena_start };
        let mut picker = Picker::new(table_move, self.searcher.experience.killers(ply));
        let mut best = Best { score: -INFINITY, code: NO_MOVE, number: 0 };
        // One place where a move is searched, after either way to come by it, is what lets the compiler inline it.
        let (mut is_listed, mut next_deferred) = (true, deferred_start);
        self.searcher.path.push(position.key());
        loop {
            let candidate = if is_listed && (best.number < most_moves || best.score < -WIN_BOUND) {
                let known = picker.next_known(position);
                if known.is_none() && depth == 2 && self.pre_frontier(position, node.window, ply, most_moves, &mut best)
                {
                    if best.score >= window.beta {
                        self.searcher.experience.reward(position.side_to_move(), best.code, depth, ply);
                    }
                    break;
                }
                let Some((mv, code)) = known.or_else(|| self.searcher.next_generated(&mut picker, position)) else {
                    is_listed = false;
                    continue;
                };
                let number = best.number;
                best.number += 1;
                if number > 0 && self.searcher.others.look_at(key, depth, code) {
                    self.searcher.deferred.push((mv, code, number));
                    continue;
                }
                (mv, code, number)
            } else if let Some(&candidate) = self.searcher.deferred.get(next_deferred) {
                next_deferred += 1;
                candidate
            } else {
                break;
            };
            if self.try_move(position, &mut node, candidate, &mut best) {
                break;
            }
        }
        self.searcher.path.pop();
        self.searcher.arena.truncate(arena_start);
        self.searcher.deferred.truncate(deferred_start);
        debug_assert!(best.number > 0 || self.stopped, "a position without an outcome has a move");
        best
    }

    /// Searches a move of a node, given with its code and number, and returns whether the node is done with: the search has
    /// to end, or the move reaches the window's end.
    #[inline]
    fn try_move(
        &mut self,
        position: &mut G,
        node: &mut Node,
        (mv, code, number): (G::Move, u32, usize),
        best: &mut Best,
    ) -> bool {
        let &mut Node { key, depth, ply, arena_start, .. } = node;
        self.searcher.others.hear_of_begin(key, depth, code);
        let undo = position.play(mv);
        let score = self.child(position, depth - 1, node.window, ply, number);
        position.undo(mv, undo);
        self.searcher.others.hear_of_end(key, depth, code);
        if self.stopped {
            return true;
        }
        if score > best.score {
            (best.score, best.code) = (score, code);
            if score > node.window.alpha {
                node.window.alpha = score;
                self.searcher.extend_line(mv, ply);
            }
        }
        let cuts = best.score >= node.window.beta;
        if cuts {
            let side = position.side_to_move();
            self.searcher.experience.reward(side, code, depth, ply);
            self.searcher.punish_tried(side, code, depth, arena_start, best.number);
        }
        cuts
    }

    /// Asks the game for the value of a node two plies above the leaves, and returns `false` if it has none.
    fn pre_frontier(&mut self, position: &mut G, window: Window, ply: u32, most_moves: usize, best: &mut Best) -> bool {
        let searcher = &mut *self.searcher;
        let window = window.above(best.score);
        let Some((score, moves)) = searcher.knowledge.pre_frontier(position, window.alpha, window.beta, most_moves)
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

    /// The value, for the parent, of the position after the `number`th move (counted from 0) of a parent at
    /// `parent_ply`: the first is searched with the whole window, later ones with an empty one, reduced where that is
    /// allowed, and again when they turn out better than expected.
    pub(super) fn child(
        &mut self,
        position: &mut G,
        depth: u32,
        window: Window,
        parent_ply: u32,
        number: usize,
    ) -> Score {
        let ply = parent_ply + 1;
        if number == 0 {
            return -self.node(position, depth, window.reversed(), ply);
        }
        let reduction = self.searcher.reduction(depth + 1, number);
        let mut score = -self.node(position, depth - reduction, window.reversed_null(), ply);
        if reduction > 0 && score > window.alpha && !self.stopped {
            score = -self.node(position, depth, window.reversed_null(), ply);
        }
        if score > window.alpha && score < window.beta && !self.stopped {
            score = -self.node(position, depth, window.reversed(), ply);
        }
        score
    }

    /// The value of a leaf that is not finished. In full-width mode this is the evaluation; otherwise noisy moves are
    /// searched until the position is quiet.
    fn leaf(&mut self, position: &mut G, window: Window, ply: u32) -> Score {
        let searcher = &mut *self.searcher;
        let estimate = searcher.knowledge.evaluate(position);
        if searcher.mode == Mode::FullWidth || estimate >= window.beta || ply >= MAX_PLY {
            return estimate;
        }
        let Some((start, end)) = searcher.list_noisy(position) else { return estimate };
        let mut best = estimate;
        for index in start..end {
            let mv = self.searcher.arena[index].mv;
            let undo = position.play(mv);
            let score = -self.quiet(position, window.above(best).reversed(), ply + 1);
            position.undo(mv, undo);
            if self.stopped {
                break;
            }
            best = best.max(score);
            if best >= window.beta {
                break;
            }
        }
        self.searcher.arena.truncate(start);
        best
    }

    /// The value of a node of the quiescence search.
    fn quiet(&mut self, position: &mut G, window: Window, ply: u32) -> Score {
        if self.count_node() {
            return 0;
        }
        if let Some(outcome) = position.outcome() {
            return outcome_score(outcome, position.side_to_move(), ply);
        }
        self.leaf(position, window, ply)
    }
}
