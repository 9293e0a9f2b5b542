//! How a game or a turn ended: the words that records, tables and reports use.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The way in which a game ended. The words are those of fastchess and cutechess where they have one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Termination {
    /// By the rules.
    #[serde(rename = "normal")]
    Normal,
    /// More CPU time than the clock had.
    #[serde(rename = "time forfeit")]
    TimeForfeit,
    /// A move that the rules do not allow.
    #[serde(rename = "illegal move")]
    IllegalMove,
    /// An output file that does not have the form of a move.
    #[serde(rename = "bad format")]
    BadFormat,
    /// A good exit, and no output file.
    #[serde(rename = "no output")]
    NoOutput,
    /// An exit code other than 0 or a signal, and no move left.
    #[serde(rename = "crash")]
    Crash,
    /// Ended at the wall limit.
    #[serde(rename = "stall")]
    Stall,
    /// Files that take more space than a player may.
    #[serde(rename = "disk quota")]
    DiskQuota,
    /// A single position was answered with a legal move in time: nothing to win.
    #[serde(rename = "legal move", alias = "legal play")]
    LegalMove,
    /// The move limit was reached: a draw.
    #[serde(rename = "draw by move limit")]
    DrawByMoveLimit,
    /// The move limit was reached: the side with more time left wins.
    #[serde(rename = "time left at move limit")]
    TimeAtMoveLimit,
    /// A player gave up.
    #[serde(rename = "resignation")]
    Resigned,
    /// Both players saw nothing in the game any more: a draw.
    #[serde(rename = "draw by adjudication")]
    DrawByAdjudication,
}

impl Termination {
    /// The word for this end in records, tables and reports.
    pub const fn word(self) -> &'static str {
        match self {
            Termination::Normal => "normal",
            Termination::TimeForfeit => "time forfeit",
            Termination::IllegalMove => "illegal move",
            Termination::BadFormat => "bad format",
            Termination::NoOutput => "no output",
            Termination::Crash => "crash",
            Termination::Stall => "stall",
            Termination::DiskQuota => "disk quota",
            Termination::LegalMove => "legal move",
            Termination::DrawByMoveLimit => "draw by move limit",
            Termination::TimeAtMoveLimit => "time left at move limit",
            Termination::Resigned => "resignation",
            Termination::DrawByAdjudication => "draw by adjudication",
        }
    }
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// The fault of a player that left no move.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// The way in which the fault ends the game.
    pub termination: Termination,
    /// The reason for people, on one line.
    pub reason: String,
}

impl Fault {
    /// A fault and its reason.
    pub fn new(termination: Termination, reason: impl Into<String>) -> Fault {
        Fault { termination, reason: reason.into() }
    }
}
