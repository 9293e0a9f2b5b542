//! The Python classes `Report`, the result of a search, and `Outcome`, the result of a game.

use crate::list::game_of;
use crate::moves::{Move, hash_of};
use crate::pickle;
use anygame::AnyPosition;
use engine::score::describe;
use engine::{Outcome as Ending, Side, search, think};
use pyo3::prelude::*;
use std::sync::Arc;

/// The result of a search, or of one of its iterations.
#[pyclass(frozen, get_all, module = "menagerie")]
pub(crate) struct Report {
    /// The move to play.
    r#move: Py<Move>,
    /// The score for the side to move, in points of the game's evaluation; a win in n plies is
    /// 500,000 - n. `None` if nothing was searched.
    score: Option<i32>,
    /// The score as text for people: `+12`, `win in 5`.
    says: Option<String>,
    /// The last completed depth, in plies; 0 if there is none.
    depth: u32,
    /// The number of nodes visited.
    nodes: u64,
    /// The principal variation, the best move first.
    pv: Vec<Py<Move>>,
    /// Whether the result is proven, not an estimate.
    proven: bool,
    /// The expected result of the side to move, from 0 (a loss) to 1 (a win); `None` if it is
    /// unknown.
    expected: Option<f64>,
    /// The source of a move that does not come from a search: a table, a proof, a plan. `None` for
    /// a searched move.
    advice: Option<String>,
}

/// The result of a search, or of one of its iterations, before its moves are Python objects.
#[derive(Default)]
pub(crate) struct Found {
    pub best: u32,
    pub advice: Option<String>,
    pub score: Option<i32>,
    pub says: Option<String>,
    pub depth: u32,
    pub nodes: u64,
    pub line: Vec<u32>,
    pub proven: bool,
    pub expected: Option<f64>,
}

impl Found {
    /// The result of a search of a position.
    pub(crate) fn searched(inner: &dyn AnyPosition, report: &search::Report<u32>) -> Found {
        Found {
            best: report.best,
            advice: None,
            score: Some(report.score),
            says: Some(describe(report.score)),
            depth: report.depth,
            nodes: report.nodes,
            line: report.line.clone(),
            proven: report.proven,
            expected: game_of(inner).expected(report, inner.side_to_move()),
        }
    }

    /// The result of thinking: for a move that was not searched, the proven outcome, if there is
    /// one.
    pub(crate) fn thought(inner: &dyn AnyPosition, report: think::Report<u32>) -> Found {
        let think::Report { best, advice, search, .. } = report;
        if let Some(search) = &search {
            return Found { best, advice, ..Found::searched(inner, search) };
        }
        let proven = inner.proven();
        let expected = proven.map(|proven| match proven.outcome.winner() {
            None => 0.5,
            Some(winner) => f64::from(u8::from(winner == inner.side_to_move())),
        });
        let (line, proven) = (vec![best], proven.is_some());
        Found { best, advice, line, proven, expected, ..Found::default() }
    }
}

impl Report {
    pub(crate) fn new(
        py: Python<'_>,
        inner: &Arc<dyn AnyPosition>,
        found: Found,
    ) -> PyResult<Report> {
        let mut at = Arc::clone(inner);
        let mut pv = Vec::new();
        for code in found.line {
            let Ok(after) = Arc::clone(&at).play(code) else { break };
            pv.push(Py::new(py, Move { inner: at, code })?);
            at = after;
        }
        Ok(Report {
            r#move: Py::new(py, Move { inner: Arc::clone(inner), code: found.best })?,
            score: found.score,
            says: found.says,
            depth: found.depth,
            nodes: found.nodes,
            pv,
            proven: found.proven,
            expected: found.expected,
            advice: found.advice,
        })
    }
}

type Rest = (Option<i32>, Option<String>, u32, u64, bool, Option<f64>, Option<String>);
/// A report as it is pickled: position, code of the move, codes of the expected line, and the rest.
type Pickled = (pickle::Pickled, u32, Vec<u32>, Rest);

