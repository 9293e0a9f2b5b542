//! `wolves --explain`: the worth of each legal move.

use crate::Evaluation;
use crate::oracle::Oracle;
use crate::rules::{Move, Position};
use engine::score::distance_to_end;
use engine::search::{Limits, Mode, NoControl, Score, Searcher};
use engine::{Game, Protocol};

/// Nodes for a move of which nothing is known, unless limits are given.
const NODES: u64 = 200_000;
/// The search's table, in bytes.
const TABLE: usize = 16 << 20;

/// The worth of a move to the side that makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Worth {
    /// The result (1, 0 or -1), and the plies that are left after the move, if known.
    Known(i32, Option<u32>),
    Estimate(Score),
}

impl Worth {
    /// A number to sort by: larger is better.
    fn order(self) -> i64 {
        const RESULT: i64 = 1 << 20;
        match self {
            Worth::Known(result, plies) => {
                // A length that is not known counts as longer than any other, for winners, and as shorter for losers.
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

/// A line for each legal move, the best first: as the output file has it, then its worth.
#[must_use]
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

fn worth(position: &Position, mv: Move, oracle: &Oracle, limits: Limits) -> Worth {
    let (next, known) = oracle.ask_after(position, mv);
    let side = position.side_to_move();
    if let Some(known) = known {
        let result = known.result_for(side);
        return Worth::Known(result, known.plies());
    }
    let mut searcher = Searcher::new(Evaluation, Mode::Selective, TABLE);
    let report = searcher.run(&next, limits, &mut NoControl).expect("the oracle knows finished games");
    match distance_to_end(report.score).filter(|_| report.proven) {
        Some(plies) => Worth::Known(if report.score < 0 { 1 } else { -1 }, Some(plies)),
        None => Worth::Estimate(-report.score),
    }
}
