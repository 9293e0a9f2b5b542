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
/// (measured in `docs/squirrels.md`). They only decide whether to try.
const SECONDS_AT_20: f64 = 0.7;
/// The factor by which each further empty square multiplies [`SECONDS_AT_20`].
const GROWTH: f64 = 3.0;
/// The part of its time limit that a solution may be expected to take without a short search before
/// it. That search provides a move in case the solution is not found in time.
const SAFE_PART: f64 = 0.1;
/// The reserve that earlier searches leave to the solver, as a multiple of the time that the first
/// solution is expected to need. Some boards take three times as long as most.
const RESERVE: f64 = 2.0;
/// The largest part of a game's clock that is reserved for the solver. If a solution would need
/// more, the solver starts later in the game, because the first moves matter most.
const LARGEST_RESERVE: f64 = 0.5;
/// The part of the remaining clock of a game that the plan distributes. The rest is for boards that
/// are hard to solve.
const PLANNED: f64 = 0.85;
/// The fixed cost of each later move in CPU seconds: the start of a process and the first touch of
/// its table.
const SECONDS_A_MOVE: f64 = 0.01;
/// The node limit of the short search before a solution that may not finish in time.
const SHORT_SEARCH: u64 = 150_000;

/// The number of empty squares for which the largest default table is made: 144 MiB, as much as a
/// solution with so many empty squares can use.
const DEFAULT_TABLE_EMPTY: u32 = 21;

/// The part of the clock that a solution may take. In a game each further solution is cheaper by
/// [`GROWTH`] squared, so the rest is enough for all of them.
fn clock_part(control: TimeControl) -> f64 {
    match control {
        TimeControl::Single => 0.75,
        TimeControl::Game => 0.6,
    }
}

/// The estimated median of the CPU seconds that a solution takes with this number of empty squares.
fn expected_seconds(empty: u32) -> f64 {
    SECONDS_AT_20 * GROWTH.powi(empty as i32 - 20)
}

/// The budget of a search in the part of a game that is not solved yet. It keeps a reserve
/// for the earliest solution that the clock allows, divides the rest by the number of moves until
/// then, and never gives less than the usual budget. Later moves are solved and need nothing else.
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

/// The best move if the rest can be solved in time. If the solver runs out of time, it
/// returns the move of the short search if that has run, and nothing otherwise, so that the time
/// left is used for a normal search. The table takes at most what the settings allow, or
/// [`Table::LEAST_BYTES`] if that is more.
pub(crate) fn advise(ask: &Ask<Position>, budget: Budget) -> Advice<Move> {
    let (position, control) = (&ask.task.position, ask.task.control);
    let empty = position.empty().len();
    let most_bytes = ask
        .settings
        .hash_mib
        .map_or(Table::bytes_for(DEFAULT_TABLE_EMPTY), |mib| (mib as usize) << 20);
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
        Searcher::new(Evaluation::Learned, Mode::Selective, 1 << 22).run(
            position,
            limits,
            &mut || ask.used() >= half,
        )
    });
    let Some(table) = largest_table(ask, table_bytes) else { return Advice::Nothing };
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
            let why = format!(
                "not solved in time: depth {} score {}",
                report.depth,
                describe(report.score)
            );
            Advice::Move(report.best, why)
        }),
    }
}

/// Creates a table of `bytes`, or of half as many, a quarter and so on, whose memory can be had.
/// `None` if even the smallest cannot.
fn largest_table(ask: &Ask<Position>, bytes: usize) -> Option<Table> {
    let mut had = bytes;
    loop {
        if let Some(table) = Table::try_for_empty(ask.task.position.empty(), had) {
            if had < bytes {
                ask.has_smaller_table(bytes, had);
            }
            return Some(table);
        }
        if had <= Table::LEAST_BYTES {
            return None;
        }
        had = (had / 2).max(Table::LEAST_BYTES);
    }
}
