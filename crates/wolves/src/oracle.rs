//! The exact values of positions, from the tables and from the outcomes in the program.

use crate::embedded;
use crate::rules::Position;
use crate::table::Tablebase;
use crate::value::Value;
use engine::{Game, Outcome, Side};
use std::path::Path;

/// Whether table files exist on this platform. In a browser they do not, and the code that reads
/// them is left out.
const HAS_FILES: bool = cfg!(not(target_arch = "wasm32"));

/// The exact value of a position with best play, with or without the distance to the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// The winner, or a draw, and the plies to the end.
    Value(Value),
    /// The winner, or a draw; the plies to the end are not known.
    Outcome(Outcome),
}

impl Known {
    /// The winner, or a draw.
    pub fn outcome(self) -> Outcome {
        match self {
            Known::Value(value) => value.outcome(),
            Known::Outcome(outcome) => outcome,
        }
    }

    /// The result for a side: 1 for a win, 0 for a draw, -1 for a loss.
    pub fn result_for(self, view: Side) -> i32 {
        match self.outcome().winner() {
            None => 0,
            Some(side) if side == view => 1,
            Some(_) => -1,
        }
    }

    /// The plies to the end of a win or loss of known length.
    pub fn plies(self) -> Option<u32> {
        match self {
            Known::Value(Value::Win { plies, .. }) => Some(plies),
            _ => None,
        }
    }
}

/// A source of exact values: tables, the outcomes in the program, and the rules for finished games.
#[derive(Debug)]
pub struct Oracle {
    tables: Option<Tablebase>,
}

impl Oracle {
    /// Creates an oracle with the tables of a directory, or of the default directory
    /// ([`Tablebase::find`]), and with the outcomes in the program. Prints one line on standard
    /// error for each file that is refused.
    pub fn new(tables: Option<&Path>) -> Oracle {
        let find = || Tablebase::find(tables, |error| eprintln!("{error}"));
        Oracle { tables: HAS_FILES.then(find) }
    }

    /// The exact value of a position; `None` if it is not known.
    pub fn ask(&self, position: &Position) -> Option<Known> {
        if let Some(value) = Value::of_end(position) {
            return Some(Known::Value(value));
        }
        let tables = self.tables.as_ref().filter(|_| HAS_FILES);
        let value = tables.and_then(|tables| tables.value(position)).map(Known::Value);
        value.or_else(|| embedded::outcome(position).map(Known::Outcome))
    }

    /// The position after a move, and its exact value if it is known.
    pub fn ask_after(&self, position: &Position, mv: crate::Move) -> (Position, Option<Known>) {
        let next = position.after(mv);
        (next, self.ask(&next))
    }
}
