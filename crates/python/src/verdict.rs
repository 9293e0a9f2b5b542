//! The Python class `Verdict`.

use crate::moves::Move;
use crate::position::Position;
use pyo3::prelude::*;

/// The judge's verdict on an answer.
#[pyclass(frozen, get_all, module = "menagerie")]
pub(crate) struct Verdict {
    pub legal: bool,
    pub text: String,
    pub r#move: Option<Py<Move>>,
    pub position: Option<Py<Position>>,
}

#[pymethods]
impl Verdict {
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
