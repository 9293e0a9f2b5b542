//! FoxGame's part of an analysis: won endings, counts of pieces, and the evaluation split into named
//! parts.

use crate::board::{PEN, PointSet};
use crate::endings::{advice, store::Endings};
use crate::evaluate::{PHASES, hanging_sheep, measure, phase};
use crate::feature;
use crate::protocol::spot;
use crate::rules::{FOX, Move, Position, SHEEP};
use crate::weights::WEIGHTS;
use engine::search::Score;
use engine::{Count, Game, Outcome, Proven, Side};
use std::sync::OnceLock;
use tables::usual_directory;

/// The winner of an ending, if the tables of the usual directory have it and the earlier boards
/// leave the win as it is.
pub(crate) fn proven(position: &Position) -> Option<Proven<Move>> {
    static ENDINGS: OnceLock<Endings> = OnceLock::new();
    let complain = |error: &tables::TableError| eprintln!("{error}");
    let endings = ENDINGS.get_or_init(|| Endings::new(usual_directory(None), complain));
    let (winner, best) = advice::proven(position, endings)?;
    let outcome = Outcome::Win(winner);
    Some(Proven { outcome, plies: None, best, source: "the tables of endings" })
}

/// The counts that an analysis shows.
pub(crate) fn counts(position: &Position, side: Side) -> Vec<Count> {
    let board = position.board();
    let left = |what, points: PointSet, is_own, worth| {
        Count::new(what, points.len() as i32, is_own, worth)
    };
    let on = |what, points: PointSet, more_is_better, worth| {
        Count::of(what, points.into_iter().map(spot), more_is_better, worth)
    };
    // The worths are about those that the weights of the evaluation have in the middle of a game.
    vec![
        left("sheep left", board.sheep, side == SHEEP, 130),
        left("foxes left", board.foxes, side == FOX, 700),
        on("sheep in the pen", board.sheep & PEN, side == SHEEP, 80),
        on("sheep that can be jumped at once", hanging_sheep(board), side == FOX, 30),
    ]
}

/// The parts of the evaluation by name, each with the number of its first feature.
const PARTS: [(&str, usize); 15] = [
    ("squares of the sheep", feature::SHEEP),
    ("squares of the foxes", feature::FOX),
    ("captured sheep", feature::LOST),
    ("only one fox is left", feature::ALONE),
    ("sheep with open points on two opposite sides", feature::OPEN),
    ("sheep with open points on two opposite sides that a fox can reach", feature::REACHED),
    ("sheep that can be jumped at once", feature::HANGING),
    ("more than one sheep that can be jumped at once", feature::FORK),
    ("points that the foxes can reach", feature::REGION),
    ("points of the pen that the foxes can reach", feature::REGION_IN_PEN),
    ("steps of the foxes", feature::FOX_STEPS),
    ("foxes with one step at most", feature::CRAMPED),
    ("steps of the sheep", feature::SHEEP_STEPS),
    ("sheep to move", feature::TURN),
    ("the constant, and rounding", feature::CONSTANT),
];

/// The parts of the evaluation that are not 0, for the side to move. The last part absorbs the
/// rounding error.
pub(crate) fn evaluation_parts(position: &Position) -> Vec<(&'static str, Score)> {
    let board = position.board();
    let phase = phase(board);
    let mut sums = [0; PARTS.len()];
    let mut whole = 0;
    measure(board, position.side_to_move(), |feature, amount| {
        let [early, late] = WEIGHTS[feature].map(|weight| i32::from(weight) * amount);
        let points = early * phase + late * (PHASES - phase);
        let part = PARTS.iter().rposition(|&(_, first)| first <= feature).unwrap_or_default();
        sums[part] += points;
        whole += points;
    });
    let mut parts = sums.map(|sum| sum / PHASES);
    parts[PARTS.len() - 1] += whole / PHASES - parts.iter().sum::<i32>();
    let sign = if position.side_to_move() == SHEEP { 1 } else { -1 };
    let named = PARTS.iter().zip(parts).map(|(&(name, _), part)| (name, sign * part));
    named.filter(|&(_, part)| part != 0).collect()
}
