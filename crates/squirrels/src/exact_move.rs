//! Exact moves for the competition: solves the rest of the game within the clock.

use crate::evaluate::Evaluation;
use crate::exact::{Solver, Table};
use crate::rules::{Move, Position};
use engine::clock::Budget;
use engine::score::describe;
use engine::search::{Limits, Mode, Searcher};
use engine::{Advice, Ask, Task, TimeControl};
use std::time::Duration;

/// The CPU seconds within which half of the random boards with 20 empty squares are solved
/// (`docs/squirrels.md`). They only decide whether to try.
const SECONDS_AT_20: f64 = 0.7;
/// The factor of each further empty square.
const GROWTH: f64 = 3.0;
/// The part of its time limit that a solution may be expected to take without a short search before
/// it, which provides a move in case it is not found in time.
const SAFE_PART: f64 = 0.1;
/// The reserve for the first solution, as a multiple of its expected time: some boards take three
/// times as long as most.
const RESERVE: f64 = 2.0;
/// The largest part of a game's clock that is reserved. If a solution would need more, the solver
/// starts later in the game, because the first moves matter most.
const LARGEST_RESERVE: f64 = 0.5;
/// The part of the remaining clock of a game that the plan distributes; the rest is for hard
/// boards.
const PLANNED: f64 = 0.85;
/// The cost of each later move: the start of a process and the first touch of its table.
const SECONDS_A_MOVE: f64 = 0.01;
/// The node limit of the short search before a solution that may not finish in time.
const SHORT_SEARCH: u64 = 150_000;

/// The empty squares for which the largest default table is made: 144 MiB.
const DEFAULT_TABLE_EMPTY: u32 = 21;

/// The part of the clock that a solution may take. In a game each further solution is cheaper by
/// [`GROWTH`] squared, so the rest is enough for all of them.
fn clock_part(control: TimeControl) -> f64 {
    match control {
        TimeControl::Single => 0.75,
        TimeControl::Game => 0.6,
    }
}

/// The estimated median of the CPU seconds of a solution.
fn expected_seconds(empty: u32) -> f64 {
    SECONDS_AT_20 * GROWTH.powi(empty as i32 - 20)
}

/// The budget of a search in the part of a game that is not solved yet: it keeps a reserve for the
/// earliest solution that the clock allows, divides the rest by the moves until then, and never
/// gives less than the usual budget.
pub(crate) fn share(task: &Task<Position>, usual: Budget) -> Budget {
    let (empty, left) = (task.position.empty().len(), usual.end.saturating_sub(usual.begun));
    if task.control == TimeControl::Single {
        return usual;
    }
    let fixed = f64::from(empty / 2) * SECONDS_A_MOVE;
    let free = left.as_secs_f64() * PLANNED - fixed;
    let reserve = |empty| expected_seconds(empty) / clock_part(TimeControl::Game) * RESERVE;
    // There are two empty squares fewer at each own move.
    let Some(searches) =
        (1..=empty / 2).find(|&moves| reserve(empty - 2 * moves) <= free * LARGEST_RESERVE)
    else {
        return usual;
    };
    let share = (free - reserve(empty - 2 * searches)).max(0.0) / f64::from(searches);
    let end = usual.begun + Duration::from_secs_f64(share);
    Budget { soft: usual.soft.max(end), hard: usual.hard.max(end), ..usual }
}

/// The best move if the rest can be solved in time. Otherwise the move of the short search, if that
/// has run, or nothing, so that the time left is used for a normal search.
pub(crate) fn advise(ask: &Ask<Position>, budget: Budget) -> Advice<Move> {
    let (position, control) = (&ask.task.position, ask.task.control);
    let empty = position.empty().len();
    let default_bytes = Table::bytes_for(DEFAULT_TABLE_EMPTY);
    let most_bytes = ask.settings.hash_mib.map_or(default_bytes, |mib| (mib as usize) << 20);
    let table_bytes = Table::bytes_for(empty).min(most_bytes);
    let limit = budget.end.mul_f64(clock_part(control));
    let expected = expected_seconds(empty);
    let seconds = limit.saturating_sub(ask.used()).as_secs_f64();
    if expected > seconds {
        return Advice::Nothing;
    }
    // With `SINGLE`, a failed solution leaves time for a whole search, so no short search is
    // needed.
    let fallback = (control == TimeControl::Game && expected > seconds * SAFE_PART).then(|| {
        let limits = Limits { nodes: SHORT_SEARCH, ..Limits::default() };
        let half = limit.div_f64(2.0);
        let mut searcher = Searcher::new(Evaluation::Learned, Mode::Selective, 1 << 22);
        searcher.run(position, limits, &mut || ask.used() >= half)
    });
    let Some(table) = Table::try_for_empty(position.empty(), table_bytes) else {
        return Advice::Nothing;
    };
    // Sizes are powers of two: with the memory asked for, a table has more than half of it.
    if 2 * table.bytes() <= table_bytes {
        ask.has_smaller_table(table_bytes, table.bytes());
    }
    let mut solver = Solver::new(position.values(), &table, |_, _| ask.used() >= limit);
    match solver.solve(position, |_, _| ()) {
        Some(solution) => {
            let (value, nodes) = (describe(solution.value), solver.nodes());
            let why = format!(
                "known: solved, proven final difference {value}, {empty} empty, {nodes} nodes"
            );
            Advice::Move(Move(solution.best), why)
        }
        None if control == TimeControl::Single => Advice::Nothing,
        None => fallback.flatten().map_or(Advice::Nothing, |report| {
            let (depth, score) = (report.depth, describe(report.score));
            Advice::Move(report.best, format!("not solved in time: depth {depth} score {score}"))
        }),
    }
}
