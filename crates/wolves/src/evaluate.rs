//! The evaluation, for positions without an exact value or a move of the stored strategy.

use crate::board::{Square, Squares, around};
use crate::rules::{MOST_SHEEP, Move, Position, WOLVES};
use engine::search::{Knowledge, Score, Selectivity};
use engine::{Game, Side};

/// The parameters of the evaluation, in points for the wolves.
pub(crate) mod tunable {
    use super::Score;

    /// Points for each sheep fewer than the 15 of the largest layout.
    pub(crate) const SHEEP: Score = 400;
    /// Points for each empty square next to a wolf.
    pub(crate) const FREEDOM: Score = 12;
    /// Points for each empty square that a wolf can reach by steps.
    pub(crate) const SPACE: Score = 9;
    /// Points for a wolf without an empty square next to it.
    pub(crate) const TRAPPED: Score = -90;
    /// Points for each sheep that a wolf could eat if it were its turn.
    pub(crate) const THREAT: Score = 25;
}

/// The evaluation and search parameters of the agent.
#[derive(Clone, Copy, Debug, Default)]
pub struct Evaluation;

/// The empty squares that a set's pieces can reach by steps.
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

/// The names of the parts of the evaluation.
const PARTS: [&str; 5] = [
    "sheep that are missing",
    "empty squares next to each wolf",
    "empty squares that wolves can walk to",
    "wolves without an empty square next to them",
    "sheep that a wolf could eat",
];

/// The parts of the evaluation, in points for the wolves. Inlined, since the search sums them at each
/// leaf.
#[inline(always)]
fn parts(position: &Position) -> [Score; PARTS.len()] {
    let (empty, sheep) = (position.empty(), position.sheep());
    let (mut freedom, mut trapped, mut threatened) = (0, 0, Squares::EMPTY);
    for wolf in position.wolves() {
        match (wolf.neighbours() & empty).len() as Score {
            0 => trapped += tunable::TRAPPED,
            free => freedom += tunable::FREEDOM * free,
        }
        for leap in wolf.leaps().iter().filter(|leap| empty.contains(leap.between)) {
            threatened |= Squares::one(leap.landing) & sheep;
        }
    }
    [
        tunable::SHEEP * (MOST_SHEEP - sheep.len()) as Score,
        freedom,
        tunable::SPACE * space(position.wolves(), empty).len() as Score,
        trapped,
        tunable::THREAT * threatened.len() as Score,
    ]
}

/// The parts of the evaluation for the side to move.
pub(crate) fn evaluation_parts(position: &Position) -> Vec<(&'static str, Score)> {
    let sign = if position.side_to_move() == WOLVES { 1 } else { -1 };
    PARTS.into_iter().zip(parts(position).map(|points| sign * points)).collect()
}

impl Knowledge<Position> for Evaluation {
    fn evaluate(&self, position: &Position) -> Score {
        let points = parts(position).iter().sum();
        if position.side_to_move() == WOLVES { points } else { -points }
    }

    /// Eating moves first, then the sheep's steps by how much closer to wolves they lead.
    fn order(&self, position: &Position, mv: Move) -> i32 {
        if mv.eats() {
            return 20_000;
        }
        let near = |square: Square| (square.neighbours() & position.wolves()).len() as i32;
        if position.side_to_move() == WOLVES { 0 } else { 200 * (near(mv.to) - near(mv.from)) }
    }

    fn noisy(&self, position: &Position, out: &mut Vec<Move>) {
        if position.side_to_move() == WOLVES {
            position.each_eating(|mv| out.push(mv));
        }
    }

    /// Pieces can walk in circles without end.
    fn selectivity(&self, _: Side) -> Selectivity {
        Selectivity { repetition_is_draw: true, ..Selectivity::NONE }
    }
}
