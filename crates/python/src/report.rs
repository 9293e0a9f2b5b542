//! The Python classes `Report`, the result of a search, and `Outcome`, the result of a game.

use crate::erased::{AnyPosition, SearchResult};
use crate::moves::Move;
use engine::Outcome as Ending;
use pyo3::prelude::*;
use std::sync::Arc;

/// The result of a search, or of one of its iterations.
#[pyclass(frozen, get_all, module = "menagerie")]
pub(crate) struct Report {
    r#move: Py<Move>,
    score: Option<i32>,
    says: Option<String>,
    depth: u32,
    nodes: u64,
    pv: Vec<Py<Move>>,
    proven: bool,
    expected: Option<f64>,
    advice: Option<String>,
}

impl Report {
    pub(crate) fn new(py: Python<'_>, inner: &Arc<dyn AnyPosition>, found: SearchResult) -> PyResult<Report> {
        let mut at = Arc::clone(inner);
        let mut pv = Vec::new();
        for code in found.line {
            let Some(after) = at.play(code) else { break };
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

#[pymethods]
impl Report {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let mv = self.r#move.bind(py).str()?;
        Ok(match (&self.advice, &self.says) {
            (Some(advice), _) => format!("<Report {mv}: {advice}>"),
            (None, Some(says)) => format!("<Report {mv}: {says}, depth {}, {} nodes>", self.depth, self.nodes),
            (None, None) => format!("<Report {mv}: the only move>"),
        })
    }
}

/// The result of a game.
#[pyclass(frozen, get_all, eq, hash, module = "menagerie")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Outcome {
    winner: Option<&'static str>,
    margin: Option<i32>,
    reason: Option<String>,
}

impl Outcome {
    /// The outcome of a position whose game is over.
    pub(crate) fn of(inner: &dyn AnyPosition) -> Option<Outcome> {
        let ending = inner.outcome()?;
        let margin = match ending {
            Ending::Margin(margin) => Some(margin),
            Ending::Win(_) | Ending::Draw => None,
        };
        let winner = ending.winner().map(|side| inner.kind().sides[side.index()]);
        Some(Outcome { winner, margin, reason: inner.why_over() })
    }
}

#[pymethods]
impl Outcome {
    fn __str__(&self) -> String {
        let mut text = self.winner.map_or("draw".to_string(), |winner| format!("{winner} has won"));
        if let Some(margin) = self.margin {
            text += &format!(" by {}", margin.abs());
        }
        self.reason.as_ref().map_or(text.clone(), |reason| format!("{text}: {reason}"))
    }

    fn __repr__(&self) -> String {
        format!("<Outcome {}>", self.__str__())
    }
}
