//! Everything that is known for certain about positions: from the tables where there are any, and from the outcomes in
//! the program.

use crate::embedded;
use crate::rules::Position;
use crate::table::Tables;
use crate::value::Value;
use engine::{Game, Outcome, Side};
use std::path::Path;

/// What is known of a position with best play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// Who wins, and in how many plies.
    Value(Value),
    /// Who wins.
    Outcome(Outcome),
}

impl Known {
    /// 1 for a win of this side, 0 for a draw, -1 for a loss.
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

/// The sources.
#[derive(Debug)]
pub struct Oracle {
    tables: Option<Tables>,
    /// Whether the outcomes in the program count.
    stored: bool,
}

impl Oracle {
    /// With the tables of this directory, or of the usual places ([`Tables::find`]). Files that are refused are told of
    /// on standard error, one line each.
    #[must_use]
    pub fn new(tables: Option<&Path>) -> Oracle {
        Oracle { tables: Some(Tables::find(tables, |error| eprintln!("{error}"))), stored: true }
    }

    /// Knows what is stored in the program, and no files.
    #[must_use]
    pub fn stored() -> Oracle {
        Oracle { tables: None, stored: true }
    }

    /// Knows finished games only.
    #[must_use]
    pub fn ignorant() -> Oracle {
        Oracle { tables: None, stored: false }
    }

    /// Whether this oracle knows more than finished games.
    #[must_use]
    pub fn is_ignorant(&self) -> bool {
        self.tables.is_none() && !self.stored
    }

    /// What is known of a position.
    #[must_use]
    pub fn ask(&self, position: &Position) -> Option<Known> {
        if let Some(value) = Value::of_end(position) {
            return Some(Known::Value(value));
        }
        let value = self.tables.as_ref().and_then(|tables| tables.value(position)).map(Known::Value);
        value.or_else(|| if self.stored { embedded::outcome(position).map(Known::Outcome) } else { None })
    }

    /// What is known of the position after a move.
    #[must_use]
    pub fn ask_after(&self, position: &Position, mv: crate::Move) -> (Position, Option<Known>) {
        let mut next = *position;
        next.play(mv);
        (next, self.ask(&next))
    }
}
