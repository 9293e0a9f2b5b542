//! What an analysis is told of FoxGame: what can be counted, and the evaluation part by part.

use crate::board::PEN;
use crate::evaluate::{PHASES, hanging_sheep, measure, phase};
use crate::feature::{COUNT, NAMES};
use crate::rules::{FOX, Position, SHEEP};
use crate::weights::WEIGHTS;
use engine::search::Score;
use engine::{Count, Game, Side};

/// Sheep, foxes, the pen, and sheep that hang.
pub(crate) fn counts(position: &Position, side: Side) -> Vec<Count> {
    let board = position.board();
    let count = |what, number: u32, more_is_better| Count { what, number: number as i32, more_is_better };
    vec![
        count("sheep left", board.sheep.len(), side == SHEEP),
        count("foxes left", board.foxes.len(), side == FOX),
        count("sheep in the pen", (board.sheep & PEN).len(), side == SHEEP),
        count("sheep that can be jumped at once", hanging_sheep(board).len(), side == FOX),
    ]
}

/// What people call the parts, in the order of [`NAMES`].
const WORDS: [&str; NAMES.len()] = [
    "where the sheep stand",
    "where the foxes stand",
    "sheep that are gone",
    "only one fox is left",
    "sheep with open points on two opposite sides",
    "such sheep that a fox can walk to",
    "sheep that can be jumped at once",
    "more than one such sheep",
    "points that the foxes can walk to",
    "points of the pen that the foxes can walk to",
    "steps of the foxes",
    "foxes with one step at most",
    "steps of the sheep",
    "the sheep's turn",
    "the rest",
];

/// The parts of the evaluation. What rounding leaves over is in the last.
pub(crate) fn terms(position: &Position) -> Vec<(&'static str, Score)> {
    let board = position.board();
    let phase = phase(board);
    let mut sums = [0; NAMES.len()];
    let mut whole = 0;
    measure(board, position.side_to_move(), |feature, amount| {
        debug_assert!(feature < COUNT);
        let [early, late] = WEIGHTS[feature].map(|weight| i32::from(weight) * amount);
        let points = early * phase + late * (PHASES - phase);
        let part = NAMES.iter().rposition(|&(_, first)| first <= feature).unwrap_or_default();
        sums[part] += points;
        whole += points;
    });
    let mut parts = sums.map(|sum| sum / PHASES);
    parts[NAMES.len() - 1] += whole / PHASES - parts.iter().sum::<i32>();
    let sign = if position.side_to_move() == SHEEP { 1 } else { -1 };
    WORDS.into_iter().zip(parts.map(|part| sign * part)).filter(|&(_, part)| part != 0).collect()
}
