//! Moves as Python sees them.

use crate::face::Face;
use engine::drawing::Place;
use pyo3::prelude::*;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A legal move of a position.
#[pyclass(frozen, module = "menagerie")]
pub(crate) struct Move {
    pub face: Arc<dyn Face>,
    pub code: u32,
}

#[pymethods]
impl Move {
    /// The move as output.txt has it.
    #[getter]
    fn text(&self) -> String {
        self.face.write_move(self.code).unwrap_or_default()
    }

    /// The engine's number for the move.
    #[getter]
    fn code(&self) -> u32 {
        self.code
    }

    /// The name of the game.
    #[getter]
    fn game(&self) -> &'static str {
        self.face.kind().name
    }

    /// The places that the move goes through.
    #[getter]
    fn path(&self) -> Vec<Place> {
        self.face.way(self.code).unwrap_or_default().0
    }

    /// The places whose piece the move takes or turns over.
    #[getter]
    fn changed(&self) -> Vec<Place> {
        self.face.way(self.code).unwrap_or_default().1
    }

    /// Whether some graders might refuse the move.
    #[getter]
    fn disputed(&self) -> bool {
        self.face.is_disputed(self.code)
    }

    fn __copy__(mv: Py<Move>) -> Py<Move> {
        mv
    }

    fn __deepcopy__(mv: Py<Move>, _memo: &Bound<'_, PyAny>) -> Py<Move> {
        mv
    }

    fn __str__(&self) -> String {
        self.face.describe_move(self.code).unwrap_or_default()
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
