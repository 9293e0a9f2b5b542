//! How games and turns end, and the keywords for them in records, tables and reports.

use engine::Violation;
use engine::protocol::{quote, seconds};
use sandbox::system::signal_name;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;

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
    /// The reason.
    pub reason: Reason,
}

impl Fault {
    /// A fault and its reason.
    pub fn new(termination: Termination, reason: impl Into<Reason>) -> Fault {
        Fault { termination, reason: reason.into() }
    }
}

/// How a process ended that has failed.
#[derive(Clone, Debug, PartialEq)]
pub struct Exit {
    /// The exit code, unless a signal ended the process.
    pub code: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
}

/// Why a turn has no valid move. It is written as one line.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// The turn used more CPU time than it had.
    CpuTime {
        /// In seconds.
        used: f64,
        /// Clock and margin.
        had: Duration,
    },
    /// The turn took too much wall time.
    Stall {
        /// Whether the program slept instead of thinking.
        slept: bool,
        /// The times and limits, in words.
        words: String,
    },
    /// The answer is no legal move.
    NoMove {
        /// The name of the file, or other words for the answer.
        file: &'static str,
        /// What is wrong with it.
        violation: Violation,
        /// The answer.
        text: String,
        /// How the program ended, if it failed as well.
        exit: Option<Exit>,
    },
    /// The program left no such file.
    NoFile(&'static str),
    /// The program failed without an answer; its last words, after a comma, if there are any.
    Exit(Exit, String),
    /// Words that name the side themselves.
    NamesSide(String),
    /// Any other reason.
    Words(String),
}

impl Reason {
    /// The reason without what the program wrote: the text of its file, its last words.
    pub fn own_words(&self) -> String {
        match self {
            Reason::NoMove { file, violation, exit: None, .. } => format!("{file} {violation}"),
            Reason::Exit(exit, _) => exit.to_string(),
            reason => reason.to_string(),
        }
    }

    /// The reason in a record: whose it is, and in which ply from 1.
    pub fn stated(&self, side: &str, ply: u32) -> String {
        match self {
            Reason::NamesSide(words) => words.clone(),
            reason => format!("{side} (ply {ply}): {reason}"),
        }
    }

    /// How the program failed, if it did.
    pub const fn exit(&self) -> Option<&Exit> {
        match self {
            Reason::Exit(exit, _) | Reason::NoMove { exit: Some(exit), .. } => Some(exit),
            _ => None,
        }
    }
}

impl<T: Into<String>> From<T> for Reason {
    fn from(words: T) -> Reason {
        Reason::Words(words.into())
    }
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.code, self.signal) {
            (Some(code), _) => write!(f, "exit code {code}"),
            (None, Some(signal)) => write!(f, "ended by signal {signal}{}", signal_name(signal)),
            (None, None) => f.write_str("ended"),
        }
    }
}

impl fmt::Display for Reason {
    /// A precision is that of CPU time used.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::CpuTime { used, had } => {
                let digits = f.precision().unwrap_or(3);
                write!(f, "used {used:.digits$} s of CPU, the clock had {}", seconds(*had))
            }
            Reason::NoMove { file, violation, exit: Some(exit), .. } => {
                write!(f, "{exit}, {file} {violation}")
            }
            Reason::NoMove { file, violation, text, .. } => {
                write!(f, "{file} {violation} (the file: {})", quote(text))
            }
            Reason::NoFile(file) => write!(f, "left no {file}"),
            Reason::Exit(exit, last_words) => write!(f, "{exit}{last_words}"),
            Reason::Stall { words, .. } | Reason::NamesSide(words) | Reason::Words(words) => {
                f.write_str(words)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_names_its_side_whatever_a_side_is_called_and_a_program_writes() {
        let exit = Exit { code: Some(1), signal: None };
        let violation = Violation::Illegal("it is occupied".to_string());
        let text = "no output, crash, illegal move".to_string();
        let file = "the.txt";
        for (reason, own) in [
            (Reason::NoFile("left"), "left no left"),
            (Reason::Exit(exit, format!(", last words: '{text}'")), "exit code 1"),
            (
                Reason::NoMove { file, violation, text, exit: None },
                "the.txt illegal move: it is occupied",
            ),
            ("X (ply 3): no".into(), "X (ply 3): no"),
        ] {
            for side in ["left", "the", "exit", "X (ply 3): ", "X"] {
                assert_eq!(reason.stated(side, 4), format!("{side} (ply 4): {reason}"));
            }
            assert_eq!(reason.own_words(), own);
        }
        let said = Reason::NamesSide("FOX made illegal move null".to_string());
        assert_eq!(said.stated("FOX", 4), said.to_string());
    }
}
