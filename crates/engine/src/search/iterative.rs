//! Iterative deepening at the root, with aspiration windows.

use super::alpha_beta::TreeSearch;
use super::window::Window;
use super::{Knowledge, Limits, MAX_PLY, Mode, Observer, Report, Searcher};
use crate::game::Game;
use crate::score::{INFINITY, Score, distance_to_end};

/// The depth, in plies, up to which iterations search the full window: earlier scores are too rough
/// for an aspiration window.
const FULL_WINDOW_DEPTH: u32 = 3;
/// The factor by which the margin of the window grows after each fail-high or fail-low.
const WINDOW_GROWTH: Score = 4;
/// A bound of the window that would grow beyond this margin, in points, is removed.
const WIDEST_MARGIN: Score = 1_000;

/// A root move and the nodes that it has cost in the last iteration.
struct RootMove<M> {
    mv: M,
    nodes: u64,
}

impl<G: Game, K: Knowledge<G>> Searcher<G, K> {
    /// Searches by iterative deepening until a limit is reached or the result is proven. `None` if
    /// the game is over.
    pub fn run(
        &mut self,
        position: &G,
        limits: Limits,
        observer: &mut impl Observer<G::Move>,
    ) -> Option<Report<G::Move>> {
        self.run_among(position, &position.legal_moves(), limits, observer)
    }

    /// Like [`Searcher::run`], with only the `allowed` moves at the root, all of them legal; `None`
    /// if there are none.
    pub fn run_among(
        &mut self,
        position: &G,
        allowed: &[G::Move],
        limits: Limits,
        observer: &mut impl Observer<G::Move>,
    ) -> Option<Report<G::Move>> {
        let mut moves = self.root_moves(position, allowed);
        let first = moves.first()?.mv;
        self.set_root_side(position.side_to_move());
        self.table.age();
        self.path.clear();
        self.path.push(position.key());
        let deepest = limits.depth.clamp(1, MAX_PLY - 1);
        let last_ply = self.knowledge.plies_to_end(position);
        let mut report =
            Report { best: first, score: 0, depth: 0, nodes: 0, line: vec![first], proven: false };
        let mut run = TreeSearch {
            searcher: self,
            observer,
            nodes: 0,
            node_limit: limits.nodes,
            stopped: false,
        };
        let mut position = position.clone();
        for depth in 1..=deepest {
            run.iteration(&mut position, depth, &mut moves, &mut report);
            report.nodes = run.nodes;
            if run.stopped {
                break;
            }
            report.depth = depth;
            report.proven = distance_to_end(report.score).is_some_and(|plies| plies <= depth)
                || (last_ply.is_some_and(|plies| plies <= depth)
                    && run.searcher.mode == Mode::FullWidth);
            run.observer.iteration(&report);
            if run.observer.wants_stop()
                || report.proven
                || last_ply.is_some_and(|plies| plies <= depth)
            {
                break;
            }
        }
        Some(report)
    }

    fn root_moves(&self, position: &G, allowed: &[G::Move]) -> Vec<RootMove<G::Move>> {
        let mut moves: Vec<_> = allowed.iter().map(|&mv| RootMove { mv, nodes: 0 }).collect();
        moves.sort_by_key(|root| -self.knowledge.order(position, root.mv));
        moves
    }
}

impl<G: Game, K: Knowledge<G>, O: Observer<G::Move>> TreeSearch<'_, G, K, O> {
    /// The aspiration window opens around the last score and widens until the value lies within it.
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
            // Fail low or fail high: widen the window on that side and search again.
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

    /// Searches the root. The report always holds the best move so far, even when the search is
    /// stopped halfway: the best move of the last iteration is searched first.
    fn root(
        &mut self,
        position: &mut G,
        depth: u32,
        mut window: Window,
        moves: &mut [RootMove<G::Move>],
        report: &mut Report<G::Move>,
    ) -> Score {
        let mut best = -INFINITY;
        for number in 0..moves.len() {
            let mv = moves[number].mv;
            let before = self.nodes;
            let undo = position.play(mv);
            let score = self.search_child(position, depth - 1, window, 0, number);
            position.undo(mv, undo);
            if self.stopped {
                return best;
            }
            moves[number].nodes = self.nodes - before;
            if score > best {
                best = score;
                if score > window.alpha {
                    window.alpha = score;
                    self.searcher.update_line(mv, 0);
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
        // Order the other moves for the next iteration by the size of their subtrees: those that
        // cost most were hardest to refute.
        moves[1..].sort_by_key(|root| std::cmp::Reverse(root.nodes));
        best
    }
}
