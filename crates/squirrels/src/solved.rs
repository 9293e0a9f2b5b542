//! The competition player's exact move: the rest of the game solved within the clock.

use crate::evaluate::Evaluation;
use crate::exact::{Solver, Table};
use crate::rules::{Move, Position};
use engine::clock::Budget;
use engine::score::describe;
use engine::search::{Control, Limits, Mode, Report, Searcher};
use engine::{Advice, Ask, Task, TimeControl};
use std::time::Duration;

/// CPU seconds within which half of the random boards with 20 empty squares are solved; docs/squirrels.md has the
/// figures. Only whether to try depends on it.
const SECONDS_AT_20: f64 = 0.7;
/// The factor by which one more empty square multiplies [`SECONDS_AT_20`].
const GROWTH: f64 = 3.0;
/// The part of its time that a solution may be expected to take without a short search first, for the case that it is
/// not found.
const SAFE_PART: f64 = 0.1;
/// The solutions' time that searches keep back, in multiples of what the first of them is expected to need: some boards take
/// three times as long as most.
const RESERVE: f64 = 2.0;
/// The part of a game's clock that searches keep back for solutions at most. The exact part begins later where it would
/// need more: the first moves matter most.
const LARGEST_RESERVE: f64 = 0.5;
/// The part of what is left of a game's clock that searches may plan with: boards that are hard to solve take the rest.
const PLANNED: f64 = 0.85;
/// What each later move costs besides, in seconds: the start of a process, and the first touch of its table.
const SECONDS_A_MOVE: f64 = 0.01;
/// The most nodes of the short search before a solution that might not be found.
const SHORT_SEARCH: u64 = 150_000;

/// The most empty squares for which the table is as large as it can use where no size is asked for: 144 MiB.
const MOST_UNASKED: u32 = 21;

/// The part of the clock that a solution may take. In a game, each further one is cheaper by [`GROWTH`] squared, so
/// what is left is enough for all of them.
fn part(control: TimeControl) -> f64 {
    match control {
        TimeControl::Single => 0.75,
        TimeControl::Game => 0.6,
    }
}

/// CPU seconds within which half of the boards with this number of empty squares are solved.
fn expected_seconds(empty: u32) -> f64 {
    SECONDS_AT_20 * GROWTH.powi(empty as i32 - 20)
}

/// The budget of a search before the exact part of a game: what a solution leaves of the clock that begins as early as it
/// can, shared out over the moves until then, but never less than the usual. Nothing is left to later moves that they
/// could use: they are solved.
pub(crate) fn share(task: &Task<Position>, usual: Budget) -> Budget {
    let (empty, left) = (task.position.empty().len(), usual.end.saturating_sub(usual.begun));
    if task.control == TimeControl::Single {
        return usual;
    }
    let fixed = f64::from(empty / 2) * SECONDS_A_MOVE;
    let free = left.as_secs_f64() * PLANNED - fixed;
    let reserve = |empty| expected_seconds(empty) / part(TimeControl::Game) * RESERVE;
    // Two squares fewer at each own move.
    let Some(searches) = (1..=empty / 2).find(|&moves| reserve(empty - 2 * moves) <= free * LARGEST_RESERVE) else {
        return usual;
    };
    let share = (free - reserve(empty - 2 * searches)).max(0.0) / f64::from(searches);
    let end = usual.begun + Duration::from_secs_f64(share);
    Budget { soft: usual.soft.max(end), hard: usual.hard.max(end), ..usual }
}

/// The best move, if the rest can be solved in time. If it turns out that it cannot, the move of a short search where
/// the clock has been spent on it, and nothing where there is time left for a longer one. The table takes at most what
/// the settings allow, or [`Table::LEAST_BYTES`] if that is more.
pub(crate) fn advise(ask: &Ask<Position>, budget: Budget) -> Advice<Move> {
    let (position, control) = (&ask.task.position, ask.task.control);
    let empty = position.empty().len();
    let most_bytes = ask.settings.hash_mib.map_or(Table::bytes_for(MOST_UNASKED), |mib| (mib as usize) << 20);
    let table_bytes = Table::bytes_for(empty).min(most_bytes);
    let limit = budget.end.mul_f64(part(control));
    let expected = expected_seconds(empty);
    let seconds = limit.saturating_sub(ask.used()).as_secs_f64();
    if expected > seconds {
        return Advice::Nothing;
    }
    // A single move has time left for a whole search instead.
    let spare = (control == TimeControl::Game && expected > seconds * SAFE_PART).then(|| {
        let limits = Limits { nodes: SHORT_SEARCH, ..Limits::default() };
        let mut until = Until { ask, limit: limit.div_f64(2.0) };
        Searcher::new(Evaluation::Learned, Mode::Selective, 1 << 22).run(position, limits, &mut until)
    });
    let table = Table::for_empty(position.empty(), table_bytes);
    let mut solver = Solver::new(position.values(), &table, || ask.used() >= limit);
    match solver.solve(position, |_, _| ()) {
        Some(solution) => {
            let (value, nodes) = (describe(solution.value), solver.nodes());
            let why = format!("known: solved, proven final difference {value}, {empty} empty, {nodes} nodes");
            Advice::Move(Move(solution.best), why)
        }
        None if control == TimeControl::Single => Advice::Nothing,
        None => spare.flatten().map_or(Advice::Nothing, |report| {
            let why = format!("not solved in time: depth {} score {}", report.depth, describe(report.score));
            Advice::Move(report.best, why)
        }),
    }
}

/// A control that ends a search at a limit of the clock.
struct Until<'a> {
    ask: &'a Ask<'a, Position>,
    limit: Duration,
}

impl Control<Move> for Until<'_> {
    fn stop_now(&mut self) -> bool {
        self.ask.used() >= self.limit
    }

    fn stop_after(&mut self, _: &Report<Move>) -> bool {
        self.stop_now()
    }
}