/// Restores a pickled report.
#[pyfunction]
pub(crate) fn _report(
    py: Python<'_>,
    position: pickle::Pickled,
    best: u32,
    line: Vec<u32>,
    rest: Rest,
) -> PyResult<Report> {
    let (score, says, depth, nodes, proven, expected, advice) = rest;
    let found = Found { best, advice, score, says, depth, nodes, line, proven, expected };
    Report::new(py, &pickle::load(position)?, found)
}

/// Restores a pickled outcome.
#[pyfunction]
pub(crate) fn _outcome(
    winner: Option<String>,
    margin: Option<i32>,
    reason: Option<String>,
    returns: (f64, f64),
) -> Outcome {
    Outcome { winner, margin, reason, returns }
}

#[pymethods]
impl Report {
    #[classattr]
    #[pyo3(name = "_fields")]
    const HELP_ORDER: [&'static str; 9] =
        ["move", "says", "score", "pv", "depth", "nodes", "expected", "proven", "advice"];

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Pickled)> {
        let function = pickle::function(py, "_report")?;
        let best = self.r#move.get();
        let line = self.pv.iter().map(|mv| mv.get().code).collect();
        let (says, advice) = (self.says.clone(), self.advice.clone());
        let rest = (self.score, says, self.depth, self.nodes, self.proven, self.expected, advice);
        Ok((function, (pickle::dump(&best.inner)?, best.code, line, rest)))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let mv = self.r#move.bind(py).str()?;
        Ok(match (&self.advice, &self.says) {
            (Some(advice), _) => format!("<Report {mv}: {advice}>"),
            (None, Some(says)) => {
                format!("<Report {mv}: {says}, depth {}, {} nodes>", self.depth, self.nodes)
            }
            (None, None) => format!("<Report {mv}: the only move>"),
        })
    }
}

/// The result of a game.
#[pyclass(frozen, get_all, eq, module = "menagerie")]
#[derive(PartialEq)]
pub(crate) struct Outcome {
    /// The name of the side that has won; `None` for a draw.
    winner: Option<String>,
    /// The first side's points minus the second's; `None` in games without points.
    margin: Option<i32>,
    /// The reason in a few words, if the game has one.
    reason: Option<String>,
    /// The result of the first and of the second side: 1 for a win, -1 for a loss, 0 for a draw.
    returns: (f64, f64),
}

impl Outcome {
    /// The outcome of a position whose game is over.
    pub(crate) fn of(inner: &dyn AnyPosition) -> Option<Outcome> {
        let ending = inner.outcome()?;
        let margin = match ending {
            Ending::Margin(margin) => Some(margin),
            Ending::Win(_) | Ending::Draw => None,
        };
        let returns = match ending.winner() {
            Some(Side::First) => (1.0, -1.0),
            Some(Side::Second) => (-1.0, 1.0),
            None => (0.0, 0.0),
        };
        let winner = ending.winner().map(|side| game_of(inner).sides[side.index()].to_string());
        Some(Outcome { winner, margin, reason: inner.why_over(), returns })
    }
}

#[pymethods]
impl Outcome {
    #[classattr]
    #[pyo3(name = "_fields")]
    const HELP_ORDER: [&'static str; 4] = ["winner", "margin", "reason", "returns"];

    fn __hash__(&self) -> u64 {
        hash_of((&self.winner, self.margin, &self.reason))
    }

    #[allow(clippy::type_complexity)]
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (Option<String>, Option<i32>, Option<String>, (f64, f64)))>
    {
        let function = pickle::function(py, "_outcome")?;
        Ok((function, (self.winner.clone(), self.margin, self.reason.clone(), self.returns)))
    }

    fn __str__(&self) -> String {
        let mut text =
            self.winner.as_ref().map_or("draw".to_string(), |winner| format!("{winner} has won"));
        if let Some(margin) = self.margin {
            text += &format!(" by {}", margin.abs());
        }
        self.reason.as_ref().map_or(text.clone(), |reason| format!("{text}: {reason}"))
    }

    fn __repr__(&self) -> String {
        format!("<Outcome {}>", self.__str__())
    }
}
