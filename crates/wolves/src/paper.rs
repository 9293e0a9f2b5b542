//! The agent of the course paper, as a reference player: alpha-beta to depth 4 as wolves and 3 as sheep, with an
//! evaluation of the changes since the root and a random choice among equal moves.

use crate::board::{Square, Squares};
use crate::rules::{Move, Position, SHEEP, WOLVES};
use engine::{Game, Side};
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;

/// The paper's score of a won game.
const WON: i32 = 100_000;
/// A bound above every score.
const INFINITY: i32 = 2 * WON;

/// The features that the paper's evaluation takes from a board.
#[derive(Clone, Copy)]
struct Features {
    sheep: i32,
    /// Sheep that a wolf could eat if it were its turn.
    threatened: i32,
    /// The sum of the steps from every sheep to every wolf.
    distances: i32,
    trapped_wolves: i32,
    /// Sides of wolves without an empty square next to them.
    blocked_sides: i32,
}

impl Features {
    fn of(position: &Position) -> Features {
        let (wolves, sheep, empty) = (position.wolves(), position.sheep(), position.empty());
        let apart = |a: Square, b: Square| (a.x().abs_diff(b.x()) + a.y().abs_diff(b.y())) as i32;
        let mut threatened = Squares::EMPTY;
        let mut features = Features {
            sheep: sheep.len() as i32,
            threatened: 0,
            distances: sheep.into_iter().flat_map(|a| wolves.into_iter().map(move |b| apart(a, b))).sum(),
            trapped_wolves: 0,
            blocked_sides: 0,
        };
        for wolf in wolves {
            let free = (wolf.neighbours() & empty).len() as i32;
            features.blocked_sides += 4 - free;
            features.trapped_wolves += i32::from(free == 0);
            for leap in wolf.leaps().iter().filter(|leap| empty.contains(leap.between)) {
                threatened |= Squares::one(leap.landing) & sheep;
            }
        }
        features.threatened = threatened.len() as i32;
        features
    }
}

/// The paper's agent for the search from one root.
struct PaperAgent {
    side: Side,
    root: Features,
}

impl PaperAgent {
    /// Evaluates a leaf for the agent's side by the changes since the root.
    fn evaluate(&self, position: &Position) -> i32 {
        let (now, root) = (Features::of(position), self.root);
        let eaten = root.sheep - now.sheep;
        let closer = root.distances - now.distances;
        match self.side {
            WOLVES => 500 * eaten + 300 * now.threatened + 20 * closer,
            SHEEP => {
                -20_000 * eaten
                    + 4_000 * (now.trapped_wolves - root.trapped_wolves)
                    + 800 * (now.blocked_sides - root.blocked_sides)
                    - 100 * closer
                    - now.threatened
            }
        }
    }

    /// Returns the score of a position for the agent's side by alpha-beta search.
    fn node(&self, position: &mut Position, depth: u32, mut alpha: i32, mut beta: i32) -> i32 {
        if let Some(outcome) = position.outcome() {
            return if outcome.winner() == Some(self.side) { WON } else { -WON };
        }
        if depth == 0 {
            return self.evaluate(position);
        }
        let own_turn = position.side_to_move() == self.side;
        let mut best = if own_turn { -INFINITY } else { INFINITY };
        for mv in position.legal_moves() {
            let undo = position.play(mv);
            let value = self.node(position, depth - 1, alpha, beta);
            position.undo(mv, undo);
            if own_turn {
                best = best.max(value);
                alpha = alpha.max(value);
            } else {
                best = best.min(value);
                beta = beta.min(value);
            }
            // Alpha-beta cutoff.
            if alpha >= beta {
                break;
            }
        }
        best
    }
}

/// Returns the paper's move and its score. The position must not be finished; the same seed gives the same move.
pub fn play(position: &Position, seed: u64) -> (Move, i32) {
    let side = position.side_to_move();
    let agent = PaperAgent { side, root: Features::of(position) };
    let depth = if side == WOLVES { 4 } else { 3 };
    let mut moves = position.legal_moves();
    moves.shuffle(&mut StdRng::seed_from_u64(seed ^ position.key()));
    let mut position = *position;
    let mut best = (moves[0], -INFINITY);
    for mv in moves {
        let undo = position.play(mv);
        let value = agent.node(&mut position, depth - 1, best.1, INFINITY);
        position.undo(mv, undo);
        if value > best.1 {
            best = (mv, value);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Layout;

    /// Returns the score of the paper's search without pruning.
    fn minimax(agent: &PaperAgent, position: &Position, depth: u32) -> i32 {
        if let Some(outcome) = position.outcome() {
            return if outcome.winner() == Some(agent.side) { WON } else { -WON };
        }
        if depth == 0 {
            return agent.evaluate(position);
        }
        let values = position.legal_moves().into_iter().map(|mv| {
            let mut next = *position;
            next.play(mv);
            minimax(agent, &next, depth - 1)
        });
        if position.side_to_move() == agent.side { values.max().unwrap() } else { values.min().unwrap() }
    }

    #[test]
    fn pruning_keeps_the_value() {
        let mut position = Position::layout(Layout::Figure1);
        for seed in 0..30 {
            if position.outcome().is_some() {
                break;
            }
            let agent = PaperAgent { side: position.side_to_move(), root: Features::of(&position) };
            let depth = if agent.side == WOLVES { 4 } else { 3 };
            let (mv, value) = play(&position, seed);
            assert_eq!(value, minimax(&agent, &position, depth));
            position.play(mv);
        }
    }

    #[test]
    fn a_hungry_wolf_eats_and_seeds_differ() {
        let hungry = Position::new("0,0".parse().unwrap(), "2,0 0,4 1,4 2,4".parse().unwrap(), WOLVES);
        assert!(play(&hungry, 1).0.eats());
        let start = Position::layout(Layout::Figure1);
        assert_eq!(play(&start, 7), play(&start, 7));
        let moves: Vec<Move> = (0..40).map(|seed| play(&start, seed).0).collect();
        assert!(moves.iter().any(|&other| other != moves[0]), "chance decides among equals");
    }
}
