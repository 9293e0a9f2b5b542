//! The exact values of positions, from the tables and from the outcomes in the program.

use crate::embedded;
use crate::rules::Position;
use crate::table::Tablebase;
use crate::value::Value;
use engine::{Game, Outcome, Side};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// Whether table files exist on this platform: not in a browser.
const HAS_FILES: bool = cfg!(not(target_arch = "wasm32"));

/// The exact value of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// The winner, or a draw.
    pub outcome: Outcome,
    /// The plies to the end of a win or loss, if they are known.
    pub plies: Option<u32>,
    /// The source of the value, in words that fit after "by".
    pub source: &'static str,
}

impl Known {
    /// 1 for a win of this side, 0 for a draw, -1 for a loss.
    pub fn result_for(self, view: Side) -> i32 {
        match self.outcome.winner() {
            None => 0,
            Some(side) if side == view => 1,
            Some(_) => -1,
        }
    }
}

/// A source of exact values: tables, the outcomes in the program, and the rules for finished games.
#[derive(Debug)]
pub struct Oracle {
    tables: Option<Tablebase>,
}

impl Oracle {
    /// An oracle with the tables of a directory, or of the default one ([`Tablebase::find`]).
    /// Prints one line on standard error for each file that is refused.
    pub fn new(tables: Option<&Path>) -> Oracle {
        let find = || Tablebase::find(tables, |error| eprintln!("{error}"));
        Oracle { tables: HAS_FILES.then(find) }
    }

    /// The exact value of a position, if it is known.
    pub fn ask(&self, position: &Position) -> Option<Known> {
        let tables = self.tables.as_ref().filter(|_| HAS_FILES);
        if let Some(value) = tables.and_then(|tables| tables.value(position)) {
            let plies = match value {
                Value::Draw => None,
                Value::Win { plies, .. } => Some(plies),
            };
            return Some(Known { outcome: value.outcome(), plies, source: "the exact table" });
        }
        let plies = position.outcome().map(|_| 0);
        let outcome = embedded::outcome(position)?;
        Some(Known { outcome, plies, source: "the stored outcomes" })
    }

    /// The position after a move, and its exact value if it is known.
    pub fn ask_after(&self, position: &Position, mv: crate::Move) -> (Position, Option<Known>) {
        let next = position.after(mv);
        (next, self.ask(&next))
    }
}

/// The settings that only this game has. Clones share the oracle.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// The directory of the exact tables; the default directory if `None`.
    pub tables: Option<PathBuf>,
    /// Whether exact values are used even if a depth or a number of nodes is given.
    pub always: bool,
    /// The oracle, created on first use.
    pub oracle_cell: Arc<OnceLock<Oracle>>,
}

impl Sources {
    /// The oracle of these settings.
    pub fn oracle(&self) -> &Oracle {
        self.oracle_cell.get_or_init(|| Oracle::new(self.tables.as_deref()))
    }
}
