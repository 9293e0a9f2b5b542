//! Plain searches: alpha-beta and random games over positions whose estimates come one at a time,
//! and minimax over estimates that come many at a time.

use crate::position::Position;
use anyhow::{Context, Result, ensure};
use engine::{Outcome, Side};
use std::ops::Range;

/// A certain result, more than any estimate counts.
const DECIDED: f64 = 1e9;

/// The best move by alpha-beta of one ply at least, the first of equals, and its value for the side
/// to move; `estimate` is the value of a position for its side to move. Sooner wins are worth more.
pub fn alpha_beta(
    position: &Position,
    depth: u32,
    estimate: &dyn Fn(&Position) -> Result<f64>,
) -> Result<(u32, f64)> {
    let tree = AlphaBetaTree { root: position.side_to_move(), estimate };
    let (best, value) = tree.value(position, depth, 0, (f64::NEG_INFINITY, f64::INFINITY))?;
    Ok((best.context("a position without a move")?, value))
}

struct AlphaBetaTree<'a> {
    root: Side,
    estimate: &'a dyn Fn(&Position) -> Result<f64>,
}

impl AlphaBetaTree<'_> {
    /// The best move, if one was looked for, and the value for the root's side, exact only between
    /// the bounds.
    fn value(
        &self,
        position: &Position,
        depth: u32,
        ply: u32,
        (mut low, mut high): (f64, f64),
    ) -> Result<(Option<u32>, f64)> {
        let is_own = position.side_to_move() == self.root;
        if let Some(outcome) = position.outcome() {
            let (side, value) = match outcome {
                Outcome::Margin(difference) => (Side::First, f64::from(difference)),
                Outcome::Win(winner) => (winner, DECIDED - f64::from(ply)),
                Outcome::Draw => (self.root, 0.0),
            };
            return Ok((None, if side == self.root { value } else { -value }));
        }
        if depth == 0 {
            let value = (self.estimate)(position)?;
            return Ok((None, if is_own { value } else { -value }));
        }
        let mut best = (None, if is_own { f64::NEG_INFINITY } else { f64::INFINITY });
        for code in position.codes() {
            let after = position.clone().play(code)?;
            let (_, value) = self.value(&after, depth - 1, ply + 1, (low, high))?;
            let is_better = if is_own { value > best.1 } else { value < best.1 };
            if best.0.is_none() || is_better {
                best = (Some(code), value);
            }
            if is_own {
                low = low.max(value);
            } else {
                high = high.min(value);
            }
            if low >= high {
                break;
            }
        }
        Ok(best)
    }
}

const MOST_NODES: usize = 1_000_000;

/// The result of [`minimax`].
pub struct Minimaxed {
    /// The best line, whose first move is the first of equals.
    pub line: Vec<u32>,
    /// The expected result of the side to move, from 0 (a loss) to 1 (a win).
    pub expected: f64,
    /// The number of positions that were evaluated.
    pub evaluated: usize,
}

/// A position of the tree, and the expected result for its side to move, from 0 to 1.
struct Valued {
    position: Position,
    code: u32,
    children: Range<usize>,
    value: f64,
    best: Option<usize>,
}

/// Full-width minimax of `depth` plies. `evaluate` gets at most `batch` leaves and returns the
/// expected result of each for its side to move, from 0 to 1. `poll` is called before moves are
/// made; its error ends the search, as a tree too large for this function or the memory does.
pub fn minimax(
    root: &Position,
    depth: u32,
    batch: usize,
    evaluate: &dyn Fn(Vec<Position>) -> Result<Vec<f64>>,
    poll: &dyn Fn() -> Result<()>,
) -> Result<Minimaxed> {
    let node = |position, code| Valued { position, code, children: 0..0, value: 0.5, best: None };
    let mut nodes = vec![node(root.clone(), 0)];
    let (mut layer, mut leaves) = (0..1, Vec::new());
    for ply in 0..=depth {
        let begin = nodes.len();
        for place in layer.clone() {
            poll()?;
            let position = nodes[place].position.clone();
            if let Some(outcome) = position.outcome() {
                nodes[place].value = result_for(position.side_to_move(), outcome.winner());
                continue;
            }
            if ply == depth {
                leaves.try_reserve(1)?;
                leaves.push(place);
                continue;
            }
            let (first, codes) = (nodes.len(), position.codes());
            nodes.try_reserve(codes.len())?;
            for code in codes {
                nodes.push(node(position.clone().play(code)?, code));
            }
            nodes[place].children = first..nodes.len();
            ensure!(
                nodes.len() <= MOST_NODES,
                "depth: more than {MOST_NODES} positions within {depth} plies"
            );
        }
        layer = begin..nodes.len();
    }
    for chunk in leaves.chunks(batch) {
        poll()?;
        let mut positions = Vec::new();
        positions.try_reserve_exact(chunk.len())?;
        positions.extend(chunk.iter().map(|&place| nodes[place].position.clone()));
        let values = evaluate(positions)?;
        ensure!(
            values.len() == chunk.len(),
            "evaluate: expected {} numbers, found {}",
            chunk.len(),
            values.len()
        );
        for (&place, value) in chunk.iter().zip(values) {
            ensure!(
                (0.0..=1.0).contains(&value),
                "evaluate: expected numbers from 0 to 1, found {value}"
            );
            nodes[place].value = value;
        }
    }
    for place in (0..nodes.len()).rev() {
        let side = nodes[place].position.side_to_move();
        for child in nodes[place].children.clone() {
            // A side may move twice in a row where the other has to pass.
            let is_same = nodes[child].position.side_to_move() == side;
            let value = if is_same { nodes[child].value } else { 1.0 - nodes[child].value };
            if nodes[place].best.is_none() || value > nodes[place].value {
                (nodes[place].value, nodes[place].best) = (value, Some(child));
            }
        }
    }
    let line = std::iter::successors(nodes[0].best, |&place| nodes[place].best);
    let line: Vec<u32> = line.map(|place| nodes[place].code).collect();
    ensure!(!line.is_empty(), "no legal move");
    Ok(Minimaxed { line, expected: nodes[0].value, evaluated: leaves.len() })
}

