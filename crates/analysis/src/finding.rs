//! What an analysis finds of one move: the words that records, reports and pages use.

use engine::{Outcome, Side};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The effort for each position.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Effort {
    /// Nodes searched for the best move: the same findings on every machine.
    Nodes(u64),
    /// Seconds of CPU time for the best move.
    Time(f64),
}

impl fmt::Display for Effort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Effort::Nodes(nodes) => write!(f, "{nodes} nodes"),
            Effort::Time(seconds) => write!(f, "{seconds} s"),
        }
    }
}

/// How bad a move was: lichess's three kinds, by what it cost of the winning chances on the scale from -1 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mark {
    /// It cost 0.1 or more; or points of a game that counts them, and not the result.
    Inaccuracy,
    /// It cost 0.2 or more.
    Mistake,
    /// It cost 0.3 or more.
    Blunder,
}

impl Mark {
    /// All marks, the least first.
    pub const ALL: [Mark; 3] = [Mark::Inaccuracy, Mark::Mistake, Mark::Blunder];

    /// The mark of a move that cost so much of the winning chances.
    #[must_use]
    pub fn of_drop(drop: f64) -> Option<Mark> {
        match drop {
            _ if drop >= 0.3 => Some(Mark::Blunder),
            _ if drop >= 0.2 => Some(Mark::Mistake),
            _ if drop >= 0.1 => Some(Mark::Inaccuracy),
            _ => None,
        }
    }

    /// The word for people.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Mark::Inaccuracy => "inaccuracy",
            Mark::Mistake => "mistake",
            Mark::Blunder => "blunder",
        }
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// A proven result from a side's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Truth {
    /// The side loses with best play of both.
    Loss,
    /// Nobody can force a win.
    Draw,
    /// The side wins with best play of both.
    Win,
}

impl Truth {
    /// An outcome as a side sees it.
    #[must_use]
    pub fn of(outcome: Outcome, view: Side) -> Truth {
        match outcome.winner() {
            None => Truth::Draw,
            Some(side) if side == view => Truth::Win,
            Some(_) => Truth::Loss,
        }
    }

    /// The word for people.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Truth::Loss => "loss",
            Truth::Draw => "draw",
            Truth::Win => "win",
        }
    }

    /// The winning chances of a certain result: -1, 0 or 1.
    #[must_use]
    pub fn chance(self) -> f64 {
        f64::from(self as i8 - 1)
    }
}

/// What is found of a move. Scores and chances are from the view of the side that made it; moves are written as in
/// output files.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// The best move; the one played, if none is better.
    pub best: String,
    /// The line of play that is expected after the best move, which comes first.
    pub line: Vec<String>,
    /// The opponent's best reply to the move played, if the game went on.
    pub reply: Option<String>,
    /// The score of the move played; none where its result is proven and the distance to the end is not known.
    pub score: Option<i32>,
    /// The score of the best move.
    pub best_score: Option<i32>,
    /// Winning chances after the move played, from -1 to 1.
    pub chance: f64,
    /// Winning chances after the best move, from -1 to 1.
    pub best_chance: f64,
    /// How bad the move was.
    pub mark: Option<Mark>,
    /// Whether both results, before and after the move, are proven, and nothing is an estimate.
    pub proven: bool,
    /// The proven result before the move.
    pub before: Option<Truth>,
    /// The proven result after the move played.
    pub after: Option<Truth>,
    /// What the proof comes from, in words that fit behind "by".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Legal moves of the position.
    pub choices: u32,
    /// The depth of the search, in plies.
    pub depth: u32,
    /// The effort that was asked for.
    pub effort: Effort,
}

impl Finding {
    /// What the move cost of the winning chances, from 0 to 2.
    #[must_use]
    pub fn drop(&self) -> f64 {
        (self.best_chance - self.chance).max(0.0)
    }

    /// The points that the move gave away for certain, in a game that counts points; 0 where nothing is proven.
    #[must_use]
    pub fn points_lost(&self) -> i32 {
        match (self.best_score, self.score) {
            (Some(best), Some(score)) if self.proven => best - score,
            _ => 0,
        }
    }

    /// The accuracy of the move in per cent, from 0 to 100, by lichess's formula
    /// `103.1668 exp(-0.04354 drop) - 3.1669` with the drop in per cent of the expected result
    /// (lichess.org/page/accuracy).
    #[must_use]
    pub fn accuracy(&self) -> f64 {
        (103.1668 * (-0.04354 * 50.0 * self.drop()).exp() - 3.1669).clamp(0.0, 100.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_those_of_lichess() {
        let marks = [0.0, 0.09, 0.1, 0.25, 0.3, 2.0].map(Mark::of_drop);
        let [i, m, b] = Mark::ALL.map(Some);
        assert_eq!(marks, [None, None, i, m, b, b]);
    }

    #[test]
    fn an_outcome_is_seen_from_both_sides() {
        assert_eq!(Truth::of(Outcome::Margin(-3), Side::First), Truth::Loss);
        assert_eq!(Truth::of(Outcome::Win(Side::Second), Side::Second).chance(), 1.0);
        assert_eq!(Truth::of(Outcome::Margin(0), Side::First).chance(), 0.0);
    }
}
