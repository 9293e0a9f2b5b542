//! Values of positions that are known for certain: from the tables where there are any, and from the outcomes in
//! the program.

use crate::embedded;
use crate::rules::Position;
use crate::table::Tables;
use crate::value::Value;
use engine::{Game, Outcome, Side};
use std::path::Path;

/// Whether there are files: not in a browser, where what reads them would be a dead weight.
const HAS_FILES: bool = cfg!(not(target_arch = "wasm32"));

/// The value of a position with best play, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// The winner, or a draw, and the plies to the end.
    Value(Value),
    /// The winner, or a draw; the plies to the end are not known.
    Outcome(Outcome),
}

impl Known {
    /// The result for a side: 1 for a win, 0 for a draw, -1 for a loss.
    #[must_use]
    pub fn result_for(self, view: Side) -> i32 {
        let outcome = match self {
            Known::Value(value) => value.outcome(),
            Known::Outcome(outcome) => outcome,
        };
        match outcome.winner() {
            None => 0,
            Some(side) if side == view => 1,
            Some(_) => -1,
        }
    }

    /// Plies to the end, for a win or loss of known length.
    #[must_use]
    pub fn plies(self) -> Option<u32> {
        match self {
            Known::Value(Value::Win { plies, .. }) => Some(plies),
            _ => None,
        }
    }
}

/// The sources of certain values: tables, outcomes in the program, and the rules for finished games.
#[derive(Debug)]
pub struct Oracle {
    tables: Option<Tables>,
    /// Whether the outcomes in the program count.
    stored: bool,
}

impl Oracle {
    /// An oracle with the tables of a directory, or of the usual places ([`Tables::find`]), and the outcomes in the
    /// program. Each file that is refused is a line on standard error.
    #[must_use]
    pub fn new(tables: Option<&Path>) -> Oracle {
        let find = || Tables::find(tables, |error| eprintln!("{error}"));
        Oracle { tables: HAS_FILES.then(find), stored: true }
    }

    /// An oracle that knows what is stored in the program, and no files.
    #[must_use]
    pub fn stored() -> Oracle {
        Oracle { tables: None, stored: true }
    }

    /// An oracle that knows finished games only.
    #[must_use]
    pub fn ignorant() -> Oracle {
        Oracle { tables: None, stored: false }
    }

    /// Whether this oracle knows finished games only.
    #[must_use]
    pub fn is_ignorant(&self) -> bool {
        self.tables.is_none() && !self.stored
    }

    /// The value of a position; `None` if it is not known.
    #[must_use]
    pub fn ask(&self, position: &Position) -> Option<Known> {
        if let Some(value) = Value::of_end(position) {
            return Some(Known::Value(value));
        }
        let tables = self.tables.as_ref().filter(|_| HAS_FILES);
        let value = tables.and_then(|tables| tables.value(position)).map(Known::Value);
        value.or_else(|| if self.stored { embedded::outcome(position).map(Known::Outcome) } else { None })
    }

    /// The position after a move, and its value if it is known.
    #[must_use]
    pub fn ask_after(&self, position: &Position, mv: crate::Move) -> (Position, Option<Known>) {
        let mut next = *position;
        next.play(mv);
        (next, self.ask(&next))
    }
}
