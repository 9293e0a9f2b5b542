//! What the search knows of FoxGame beyond the rules.

use crate::rules::{Play, Position};
use engine::search::{Knowledge, Score};
use engine::{Game, Side};

/// The evaluation.
#[derive(Clone, Copy, Debug)]
pub struct Evaluation;

impl Knowledge<Position> for Evaluation {
    fn evaluate(&self, position: &Position) -> Score {
        let board = position.board();
        let fox = 300 * board.foxes.count_ones() as Score - 100 * board.sheep.count_ones() as Score;
        if position.side_to_move() == Side::First { fox } else { -fox }
    }

    fn order(&self, _: &Position, play: Play) -> i32 {
        20_000 * play.captured.count_ones() as i32
    }

    fn noisy(&self, position: &Position, out: &mut Vec<Play>) {
        if position.side_to_move() == Side::First {
            position.board().captures(out);
        }
    }
}
