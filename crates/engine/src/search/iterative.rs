//! Iterative deepening at the root, with aspiration windows.

use super::run::Run;
use super::window::Window;
use super::{Control, Knowledge, Limits, MAX_PLY, Mode, Report, Searcher};
use crate::game::Game;
use crate::score::{INFINITY, Score, distance_to_end};
use std::collections::VecDeque;

/// Iterations up to this depth, in plies, have no score before them that is worth a window around it.
const FULL_WINDOW_DEPTH: u32 = 3;
/// The factor by which the window grows each time that the value lies outside.
const WINDOW_GROWTH: Score = 4;
/// A side of the window that has grown beyond this is opened for good, in points.
const WIDEST_MARGIN: Score = 1_000;

/// A move at the root, and how much work it has cost.
struct RootMove<M> {
    mv: M,
    /// The move's place among those allowed.
    place: usize,
    /// The nodes of the last iteration; where several threads search, those of all threads since the search began.
    nodes: u64,
    /// The nodes of all threads before the search began, if there are several.
    before: u64,
}

impl<G: Game, K: Knowledge<G>> Searcher<G, K> {
    /// Searches a position, one ply deeper each time, to the limits or until the result is proven. `None` if the game
    /// is over.
    pub fn run(
        &mut self,
        position: &G,
        limits: Limits,
        control: &mut impl Control<G::Move>,
    ) -> Option<Report<G::Move>> {
        self.run_among(position, &position.legal_moves(), limits, control)
    }

    /// Searches a position as [`Searcher::run`] does, with only these moves allowed at the root. All must be legal;
    /// `None` if there are none.
    pub fn run_among(
        &mut self,
        position: &G,
        allowed: &[G::Move],
        limits: Limits,
        control: &mut impl Control<G::Move>,
    ) -> Option<Report<G::Move>> {
        let mut moves = self.root_moves(position, allowed);
        let first = moves.first()?.mv;
        self.search_for(position.side_to_move());
        self.table.age();
        self.path.clear();
        self.path.push(position.key());
        let deepest = limits.depth.clamp(1, MAX_PLY - 1);
        let last_ply = self.knowledge.plies_to_end(position);
        let mut report = Report { best: first, score: 0, depth: 0, nodes: 0, line: vec![first], proven: false };
        let mut run = Run { searcher: self, control, nodes: 0, node_limit: limits.nodes, stopped: false };
        let mut position = position.clone();
        for depth in 1..=deepest {
            run.iteration(&mut position, depth, &mut moves, &mut report);
            report.nodes = run.nodes;
            if run.stopped {
                break;
            }
            report.depth = depth;
            report.proven = distance_to_end(report.score).is_some_and(|plies| plies <= depth)
                || (last_ply.is_some_and(|plies| plies <= depth) && run.searcher.mode == Mode::FullWidth);
            if run.control.stop_after(&report) || report.proven || last_ply.is_some_and(|plies| plies <= depth) {
                break;
            }
        }
        Some(report)
    }

    /// The moves allowed at the root, in the game's own order; equal ones stay in the generator's.
    fn root_moves(&self, position: &G, allowed: &[G::Move]) -> Vec<RootMove<G::Move>> {
        let mut moves: Vec<_> = allowed
            .iter()
            .enumerate()
            .map(|(place, &mv)| RootMove { mv, place, nodes: 0, before: self.others.root_work(place).unwrap_or(0) })
            .collect();
        moves.sort_by_key(|root| -self.knowledge.order(position, root.mv));
        moves
    }
}

impl<G: Game, K: Knowledge<G>, C: Control<G::Move>> Run<'_, G, K, C> {
    /// Searches to one depth: the window opens around the last score and widens until the value lies within.
    fn iteration(
        &mut self,
        position: &mut G,
        depth: u32,
        moves: &mut [RootMove<G::Move>],
        report: &mut Report<G::Move>,
    ) {
        let mut margin = self.searcher.knowledge.aspiration();
        let mut window = Window::FULL;
        if depth > FULL_WINDOW_DEPTH && distance_to_end(report.score).is_none() {
            window = Window { alpha: report.score - margin, beta: report.score + margin };
        }
        loop {
            let score = self.root(position, depth, window, moves, report);
            if self.stopped {
                return;
            }
            margin = margin.saturating_mul(WINDOW_GROWTH);
            if score <= window.alpha {
                window.alpha = if margin > WIDEST_MARGIN { -INFINITY } else { score - margin };
            } else if score >= window.beta {
                window.beta = if margin > WIDEST_MARGIN { INFINITY } else { score + margin };
            } else {
                report.score = score;
                return;
            }
        }
    }

    /// Searches the root node. Keeps the best move found so far in the report, even when the search is stopped half
    /// way: the best move of the iteration before is always the first to be searched.
    fn root(
        &mut self,
        position: &mut G,
        depth: u32,
        mut window: Window,
        moves: &mut [RootMove<G::Move>],
        report: &mut Report<G::Move>,
    ) -> Score {
        let mut best = -INFINITY;
        let key = position.key();
        let mut next = 0;
        let mut deferred = VecDeque::new();
        while next < moves.len() || !deferred.is_empty() {
            let is_first_look = next < moves.len();
            let number = if is_first_look { next } else { numbered(moves, deferred.pop_front()) };
            next += usize::from(is_first_look);
            let RootMove { mv, place, .. } = moves[number];
            let code = position.encode(mv);
            if is_first_look && number > 0 && self.searcher.others.look_at(key, depth, code) {
                deferred.push_back(place);
                continue;
            }
            let before = self.nodes;
            self.searcher.others.hear_of_begin(key, depth, code);
            let undo = position.play(mv);
            let score = self.child(position, depth - 1, window, 0, number);
            position.undo(mv, undo);
            self.searcher.others.hear_of_end(key, depth, code);
            if self.stopped {
                break;
            }
            moves[number].nodes = self.nodes - before;
            self.searcher.others.add_root_work(place, moves[number].nodes);
            if score > best {
                best = score;
                if score > window.alpha {
                    window.alpha = score;
                    self.searcher.extend_line(mv, 0);
                    report.best = mv;
                    report.score = score;
                    report.line.clone_from(&self.searcher.lines[0]);
                    moves[..=number].rotate_right(1);
                }
            }
            if best >= window.beta {
                break;
            }
        }
        for root in moves.iter_mut() {
            root.nodes = self.searcher.others.root_work(root.place).map_or(root.nodes, |nodes| nodes - root.before);
        }
        if !self.stopped {
            // Later moves that cost most were hardest to refute: next time they come earlier.
            moves[1..].sort_by_key(|root| std::cmp::Reverse(root.nodes));
        }
        best
    }
}

/// The number, in the order of the search, of the move with this place among those allowed.
fn numbered<M>(moves: &[RootMove<M>], place: Option<usize>) -> usize {
    moves.iter().position(|root| Some(root.place) == place).expect("a move at the root")
}
