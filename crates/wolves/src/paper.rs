//! The agent of the course paper, as an opponent (wolves.md, "The baseline from the course paper"): alpha-beta to depth
//! 4 as wolves and 3 as sheep, an evaluation of what changed since the root, and chance among equal moves.

use crate::board::{Square, Squares};
use crate::rules::{Move, Position, SHEEP, WOLVES};
use engine::{Game, Side};
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;

/// The paper's points for a won game.
const END: i32 = 100_000;
/// A bound above every value.
const INFINITY: i32 = 2 * END;

/// The numbers that the paper's evaluation takes from a board.
#[derive(Clone, Copy)]
struct Counts {
    sheep: i32,
    /// Sheep that a wolf could eat if it were its turn.
    threatened: i32,
    /// The sum of the steps from every sheep to every wolf.
    distances: i32,
    trapped_wolves: i32,
    /// Sides of wolves with no empty square.
    blocked_sides: i32,
}

impl Counts {
    fn of(position: &Position) -> Counts {
        let (wolves, sheep, empty) = (position.wolves(), position.sheep(), position.empty());
        let apart = |a: Square, b: Square| (a.x().abs_diff(b.x()) + a.y().abs_diff(b.y())) as i32;
        let mut threatened = Squares::EMPTY;
        let mut counts = Counts {
            sheep: sheep.len() as i32,
            threatened: 0,
            distances: sheep.into_iter().flat_map(|a| wolves.into_iter().map(move |b| apart(a, b))).sum(),
            trapped_wolves: 0,
            blocked_sides: 0,
        };
        for wolf in wolves {
            let free = (wolf.neighbours() & empty).len() as i32;
            counts.blocked_sides += 4 - free;
            counts.trapped_wolves += i32::from(free == 0);
            for leap in wolf.leaps().iter().filter(|leap| empty.contains(leap.between)) {
                threatened |= Squares::one(leap.landing) & sheep;
            }
        }
        counts.threatened = threatened.len() as i32;
        counts
    }
}

/// The paper's agent at one root.
struct Paper {
    side: Side,
    root: Counts,
}

impl Paper {
    fn evaluate(&self, position: &Position) -> i32 {
        let (now, root) = (Counts::of(position), self.root);
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

    fn node(&self, position: &mut Position, depth: u32, mut alpha: i32, mut beta: i32) -> i32 {
        if let Some(outcome) = position.outcome() {
            return if outcome.winner() == Some(self.side) { END } else { -END };
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
            if alpha >= beta {
                break;
            }
        }
        best
    }
}

/// The paper's move and its value. The position is not finished; the same seed gives the same move.
#[must_use]
pub fn play(position: &Position, seed: u64) -> (Move, i32) {
    let side = position.side_to_move();
    let paper = Paper { side, root: Counts::of(position) };
    let depth = if side == WOLVES { 4 } else { 3 };
    let mut moves = position.legal_moves();
    moves.shuffle(&mut StdRng::seed_from_u64(seed ^ position.key()));
    let mut position = *position;
    let mut best = (moves[0], -INFINITY);
    for mv in moves {
        let undo = position.play(mv);
        let value = paper.node(&mut position, depth - 1, best.1, INFINITY);
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

    /// The paper's search without pruning.
    fn minimax(paper: &Paper, position: &Position, depth: u32) -> i32 {
        if let Some(outcome) = position.outcome() {
            return if outcome.winner() == Some(paper.side) { END } else { -END };
        }
        if depth == 0 {
            return paper.evaluate(position);
        }
        let values = position.legal_moves().into_iter().map(|mv| {
            let mut next = *position;
            next.play(mv);
            minimax(paper, &next, depth - 1)
        });
        if position.side_to_move() == paper.side { values.max().unwrap() } else { values.min().unwrap() }
    }

    #[test]
    fn pruning_keeps_the_value() {
        let mut position = Position::layout(Layout::Figure1);
        for seed in 0..30 {
            if position.outcome().is_some() {
                break;
            }
            let paper = Paper { side: position.side_to_move(), root: Counts::of(&position) };
            let depth = if paper.side == WOLVES { 4 } else { 3 };
            let (mv, value) = play(&position, seed);
            assert_eq!(value, minimax(&paper, &position, depth));
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
