//! Squirrels on 5 x 5 valued squares. The rules are in `docs/rules/squirrels.md`.
//!
//! - `rules.rs`: positions and moves; `board.rs`, `values.rs`, `sums.rs`: squares, their values,
//!   sums of values
//! - `evaluate.rs`, `features.rs`: the evaluation
//! - `protocol.rs`: the competition's files; `homework/`: the homework's files
//! - `exact/`: the exact solver; `full_solve.rs`: solutions of whole games with it;
//!   `exact_move.rs`: solutions within an agent's clock
//!
//! ```
//! use engine::Game;
//! use squirrels::exact::{Solver, Table};
//! use squirrels::{Move, homework};
//!
//! let text = "3\nX\n2\n20 16 1 32 30\n20 12 2 11 8\n28 48 9 1 1\n20 12 10 6 2\n25 30 23 21 10\n\
//!             XOXX*\nOOXOX\nXO*O*\nX*OO*\nXXOO*\n";
//! let homework::Homework::Move { position, .. } = homework::read(text).unwrap() else {
//!     unreachable!()
//! };
//! let table = Table::for_empty(position.empty(), Table::LEAST_BYTES);
//! let mut solver = Solver::new(position.values(), &table, |_, _| false);
//! let solution = solver.solve(&position, |_, _| ()).unwrap();
//! assert!(position.is_legal(Move(solution.best)));
//! ```

pub mod board;
pub mod evaluate;
pub mod exact;
mod exact_move;
mod examine;
pub mod features;
pub mod full_solve;
pub mod homework;
mod protocol;
pub mod rules;
pub mod sums;
mod values;

pub use evaluate::Evaluation;
pub use protocol::board_lines;
pub use rules::{Move, Position};

#[cfg(feature = "agent")]
use engine::agent::{AgentError, Options};
use engine::clock::Budget;
use engine::think::LimitKind;
use engine::{Advice, Ask, Count, Curve, Explain, Game, Outcome, Playable, Proven, Side, Task};
use exact::{Solver, Table};
use protocol::place;
#[cfg(feature = "agent")]
use std::process::ExitCode;

impl Playable for Position {
    type Knowledge = Evaluation;
    type Own = ();

    fn knowledge((): &(), limit: LimitKind) -> Evaluation {
        match limit {
            LimitKind::Count => Evaluation::Difference,
            LimitKind::Clock => Evaluation::Learned,
        }
    }

    fn share(task: &Task<Position>, usual: Budget) -> Budget {
        exact_move::share(task, usual)
    }

    fn advise(ask: &Ask<Position>) -> Advice<Move> {
        ask.budget.map_or(Advice::Nothing, |budget| exact_move::advise(ask, budget))
    }
}

/// The most empty squares with which an analysis solves a position: half of the boards take less than
/// 40 ms of CPU.
const MOST_ANALYSED: u32 = 16;

impl Explain for Position {
    /// Fitted as docs/analysis.md says.
    const CURVE: Option<Curve> = Some(Curve { points: 24.0, first: 0.510, tempo: 0.0 });

    fn proven(position: &Position) -> Option<Proven<Move>> {
        let empty = position.empty().len();
        if empty > MOST_ANALYSED {
            return None;
        }
        let table = Table::for_empty(position.empty(), 2 * Table::LEAST_BYTES);
        let mut solver = Solver::new(position.values(), &table, |_, _| false);
        let solution = solver.solve(position, |_, _| ())?;
        let sign = if position.side_to_move() == Side::First { 1 } else { -1 };
        Some(Proven {
            outcome: Outcome::Margin(sign * solution.value),
            plies: Some(empty),
            best: Some(Move(solution.best)),
            source: "solving the rest of the game",
        })
    }

    fn counts(position: &Position, side: Side) -> Vec<Count> {
        let count = |what, side, more_is_better| {
            let squares = position.pieces(side).into_iter().map(place);
            Count::new(what, position.points(side), more_is_better, 1).on(squares)
        };
        vec![count("points", side, true), count("points of the opponent", side.other(), false)]
    }
}

/// The options of this agent alone.
#[cfg(feature = "agent")]
#[derive(clap::Args, Clone, Debug, Default)]
pub struct Extra {
    /// Homework format: end lines with CR LF
    #[arg(long)]
    pub crlf: bool,

    /// Homework format: write next_state.txt only, no traverse_log.txt
    #[arg(long)]
    pub no_log: bool,
}

#[cfg(feature = "agent")]
impl engine::Agent for Position {
    type Extra = Extra;
    const EXAMPLE: &'static str = "\
Example of the competition form: a file input.txt with 13 lines,
    SINGLE
    X
    2.5
    20 16 1 32 30     (and 4 more lines of 5 values from 0 to 10000)
    **XX*             (and 4 more lines of 5 symbols *, X or O)
and the command
    squirrels -v
which thinks for at most 2.5 s of CPU time and leaves output.txt, the square taken and the board after it:
    C3 Raid
    **XX*             (and 4 more lines)
Once the rest of the game can be solved within the clock, the move is exact, and -v says so.

Homework form: line 1 is the task (1 greedy, 2 minimax, 3 alpha-beta, 4 battle), and so on:
    squirrels -i input.txt
leaves next_state.txt and traverse_log.txt (tasks 1 to 3) or trace_state.txt (task 4) in the current directory.
Of the options, -i, --crlf and --no-log count there.
Exit code: 0 with the files left, 2 if the input or a file is bad (one line on standard error says why).";

    fn other_input(
        text: &str,
        options: &Options,
        extra: &Extra,
    ) -> Option<Result<ExitCode, AgentError>> {
        homework::is_homework(text).then(|| {
            let form = homework::Form { crlf: extra.crlf, log: !extra.no_log };
            homework::run(text, &options.input, form).map(|()| ExitCode::SUCCESS)
        })
    }
}
