//! The Python class `Move`.

use crate::list::learning_of;
use crate::pickle::{self, Pickled};
use anygame::AnyPosition;
use engine::drawing::Place;
use pyo3::prelude::*;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A legal move of a position. `str()` describes it on one line, for people. Two moves of a game
/// are equal if they have the same code.
#[pyclass(frozen, module = "menagerie")]
pub(crate) struct Move {
    pub inner: Arc<dyn AnyPosition>,
    pub code: u32,
}

#[pymethods]
impl Move {
    #[classattr]
    #[pyo3(name = "_fields")]
    const HELP_ORDER: [&'static str; 7] =
        ["text", "path", "changed", "actions", "game", "disputed", "code"];

    /// The move in the format of output.txt.
    #[getter]
    fn text(&self) -> String {
        self.inner.move_of(self.code).map_or(String::new(), |mv| mv.output)
    }

    /// The engine's code for the move, from 0 to 2**32 - 2, unique among the moves of one position.
    #[getter]
    fn code(&self) -> u32 {
        self.code
    }

    /// The name of the game.
    #[getter]
    fn game(&self) -> &str {
        self.inner.game()
    }

    /// The path of the move, start and end included, each place as column and row from 0 at the top
    /// left. Empty for a pass.
    #[getter]
    fn path(&self) -> Vec<Place> {
        self.inner.path_and_changes(self.code).unwrap_or_default().0
    }

    /// The places whose piece the move captures or changes.
    #[getter]
    fn changed(&self) -> Vec<Place> {
        self.inner.path_and_changes(self.code).unwrap_or_default().1
    }

    /// The actions of the move in environments: one, or one for each jump of a chain, and the one
    /// that ends the chain if it could go on.
    #[getter]
    fn actions(&self) -> Vec<u32> {
        learning_of(&*self.inner)
            .turn(&*self.inner, false)
            .map_or(Vec::new(), |turn| turn.actions_of(self.code))
    }

    /// Whether some graders might refuse this legal move.
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

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Pickled, u32))> {
        let function = pickle::function(py, "_move")?;
        Ok((function, (pickle::dump(&self.inner)?, self.code)))
    }

    fn __str__(&self) -> String {
        self.inner.move_of(self.code).map_or(String::new(), |mv| mv.described)
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
        hash_of((self.game(), self.code))
    }
}

pub(crate) fn hash_of(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Restores a pickled move.
#[pyfunction]
pub(crate) fn _move(position: Pickled, code: u32) -> PyResult<Move> {
    Ok(Move { inner: pickle::load(position)?, code })
}
