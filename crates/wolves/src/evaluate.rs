//! What the search knows of Wolves and Sheep where no table and no stored strategy answers.

use crate::board::{Set, around, each, leaps, one};
use crate::rules::{Move, Position};
use engine::search::{Knowledge, Score, Selectivity};
use engine::{Game, Side};

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
fn space(from: Set, empty: Set) -> Set {
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
        let mut points = tunable::SHEEP * (15 - sheep.count_ones() as Score)
            + tunable::SPACE * space(position.wolves(), empty).count_ones() as Score;
        let mut threatened = 0;
        for wolf in each(position.wolves()) {
            let freedom = (around(one(wolf)) & empty).count_ones() as Score;
            points += if freedom == 0 { tunable::TRAPPED } else { tunable::FREEDOM * freedom };
            for leap in leaps(wolf).iter().filter(|leap| leap.between & empty != 0) {
                threatened |= one(leap.landing) & sheep;
            }
        }
        points += tunable::THREAT * threatened.count_ones() as Score;
        if position.side_to_move() == Side::First { points } else { -points }
    }

    /// Eating first, then steps by the side's own sense of closeness: sheep go where wolves are.
    fn order(&self, position: &Position, mv: Move) -> i32 {
        if mv.eats() {
            return 20_000;
        }
        let near = |square| (around(one(square)) & position.wolves()).count_ones() as i32;
        if position.side_to_move() == Side::First { 0 } else { 200 * (near(mv.to) - near(mv.from)) }
    }

    /// Eating.
    fn noisy(&self, position: &Position, out: &mut Vec<Move>) {
        if position.side_to_move() == Side::First {
            position.each_eating(|mv| out.push(mv));
        }
    }

    /// Pieces walk in circles until somebody errs.
    fn selectivity(&self) -> Selectivity {
        Selectivity { repetition_is_draw: true, ..Selectivity::NONE }
    }
}
