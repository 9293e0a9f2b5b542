//! The legal moves with their worths, printed by `wolves --explain`.

use crate::Evaluation;
use crate::oracle::Oracle;
use crate::rules::{Move, Position};
use engine::score::distance_to_end;
use engine::search::{Limits, Mode, Searcher};
use engine::{Game, Protocol};

/// The node limit for a move without an exact value, unless limits are given.
const NODES: u64 = 200_000;
const TABLE_BYTES: usize = 16 << 20;

/// One line for each legal move, the best first: the move as in an output file, then its worth.
pub fn explain(position: &Position, oracle: &Oracle, limits: Option<Limits>) -> String {
    let limits = limits.unwrap_or(Limits { nodes: NODES, ..Limits::default() });
    let line = |mv| {
        let (order, worth) = worth(position, mv, oracle, limits);
        (-order, format!("{} {worth}\n", position.write_move(mv).trim_end()))
    };
    let mut lines: Vec<(i64, String)> = position.legal_moves().into_iter().map(line).collect();
    lines.sort_by_key(|line| line.0);
    lines.into_iter().map(|line| line.1).collect()
}

/// The worth of a move for the side that makes it, in words, and a number by which to order: larger
/// is better.
fn worth(position: &Position, mv: Move, oracle: &Oracle, limits: Limits) -> (i64, String) {
    let (next, known) = oracle.ask_after(position, mv);
    let (result, plies) = if let Some(known) = known {
        (known.result_for(position.side_to_move()), known.plies)
    } else {
        let mut searcher = Searcher::new(Evaluation, Mode::Selective, TABLE_BYTES);
        let report = searcher.run(&next, limits, &mut ()).expect("the oracle knows finished games");
        match distance_to_end(report.score).filter(|_| report.proven) {
            Some(plies) => (-report.score.signum(), Some(plies)),
            None => return (i64::from(-report.score), format!("estimate {:+}", -report.score)),
        }
    };
    let words = match result {
        0 => return (0, "draw -".to_string()),
        1 => "win",
        _ => "loss",
    };
    // An unknown length counts as longer than any other for a win, and as shorter for a loss.
    const RESULT: i64 = 1 << 20;
    let quickness = RESULT / 2 - plies.map_or(1 << 18, i64::from);
    let length = plies.map_or("?".to_string(), |plies| plies.to_string());
    (i64::from(result) * (RESULT + quickness), format!("{words} {length}"))
}
