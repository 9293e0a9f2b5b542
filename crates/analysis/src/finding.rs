//! The result of the analysis of one move, as stored in records and shown in reports and pages.

use engine::score::distance_to_end;
use engine::{Outcome, Side};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The effort of the analysis per position.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Effort {
    /// Nodes; the findings are the same on every machine.
    Nodes(u64),
    /// The CPU time, in seconds, to search for the best move.
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

/// The severity of a bad move by lichess's three kinds, from the loss of winning chances (-1 to 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mark {
    /// A loss of 0.1 or more, or of few points without another result.
    Inaccuracy,
    /// A loss of 0.2 or more.
    Mistake,
    /// A loss of 0.3 or more.
    Blunder,
}

impl Mark {
    /// All marks, the mildest first.
    pub const ALL: [Mark; 3] = [Mark::Inaccuracy, Mark::Mistake, Mark::Blunder];

    /// Returns the mark of a move with this loss of winning chances.
    pub fn of_drop(drop: f64) -> Option<Mark> {
        match drop {
            _ if drop >= 0.3 => Some(Mark::Blunder),
            _ if drop >= 0.2 => Some(Mark::Mistake),
            _ if drop >= 0.1 => Some(Mark::Inaccuracy),
            _ => None,
        }
    }

    /// Returns the name of the mark.
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
pub enum ProvenResult {
    /// A loss with best play of both sides.
    Loss,
    /// A draw: neither side can force a win.
    Draw,
    /// A win with best play of both sides.
    Win,
}

impl ProvenResult {
    /// Converts an outcome to the view of a side.
    pub fn of(outcome: Outcome, view: Side) -> ProvenResult {
        match outcome.winner() {
            None => ProvenResult::Draw,
            Some(side) if side == view => ProvenResult::Win,
            Some(_) => ProvenResult::Loss,
        }
    }

    /// Returns the name of the result.
    pub const fn word(self) -> &'static str {
        match self {
            ProvenResult::Loss => "loss",
            ProvenResult::Draw => "draw",
            ProvenResult::Win => "win",
        }
    }

    /// Returns the winning chances of the result: -1, 0 or 1.
    pub fn chance(self) -> f64 {
        f64::from(self as i8 - 1)
    }
}

/// The analysis of one move, for the side that made it. Moves are written as in output files.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// The best move; the move played, if none is better.
    pub best: String,
    /// The expected line of play, which begins with the best move.
    pub line: Vec<String>,
    /// The opponent's best reply to the move played, if the game goes on.
    pub reply: Option<String>,
    /// The expected line after the move played. Empty in old records.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reply_line: Vec<String>,
    /// The score of the move played; `None` if a proof leaves the distance to the end open.
    pub score: Option<i32>,
    /// The score of the best move.
    pub best_score: Option<i32>,
    /// The winning chances after the move played, from -1 to 1.
    pub chance: f64,
    /// The winning chances after the best move, from -1 to 1.
    pub best_chance: f64,
    /// The severity of the error; `None` for a sound move.
    pub mark: Option<Mark>,
    /// Whether the results before and after the move are both proven.
    pub proven: bool,
    /// The proven result before the move.
    pub before: Option<ProvenResult>,
    /// The proven result after the move played.
    pub after: Option<ProvenResult>,
    /// The source of the proof, in words that fit after "by".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The number of legal moves of the position.
    pub choices: u32,
    /// The depth of the search, in plies.
    pub depth: u32,
    /// The effort of the analysis.
    pub effort: Effort,
}

impl Finding {
    /// A finding with this best move among `choices`, and nothing else.
    pub fn of_best(best: String, choices: u32, effort: Effort) -> Finding {
        Finding {
            line: vec![best.clone()],
            best,
            reply: None,
            reply_line: Vec::new(),
            score: None,
            best_score: None,
            chance: 0.0,
            best_chance: 0.0,
            mark: None,
            proven: false,
            before: None,
            after: None,
            source: None,
            choices,
            depth: 1,
            effort,
        }
    }

    /// Returns the loss of winning chances by the move, from 0 to 2.
    pub fn drop(&self) -> f64 {
        (self.best_chance - self.chance).max(0.0)
    }

    /// The points of the evaluation that the move lost; `None` if it lost none, or a score is
    /// unknown or that of a won or lost game.
    pub fn estimate_lost(&self) -> Option<i32> {
        let [best, score] = [self.best_score?, self.score?];
        let are_points = [best, score].iter().all(|&score| distance_to_end(score).is_none());
        (are_points && best > score).then(|| best - score)
    }

    /// In a lost position the plies to the end after the best move and after the move played, as far
    /// as proofs or the search see them.
    pub fn resistance(&self) -> Option<[u32; 2]> {
        let plies = |score: Option<i32>| score.filter(|&score| score < 0).and_then(distance_to_end);
        (self.before == Some(ProvenResult::Loss)).then_some(())?;
        Some([plies(self.best_score)?, plies(self.score)?])
    }

    /// The points that the move provably lost, in a game that counts them.
    pub fn points_lost(&self) -> i32 {
        self.estimate_lost().filter(|_| self.proven).unwrap_or(0)
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
        assert_eq!(ProvenResult::of(Outcome::Margin(-3), Side::First), ProvenResult::Loss);
        assert_eq!(ProvenResult::of(Outcome::Win(Side::Second), Side::Second).chance(), 1.0);
        assert_eq!(ProvenResult::of(Outcome::Margin(0), Side::First).chance(), 0.0);
    }
}
