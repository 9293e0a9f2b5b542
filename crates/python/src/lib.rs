//! The native module of the Python package `menagerie`. The rest of the package is in
//! `python/menagerie`, where `_menagerie.pyi` documents every public name.

use pyo3::prelude::*;
use pyo3::types::PyList;

mod batch;
mod chance;
mod clock;
mod errors;
mod game;
mod learning;
mod list;
mod moves;
mod numbers;
mod pickle;
mod playouts;
mod position;
mod rates;
mod report;
mod state;
mod tally;
mod threads;
mod turn;
mod vector;

// Threads share constants, `OnceLock`s and locks: no interpreter lock is needed.
#[pymodule(gil_used = false)]
mod _menagerie {
    use super::*;

    #[pymodule_export]
    use crate::game::{Game, names};
    #[pymodule_export]
    use crate::moves::{_move, Move};
    #[pymodule_export]
    use crate::playouts::{_playouts, Playouts, playouts};
    #[pymodule_export]
    use crate::position::{_position, Position};
    #[pymodule_export]
    use crate::report::{_outcome, _report, Outcome, Report};
    #[pymodule_export]
    use crate::state::{_state, State, observations};
    #[pymodule_export]
    use crate::vector::PyBatch;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        // As Python spells versions in development.
        module.setattr("__version__", env!("CARGO_PKG_VERSION").replace("-dev", ".dev0"))?;
        let rules_module = include_str!("../menagerie_rules.py");
        module.setattr("_rules_module", rules_module)?;
        // Names that begin with an underscore are private to the package.
        let public = module.index()?.iter().filter(|name| !name.to_string().starts_with('_'));
        module.setattr("__all__", PyList::new(module.py(), public.collect::<Vec<_>>())?)
    }
}
