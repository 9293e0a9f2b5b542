//! Facts about a Wolves and Sheep position for the analysis: exact values, counts, and why a game
//! ended.

use crate::board::around;
use crate::evaluate::tunable;
use crate::oracle::{Known, Oracle};
use crate::rules::{Move, Position, SHEEP_LOST, WOLVES};
use engine::{Count, Game, Proven, Side};
use std::sync::OnceLock;

/// The oracle with the tables of the default directory and the outcomes in the program.
fn oracle() -> &'static Oracle {
    static ORACLE: OnceLock<Oracle> = OnceLock::new();
    ORACLE.get_or_init(|| Oracle::new(None))
}

/// The exact value of a position if the tables or the program have it, and a move that
/// keeps it: the shortest known win or the longest known loss.
pub(crate) fn proven(position: &Position) -> Option<Proven<Move>> {
    let oracle = oracle();
    let known = oracle.ask(position)?;
    let side = position.side_to_move();
    let result = known.result_for(side);
    let plies = |known: Known| known.plies().map_or(0, |plies| plies as i32 * result);
    let kept = position.legal_moves().into_iter().filter_map(|mv| {
        let (_, after) = oracle.ask_after(position, mv);
        after.filter(|after| after.result_for(side) == result).map(|after| (mv, plies(after)))
    });
    let best = kept.min_by_key(|&(_, plies)| plies).map(|(mv, _)| mv);
    let source =
        if matches!(known, Known::Value(_)) { "the exact table" } else { "the stored outcomes" };
    Some(Proven { outcome: known.outcome(), plies: known.plies(), best, source })
}

/// The counts of sheep and of empty squares next to wolves.
pub(crate) fn counts(position: &Position, side: Side) -> Vec<Count> {
    let is_wolves = side == WOLVES;
    let empty = position.empty();
    let count = |what, number: u32, more_is_better, worth| Count {
        what,
        number: number as i32,
        more_is_better,
        worth,
    };
    vec![
        count("sheep left", position.sheep().len(), !is_wolves, tunable::SHEEP),
        count(
            "empty squares next to a wolf",
            (around(position.wolves()) & empty).len(),
            is_wolves,
            tunable::FREEDOM,
        ),
    ]
}

/// Explains why a finished game ended; `None` while it goes on.
pub(crate) fn ending(position: &Position) -> Option<String> {
    position.outcome()?;
    Some(if position.sheep().len() <= SHEEP_LOST {
        format!("{} sheep are left", position.sheep().len())
    } else if !around(position.wolves()).meets(position.empty()) {
        "no wolf has an empty square next to it".to_string()
    } else {
        "no sheep can move".to_string()
    })
}
