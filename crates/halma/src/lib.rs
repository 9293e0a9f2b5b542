//! Halma on 16 x 16 squares: the rules (`rules.rs`), the evaluation (`evaluate.rs`) and the file
//! formats (`protocol.rs`). The rules page is `docs/rules/halma.md`.
//!
//! ```
//! use engine::search::{Limits, Mode, Searcher};
//! use engine::Protocol;
//! use halma::board::WHITE;
//! use halma::{Evaluation, Position, Rules};
//!
//! let position = Position::initial(WHITE, Rules::Addendum);
//! let mut searcher = Searcher::new(Evaluation, Mode::FullWidth, 1 << 20);
//! let report = searcher.run(&position, Limits { depth: 3, ..Limits::default() }, &mut ()).unwrap();
//! println!("{}", position.describe_move(report.best));
//! ```

mod advice;
mod best_gain;
pub mod board;
mod default_tables;
pub mod evaluate;
mod evaluation_parts;
mod examine;
pub mod formula;
mod frontier;
mod insight;
pub mod jumps;
pub mod learned;
pub mod memory;
mod move_text;
pub mod network;
mod parity;
pub mod path;
mod protocol;
pub mod race;
pub mod rules;
mod square;
mod squares;
mod stage;
pub mod worth;

pub use evaluate::Evaluation;
pub use rules::{Move, Position, Rules};

use engine::clock::Budget;
use engine::search::{Knowledge, Score};
use engine::think::StoredResults;
use engine::{Advice, Ask, Count, Curve, Explain, Playable, Proven, Side, Task, TimeControl};
#[cfg(feature = "agent")]
use engine::{Game, think::Report};
use learned::Tables;
use memory::Memory;
use network::Network;

impl Playable for Position {
    type Knowledge = Evaluation;
    type Own = Memory;
    const STORES: &'static [StoredResults] =
        &[StoredResults { name: "network", provide: network::provide }];

    /// Returns a plan for the own army if there is one (`advice.rs`).
    fn advise(ask: &Ask<Position>) -> Advice<Move> {
        advice::advise(ask)
    }

    /// Returns a budget that spends the clock by the time the race begins (`clock_factor` in
    /// `evaluate.rs`), and that is enough to prove a win with the last pieces
    /// (`advice::least_search`).
    fn share(task: &Task<Position>, usual: Budget) -> Budget {
        match task.control {
            TimeControl::Single => usual,
            TimeControl::Game => {
                let scaled =
                    usual.scaled(evaluate::clock_factor(Evaluation.moves_left(&task.position)));
                advice::least_search(&task.position, scaled)
            }
        }
    }

    /// Returns the position with the worths for this root, and with the base rules for an opponent
    /// that stays in its camp ([`Tables::as_searched`]).
    fn as_searched(position: &Position) -> Position {
        Tables::in_use().as_searched(position, Network::known())
    }
}

impl Explain for Position {
    /// The curve of winning chances, fitted as docs/analysis.md says.
    const CURVE: Option<Curve> = Some(Curve { points: 462.0, first: 0.172, tempo: 11.0 });

    fn proven(position: &Position) -> Option<Proven<Move>> {
        insight::proven(position)
    }

    fn counts(position: &Position, side: Side) -> Vec<Count> {
        insight::counts(position, side)
    }

    fn evaluation_parts(position: &Position) -> Vec<(&'static str, Score)> {
        evaluation_parts::evaluation_parts(position)
    }
}

#[cfg(feature = "agent")]
impl engine::Agent for Position {
    type Extra = engine::agent::NoExtra;
    const EXAMPLE: &'static str = "\
Example: a file input.txt with 19 lines,
    SINGLE
    WHITE
    2.5
    BBBBB...........
    (15 more lines of 16 symbols W, B or .)
and the command
    halma -v
which thinks for 2.5 s of CPU time and leaves output.txt, one line for a step or one for each jump:
    J 14,13 12,11
    J 12,11 10,11
In a pipe: halma --input - --output - --nodes 100000 < input.txt
A side that has no legal move leaves an empty file.
In the turns of a game halma keeps in playdata.txt what they cost and, once its camp is left, the positions.
Exit code: 0 with a move left, 2 if the input or a file is bad (one line on standard error says why).";

    fn may_follow(position: &Position, key: u64) -> bool {
        memory::may_lead_to(key, position)
    }

    fn recall(own: &mut Memory, text: &str) {
        *own = Memory::read(text);
    }

    /// Positions with own pieces in the camp hardly ever come again, and are not kept.
    fn memory_after(own: &Memory, task: &Task<Position>, report: &Report<Move>) -> String {
        let side = task.position.side_to_move();
        let has_left = task.position.pieces(side).and(board::CAMPS[side.index()]).is_empty();
        if has_left {
            own.text_after(&task.position, report.best, &report.later)
        } else {
            String::new()
        }
    }
}
