//! Plain searches for games whose type is not known: to a depth with the rules' own estimate, and by random games.

use crate::position::{AnyMove, Position};
use anyhow::{Context, Result};
use engine::{Outcome, Side};
use rand::{Rng, RngExt};

/// A result that is certain, in points of an estimate: more than any estimate counts.
const DECIDED: f64 = 1e9;

/// The best move by a search to a depth of at least one ply, and its value for the side to move; `estimate` is the value of a
/// position for the side to move. The first of equal moves counts. Wins that come sooner are worth more.
///
/// # Errors
/// The rules fail, or have no estimate.
pub fn search_to_depth(
    position: &Position,
    depth: u32,
    prune: bool,
    estimate: &dyn Fn(&Position) -> Result<f64>,
) -> Result<(AnyMove, f64)> {
    let mut best: Option<(usize, f64)> = None;
    for index in 0..position.legal_count() {
        let lowest = if prune { best.map_or(f64::NEG_INFINITY, |(_, value)| value) } else { f64::NEG_INFINITY };
        let after = position.after_index(index)?;
        let tree = Tree { root: position.side_to_move(), prune, estimate };
        let value = tree.value(&after, depth - 1, 1, (lowest, f64::INFINITY))?;
        if best.is_none_or(|(_, known)| value > known) {
            best = Some((index, value));
        }
    }
    let (index, value) = best.context("a position without a move")?;
    Ok((position.legal_moves().swap_remove(index), value))
}

struct Tree<'a> {
    root: Side,
    prune: bool,
    estimate: &'a dyn Fn(&Position) -> Result<f64>,
}

impl Tree<'_> {
    /// The value for the root's side. With pruning it is exact only between the two bounds.
    fn value(&self, position: &Position, depth: u32, ply: u32, (mut low, mut high): (f64, f64)) -> Result<f64> {
        let own = position.side_to_move() == self.root;
        if let Some(outcome) = position.outcome() {
            let decided = DECIDED - f64::from(ply);
            return Ok(match (outcome, outcome.winner()) {
                (Outcome::Margin(difference), _) if self.root == Side::First => f64::from(difference),
                (Outcome::Margin(difference), _) => -f64::from(difference),
                (_, Some(winner)) => {
                    if winner == self.root {
                        decided
                    } else {
                        -decided
                    }
                }
                (_, None) => 0.0,
            });
        }
        if depth == 0 {
            let value = (self.estimate)(position)?;
            return Ok(if own { value } else { -value });
        }
        let mut best = if own { f64::NEG_INFINITY } else { f64::INFINITY };
        for index in 0..position.legal_count() {
            let value = self.value(&position.after_index(index)?, depth - 1, ply + 1, (low, high))?;
            if own {
                best = best.max(value);
                low = low.max(value);
            } else {
                best = best.min(value);
                high = high.min(value);
            }
            if self.prune && low >= high {
                break;
            }
        }
        Ok(best)
    }
}

/// The most plies of a random game, which then counts as a draw.
const LONGEST_PLAYOUT: u32 = 1_000;

/// The results of random games after a legal move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tried {
    /// The number of games that began with the move.
    pub games: u32,
    /// The sum of their results for the side to move: 1 a win, 1/2 a draw.
    pub result: f64,
}

impl Tried {
    /// The mean result for the side that makes the move, from 0 to 1; 1/2 without a game.
    pub fn mean(self) -> f64 {
        if self.games == 0 { 0.5 } else { self.result / f64::from(self.games) }
    }
}

/// Monte Carlo tree search with upper confidence bounds (UCT; Kocsis and Szepesvári 2006) and random games to their end.
/// Returns what `games` of them say of each legal move, in the order of the moves.
///
/// # Errors
/// The rules fail.
pub fn monte_carlo(position: &Position, games: u32, random: &mut impl Rng) -> Result<Vec<Tried>> {
    let mut tree = vec![Node::new(position.clone())];
    for _ in 0..games {
        let (mut at, mut path) = (0, vec![0]);
        // Down the tree, to a move that has not been tried.
        while tree[at].position.outcome().is_none() {
            let next = tree.len();
            let node = &mut tree[at];
            if !node.untried.is_empty() {
                let index = node.untried.swap_remove(random.random_range(0..node.untried.len()));
                let after = node.position.after_index(index)?;
                node.children.push((index, next));
                path.push(next);
                tree.push(Node::new(after));
                break;
            }
            at = best_child(&tree, at);
            path.push(at);
        }
        let last = path[path.len() - 1];
        let first_side = playout(tree[last].position.clone(), random)?;
        // Each node counts for the side that chose it, the mover of the node above.
        for pair in path.windows(2) {
            let is_first = tree[pair[0]].position.side_to_move() == Side::First;
            let tried = &mut tree[pair[1]].tried;
            tried.games += 1;
            tried.result += if is_first { first_side } else { 1.0 - first_side };
        }
        tree[0].tried.games += 1;
    }
    let mut found = vec![Tried::default(); position.legal_count()];
    for &(index, child) in &tree[0].children {
        found[index] = tree[child].tried;
    }
    Ok(found)
}

struct Node {
    position: Position,
    /// The moves that have no child yet, by their index.
    untried: Vec<usize>,
    /// The index of a move, and of its node.
    children: Vec<(usize, usize)>,
    tried: Tried,
}

impl Node {
    fn new(position: Position) -> Node {
        let untried = if position.outcome().is_some() { Vec::new() } else { (0..position.legal_count()).collect() };
        Node { position, untried, children: Vec::new(), tried: Tried::default() }
    }
}

fn best_child(tree: &[Node], at: usize) -> usize {
    let log = f64::from(tree[at].tried.games.max(1)).ln();
    let bound = |child: usize| {
        let tried = tree[child].tried;
        tried.mean() + (2.0 * log / f64::from(tried.games.max(1))).sqrt()
    };
    let children = tree[at].children.iter().map(|&(_, child)| child);
    children.max_by(|&one, &other| bound(one).total_cmp(&bound(other))).unwrap_or(at)
}

/// Plays random moves to the end of the game. Returns the first side's result: 1 a win, 1/2 a draw.
fn playout(mut position: Position, random: &mut impl Rng) -> Result<f64> {
    for _ in 0..LONGEST_PLAYOUT {
        if let Some(outcome) = position.outcome() {
            return Ok(outcome.winner().map_or(0.5, |winner| if winner == Side::First { 1.0 } else { 0.0 }));
        }
        position = position.after_index(random.random_range(0..position.legal_count()))?;
    }
    Ok(0.5)
}
