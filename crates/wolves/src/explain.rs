//! The list of legal moves with their worths, printed by `wolves --explain`.

use crate::Evaluation;
use crate::oracle::Oracle;
use crate::rules::{Move, Position};
use engine::score::distance_to_end;
use engine::search::{Limits, Mode, Score, Searcher};
use engine::{Game, Protocol};

/// The node limit for a move without an exact value, unless limits are given.
const NODES: u64 = 200_000;
/// The size of the transposition table, in bytes.
const TABLE_BYTES: usize = 16 << 20;

/// The worth of a move for the side that makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Worth {
    /// An exact result (1, 0 or -1), and the plies left after the move, if known.
    Known(i32, Option<u32>),
    /// A score of the search.
    Estimate(Score),
}

impl Worth {
    /// A sort key: larger is better.
    fn order(self) -> i64 {
        const RESULT: i64 = 1 << 20;
        match self {
            Worth::Known(result, plies) => {
                // An unknown length counts as longer than any other for a win, and as shorter for a
                // loss.
                let quickness = RESULT / 2 - plies.map_or(1 << 18, i64::from);
                i64::from(result) * (RESULT + quickness)
            }
            Worth::Estimate(score) => i64::from(score),
        }
    }

    fn text(self) -> String {
        match self {
            Worth::Known(0, _) => "draw -".to_string(),
            Worth::Known(result, plies) => {
                let plies = plies.map_or("?".to_string(), |plies| plies.to_string());
                format!("{} {plies}", if result > 0 { "win" } else { "loss" })
            }
            Worth::Estimate(score) => format!("estimate {score:+}"),
        }
    }
}

/// One line for each legal move, the best first: the move as in an output file, then its
/// worth.
pub fn explain(position: &Position, oracle: &Oracle, limits: Option<Limits>) -> String {
    let limits = limits.unwrap_or(Limits { nodes: NODES, ..Limits::default() });
    let mut lines: Vec<(i64, String)> = position
        .legal_moves()
        .into_iter()
        .map(|mv| {
            let worth = worth(position, mv, oracle, limits);
            (-worth.order(), format!("{} {}\n", position.write_move(mv).trim_end(), worth.text()))
        })
        .collect();
    lines.sort_by_key(|line| line.0);
    lines.into_iter().map(|line| line.1).collect()
}

/// The worth of a move: the oracle's value, or the result of a search.
fn worth(position: &Position, mv: Move, oracle: &Oracle, limits: Limits) -> Worth {
    let (next, known) = oracle.ask_after(position, mv);
    let side = position.side_to_move();
    if let Some(known) = known {
        let result = known.result_for(side);
        return Worth::Known(result, known.plies());
    }
    let mut searcher = Searcher::new(Evaluation, Mode::Selective, TABLE_BYTES);
    let report = searcher.run(&next, limits, &mut ()).expect("the oracle knows finished games");
    match distance_to_end(report.score).filter(|_| report.proven) {
        Some(plies) => Worth::Known(if report.score < 0 { 1 } else { -1 }, Some(plies)),
        None => Worth::Estimate(-report.score),
    }
}
