//! What the search knows of Wolves and Sheep where no table and no stored strategy answers.

use crate::board::{Square, Squares, around};
use crate::rules::{MOST_SHEEP, Move, Position, WOLVES};
use engine::Game;
use engine::search::{Knowledge, Score, Selectivity};

/// Every number of the evaluation, in points for the wolves.
mod tunable {
    use super::Score;

    /// For each sheep that is missing from the 15 of the largest layout.
    pub const SHEEP: Score = 400;
    /// For each empty square next to a wolf.
    pub const FREEDOM: Score = 12;
    /// For each empty square that wolves can walk to.
    pub const SPACE: Score = 9;
    /// For a wolf without an empty square next to it.
    pub const TRAPPED: Score = -90;
    /// For each sheep that a wolf could eat if it were its turn.
    pub const THREAT: Score = 25;
}

/// The knowledge that the agent plays with.
#[derive(Clone, Copy, Debug, Default)]
pub struct Evaluation;

/// The empty squares that a set's pieces can walk to.
fn space(from: Squares, empty: Squares) -> Squares {
    let mut reached = around(from) & empty;
    loop {
        let more = reached | around(reached) & empty;
        if more == reached {
            return reached;
        }
        reached = more;
    }
}

impl Knowledge<Position> for Evaluation {
    fn evaluate(&self, position: &Position) -> Score {
        let (empty, sheep) = (position.empty(), position.sheep());
        let mut points = tunable::SHEEP * (MOST_SHEEP - sheep.len()) as Score
            + tunable::SPACE * space(position.wolves(), empty).len() as Score;
        let mut threatened = Squares::EMPTY;
        for wolf in position.wolves() {
            let freedom = (wolf.neighbours() & empty).len() as Score;
            points += if freedom == 0 { tunable::TRAPPED } else { tunable::FREEDOM * freedom };
            for leap in wolf.leaps().iter().filter(|leap| empty.contains(leap.between)) {
                threatened |= Squares::one(leap.landing) & sheep;
            }
        }
        points += tunable::THREAT * threatened.len() as Score;
        if position.side_to_move() == WOLVES { points } else { -points }
    }

    /// Eating first, then steps by the side's own sense of closeness: sheep go where wolves are.
    fn order(&self, position: &Position, mv: Move) -> i32 {
        if mv.eats() {
            return 20_000;
        }
        let near = |square: Square| (square.neighbours() & position.wolves()).len() as i32;
        if position.side_to_move() == WOLVES { 0 } else { 200 * (near(mv.to) - near(mv.from)) }
    }

    /// Eating moves.
    fn noisy(&self, position: &Position, out: &mut Vec<Move>) {
        if position.side_to_move() == WOLVES {
            position.each_eating(|mv| out.push(mv));
        }
    }

    /// Pieces walk in circles until somebody errs.
    fn selectivity(&self) -> Selectivity {
        Selectivity { repetition_is_draw: true, ..Selectivity::NONE }
    }
}
