//! How games and turns end, and the keywords for it in records, tables and reports.

use serde::{Deserialize, Serialize};
use std::fmt;

/// How a game ended, by the keywords of fastchess and cutechess where they have one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Termination {
    /// The rules ended the game.
    #[default]
    #[serde(rename = "normal")]
    Normal,
    /// Time forfeit: more CPU time used than the clock had.
    #[serde(rename = "time forfeit")]
    TimeForfeit,
    /// A move that the rules do not allow.
    #[serde(rename = "illegal move")]
    IllegalMove,
    /// An output file that does not have the format of a move.
    #[serde(rename = "bad format")]
    BadFormat,
    /// A successful exit without an output file.
    #[serde(rename = "no output")]
    NoOutput,
    /// An exit code other than 0, or a signal, and no move.
    #[serde(rename = "crash")]
    Crash,
    /// The player was killed at the wall-time limit.
    #[serde(rename = "stall")]
    Stall,
    /// The player's files exceeded the disk limit.
    #[serde(rename = "disk quota")]
    DiskQuota,
    /// The move of a one-move game, legal and in time; nobody wins.
    #[serde(rename = "legal move", alias = "legal play")]
    LegalMove,
    /// The game reached its move limit: a draw.
    #[serde(rename = "draw by move limit")]
    DrawByMoveLimit,
    /// The game reached its move limit: the side with more time left wins.
    #[serde(rename = "time left at move limit")]
    TimeAtMoveLimit,
    /// A player resigned by adjudication.
    #[serde(rename = "resignation")]
    Resigned,
    /// A draw by adjudication.
    #[serde(rename = "draw by adjudication")]
    DrawByAdjudication,
}

impl Termination {
    /// Whether the rules may have blamed the player for its output file.
    pub const fn is_by_output(self) -> bool {
        matches!(self, Termination::IllegalMove | Termination::BadFormat | Termination::Crash)
    }

    /// Whether the game was ended early, by what the players said of it.
    pub const fn is_adjudicated(self) -> bool {
        matches!(self, Termination::Resigned | Termination::DrawByAdjudication)
    }

    /// The keyword of this termination in records, tables and reports.
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

/// A fault of a player in a turn without a valid move.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// The termination of the game.
    pub termination: Termination,
    /// The reason, in one line.
    pub reason: String,
}

impl Fault {
    /// A fault and its reason.
    pub fn new(termination: Termination, reason: impl Into<String>) -> Fault {
        Fault { termination, reason: reason.into() }
    }
}
