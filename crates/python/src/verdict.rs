//! The Python class `Verdict`.

use crate::moves::Move;
use crate::position::Position;
use pyo3::prelude::*;

/// The judge's verdict on an answer. It is true if the move is legal; `str()` gives `text`.
#[pyclass(frozen, get_all, module = "menagerie")]
pub(crate) struct Verdict {
    /// Whether the move is legal.
    pub legal: bool,
    /// The judge's text: the move and the board after it, or the reason for the refusal.
    pub text: String,
    /// The move; `None` if it is refused.
    pub r#move: Option<Py<Move>>,
    /// The position after the move; `None` if it is refused.
    pub position: Option<Py<Position>>,
}

/// Restores a pickled verdict.
#[pyfunction]
pub(crate) fn _verdict(
    legal: bool,
    text: String,
    r#move: Option<Py<Move>>,
    position: Option<Py<Position>>,
) -> Verdict {
    Verdict { legal, text, r#move, position }
}

#[pymethods]
impl Verdict {
    #[classattr]
    #[pyo3(name = "_fields")]
    const HELP_ORDER: [&'static str; 4] = ["legal", "text", "move", "position"];

    fn __copy__(verdict: Py<Verdict>) -> Py<Verdict> {
        verdict
    }

    fn __deepcopy__(verdict: Py<Verdict>, _memo: &Bound<'_, PyAny>) -> Py<Verdict> {
        verdict
    }

    #[allow(clippy::type_complexity)]
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (bool, String, Option<Py<Move>>, Option<Py<Position>>))> {
        let function = py.import("menagerie._menagerie")?.getattr("_verdict")?;
        let mv = self.r#move.as_ref().map(|mv| mv.clone_ref(py));
        let position = self.position.as_ref().map(|position| position.clone_ref(py));
        Ok((function, (self.legal, self.text.clone(), mv, position)))
    }

    fn __bool__(&self) -> bool {
        self.legal
    }

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        let first = self.text.lines().next().unwrap_or_default();
        format!("<Verdict {}: {first}>", if self.legal { "legal" } else { "refused" })
    }
}
