//! The Python class `Move`.

use crate::erased::AnyPosition;
use engine::drawing::Place;
use pyo3::prelude::*;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A legal move of a position.
#[pyclass(frozen, module = "menagerie")]
pub(crate) struct Move {
    pub inner: Arc<dyn AnyPosition>,
    pub code: u32,
}

#[pymethods]
impl Move {
    /// The move as the text of an output file.
    #[getter]
    fn text(&self) -> String {
        self.inner.write_move(self.code).unwrap_or_default()
    }

    /// The engine's code for the move.
    #[getter]
    fn code(&self) -> u32 {
        self.code
    }

    /// The name of the game.
    #[getter]
    fn game(&self) -> &'static str {
        self.inner.kind().name
    }

    /// The path of the move: its places, start and end included.
    #[getter]
    fn path(&self) -> Vec<Place> {
        self.inner.path_and_changes(self.code).unwrap_or_default().0
    }

    /// The places whose piece the move captures or changes.
    #[getter]
    fn changed(&self) -> Vec<Place> {
        self.inner.path_and_changes(self.code).unwrap_or_default().1
    }

    /// Whether some graders might refuse the move.
    #[getter]
    fn disputed(&self) -> bool {
        self.inner.is_disputed(self.code)
    }

    fn __copy__(mv: Py<Move>) -> Py<Move> {
        mv
    }

    fn __deepcopy__(mv: Py<Move>, _memo: &Bound<'_, PyAny>) -> Py<Move> {
        mv
    }

    fn __str__(&self) -> String {
        self.inner.describe_move(self.code).unwrap_or_default()
    }

    fn __repr__(&self) -> String {
        format!("<Move {}: {}>", self.game(), self.__str__())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let Ok(other) = other.cast::<Move>() else { return false };
        let other = other.get();
        self.code == other.code && self.game() == other.game()
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.game(), self.code).hash(&mut hasher);
        hasher.finish()
    }
}