fn result_for(side: Side, winner: Option<Side>) -> f64 {
    winner.map_or(0.5, |winner| f64::from(u8::from(winner == side)))
}

/// The most plies of a random game, which is then a draw.
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
    /// The mean result for the side that makes the move, from 0 to 1.
    pub fn mean(self) -> f64 {
        if self.games == 0 { 0.5 } else { self.result / f64::from(self.games) }
    }
}

/// The fewest random games in a guess, and the most guesses.
const GAMES_A_GUESS: u32 = 10;
const MOST_GUESSES: u32 = 100;

/// Monte Carlo tree search with upper confidence bounds (UCT; Kocsis and Szepesvári 2006): what
/// `games` random games say of each legal move. `below` returns a random index below a number;
/// `is_enough` ends the games. Where something is hidden, the games are divided among guesses
/// (determinization); without guesses all say the same of one move at random. Where both sides move
/// at the same time, the other side's move is one at random.
pub fn monte_carlo(
    position: &Position,
    games: u32,
    below: &mut dyn FnMut(usize) -> usize,
    is_enough: &mut dyn FnMut() -> bool,
) -> Result<Vec<Tried>> {
    let moves = position.codes().len();
    let games_a_guess = GAMES_A_GUESS.max(2 * moves as u32);
    let count = (games / games_a_guess).clamp(1, MOST_GUESSES);
    let guesses = position.guesses(count, &mut || below(1 << 31) as u32)?;
    let Some(guesses) = guesses else {
        return monte_carlo_seeing(position, games, below, is_enough);
    };
    let mut all = vec![Tried::default(); moves];
    if guesses.is_empty() && moves > 0 {
        all[below(moves)] = Tried { games, result: f64::from(games) / 2.0 };
    }
    for (guess, index) in guesses.iter().zip(0..) {
        let share = games * (index + 1) / count - games * index / count;
        for (all, tried) in all.iter_mut().zip(monte_carlo_seeing(guess, share, below, is_enough)?)
        {
            all.games += tried.games;
            all.result += tried.result;
        }
    }
    Ok(all)
}

/// [`monte_carlo`] in a position of which all is known.
fn monte_carlo_seeing(
    position: &Position,
    games: u32,
    below: &mut dyn FnMut(usize) -> usize,
    is_enough: &mut dyn FnMut() -> bool,
) -> Result<Vec<Tried>> {
    let mut tree = vec![Node::new(position.clone())];
    for _ in 0..games {
        if is_enough() {
            break;
        }
        let (mut at, mut path) = (0, vec![0]);
        while tree[at].position.outcome().is_none() {
            let next = tree.len();
            let node = &mut tree[at];
            if !node.untried.is_empty() {
                let index = node.untried.swap_remove(below(node.untried.len()));
                let after = node.position.clone().play(node.codes[index])?;
                node.children.push((index, next));
                path.push(next);
                tree.push(Node::new(after));
                break;
            }
            // A move of the same moment is answered by chance: its side does not see it.
            at = match at != 0 && node.position.is_second_half() {
                true => node.children[below(node.children.len())].1,
                false => best_child(&tree, at),
            };
            path.push(at);
        }
        let last = path[path.len() - 1];
        let first_side = playout(tree[last].position.clone(), below)?;
        // Each node counts for the side that chose it, the mover of the node above.
        for pair in path.windows(2) {
            let is_first = tree[pair[0]].position.side_to_move() == Side::First;
            let tried = &mut tree[pair[1]].tried;
            tried.games += 1;
            tried.result += if is_first { first_side } else { 1.0 - first_side };
        }
        tree[0].tried.games += 1;
    }
    let mut found = vec![Tried::default(); tree[0].codes.len()];
    for &(index, child) in &tree[0].children {
        found[index] = tree[child].tried;
    }
    Ok(found)
}

struct Node {
    position: Position,
    codes: Vec<u32>,
    /// The indices of moves without a child.
    untried: Vec<usize>,
    children: Vec<(usize, usize)>,
    tried: Tried,
}

impl Node {
    fn new(position: Position) -> Node {
        let codes = position.codes();
        let untried = (0..codes.len()).collect();
        Node { position, codes, untried, children: Vec::new(), tried: Tried::default() }
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

/// Plays random moves to the end; the first side's result, from 0 to 1.
fn playout(mut position: Position, below: &mut dyn FnMut(usize) -> usize) -> Result<f64> {
    for ply in 0..LONGEST_PLAYOUT {
        if let Some(outcome) = position.outcome() {
            return Ok(result_for(Side::First, outcome.winner()));
        }
        if ply == 0
            && let Some(winner) = position.played_out(&mut || below(1 << 31) as u32)
        {
            return Ok(result_for(Side::First, winner));
        }
        let codes = position.codes();
        let code = position.any_of(&codes, below);
        position = position.play(code)?;
    }
    Ok(0.5)
}
