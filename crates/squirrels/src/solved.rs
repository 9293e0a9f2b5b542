//! The competition player's exact move: the rest of the game solved within the clock.

use crate::evaluate::Evaluation;
use crate::exact::{Solver, Table};
use crate::rules::{Move, Position};
use engine::clock::{Budget, DEFAULT_HASH_MIB, cpu_time};
use engine::score::describe;
use engine::search::{Limits, Mode, Searcher, UntilCpu};
use engine::{Task, TimeControl};

/// CPU seconds within which half of the random boards with 20 empty squares are solved; docs/squirrels.md has the
/// figures. Only whether to try depends on it.
const SECONDS_AT_20: f64 = 3.2;
/// By how much one more empty square multiplies that.
const GROWTH: f64 = 3.0;
/// A solution that is expected to take more than this part of its time might not be found: a short search comes first.
const SAFE_PART: f64 = 0.1;
/// The most nodes of that search.
const SHORT_SEARCH: u64 = 150_000;

/// The part of the clock that a solution may take. In a game, each further one is cheaper by [`GROWTH`] squared, so
/// what is left is enough for all of them.
fn part(control: TimeControl) -> f64 {
    match control {
        TimeControl::Single => 0.75,
        TimeControl::Game => 0.6,
    }
}

/// The best move, if the rest can be solved in time. If it turns out that it cannot, the move of a short search where
/// the clock has been spent on it, and `None` where there is time left for a longer one. The table takes at most
/// `hash_mib`, or [`Table::LEAST_BYTES`] if that is more.
pub fn play(task: &Task<Position>, hash_mib: Option<u32>, budget: Budget) -> Option<(Move, String)> {
    let position = &task.position;
    let empty = position.empty().count_ones();
    let most_bytes = hash_mib.map_or(DEFAULT_HASH_MIB, |mib| mib as usize) << 20;
    let table_bytes = (Table::LEAST_BYTES << empty.saturating_sub(17).min(8)).min(most_bytes);
    let limit = budget.end.mul_f64(part(task.control));
    let expected = SECONDS_AT_20 * GROWTH.powi(empty as i32 - 20);
    let seconds = limit.saturating_sub(cpu_time()).as_secs_f64();
    if expected > seconds {
        return None;
    }
    // A single move has time left for a whole search instead.
    let spare = (task.control == TimeControl::Game && expected > seconds * SAFE_PART).then(|| {
        let limits = Limits { nodes: SHORT_SEARCH, ..Limits::default() };
        let mut control = UntilCpu(limit.div_f64(2.0));
        Searcher::new(Evaluation, Mode::Selective, 1 << 22).run(position, limits, &mut control)
    });
    let table = Table::new(table_bytes);
    let mut solver = Solver::new(position.values(), &table, 0, || cpu_time() >= limit);
    match solver.solve(position, |_, _| ()) {
        Some(solution) => {
            let value = describe(solution.value);
            let why = format!("solved, proven final difference {value}, {empty} empty, {} nodes", solver.nodes());
            Some((Move(solution.best), why))
        }
        None if task.control == TimeControl::Single => None,
        None => spare.flatten().map(|report| {
            let why = format!("not solved in time; depth {} score {}", report.depth, describe(report.score));
            (report.best, why)
        }),
    }
}
