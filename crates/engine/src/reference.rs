//! Plain minimax and alpha-beta in max/min form: the oracle of the tests, the judge's reference
//! opponents and, with an [`Observer`], the source of search logs for homework.
//!
//! They play the same moves on every machine: among equal moves the first listed is kept.

use crate::game::{Game, Side};
use crate::score::{Score, outcome_score};
use crate::search::{Observer, Visit};

/// The initial value of a max node.
pub const MINUS_INFINITY: Score = Score::MIN;
/// The initial value of a min node.
pub const PLUS_INFINITY: Score = Score::MAX;

/// The result of a reference search.
#[derive(Clone, Debug, PartialEq)]
pub struct ReferenceResult<M> {
    /// The best move, the first of equals; `None` if the game is over or the depth is 0.
    pub best: Option<M>,
    /// The value, from the view of the side to move.
    pub value: Score,
    /// The number of nodes, root and leaves included.
    pub nodes: u64,
}

/// Searches `depth` plies by plain minimax. `evaluate` is the estimate for the side to move of a
/// leaf.
pub fn minimax<G: Game>(
    position: &G,
    depth: u32,
    evaluate: impl Fn(&G) -> Score,
    observer: &mut impl Observer<G::Move>,
) -> ReferenceResult<G::Move> {
    search(position, depth, evaluate, observer, false)
}

/// Like [`minimax`], by plain alpha-beta without move ordering: the same value and move.
pub fn alpha_beta<G: Game>(
    position: &G,
    depth: u32,
    evaluate: impl Fn(&G) -> Score,
    observer: &mut impl Observer<G::Move>,
) -> ReferenceResult<G::Move> {
    search(position, depth, evaluate, observer, true)
}

/// The move that is best one ply ahead.
pub fn greedy<G: Game>(position: &G, evaluate: impl Fn(&G) -> Score) -> ReferenceResult<G::Move> {
    minimax(position, 1, evaluate, &mut ())
}

fn search<G: Game>(
    position: &G,
    depth: u32,
    evaluate: impl Fn(&G) -> Score,
    observer: &mut impl Observer<G::Move>,
    prune: bool,
) -> ReferenceResult<G::Move> {
    let mut tree = Tree {
        root: position.side_to_move(),
        evaluate,
        observer,
        prune,
        nodes: 0,
        moves: Vec::new(),
    };
    let (value, best) =
        tree.node(&mut position.clone(), None, 0, depth, (MINUS_INFINITY, PLUS_INFINITY));
    ReferenceResult { best, value, nodes: tree.nodes }
}

struct Tree<'a, G: Game, E, O> {
    root: Side,
    evaluate: E,
    observer: &'a mut O,
    prune: bool,
    nodes: u64,
    moves: Vec<G::Move>,
}

impl<G: Game, E: Fn(&G) -> Score, O: Observer<G::Move>> Tree<'_, G, E, O> {
    /// The value of a node, from the root's view, and its best move.
    fn node(
        &mut self,
        position: &mut G,
        mv: Option<G::Move>,
        ply: u32,
        depth: u32,
        window: (Score, Score),
    ) -> (Score, Option<G::Move>) {
        self.nodes += 1;
        let maximizes = position.side_to_move() == self.root;
        let outcome = position.outcome();
        let mut value = match outcome {
            Some(outcome) => outcome_score(outcome, self.root, ply),
            None if depth == 0 => {
                let estimate = (self.evaluate)(position);
                if maximizes { estimate } else { -estimate }
            }
            None if maximizes => MINUS_INFINITY,
            None => PLUS_INFINITY,
        };
        self.observer.visit(Visit { mv, ply, value, window });
        if outcome.is_some() || depth == 0 {
            return (value, None);
        }
        let (mut alpha, mut beta) = window;
        let mut best = None;
        let start = self.moves.len();
        position.moves(&mut self.moves);
        for index in start..self.moves.len() {
            let child_move = self.moves[index];
            let undo = position.play(child_move);
            let window = (alpha, beta);
            let (child, _) = self.node(position, Some(child_move), ply + 1, depth - 1, window);
            position.undo(child_move, undo);
            if (maximizes && child > value) || (!maximizes && child < value) || best.is_none() {
                value = child;
                best = Some(child_move);
            }
            let cut = self.prune && if maximizes { value >= beta } else { value <= alpha };
            if self.prune && !cut {
                if maximizes {
                    alpha = alpha.max(value);
                } else {
                    beta = beta.min(value);
                }
            }
            self.observer.visit(Visit { mv, ply, value, window: (alpha, beta) });
            if cut {
                break;
            }
        }
        self.moves.truncate(start);
        (value, best)
    }
}
