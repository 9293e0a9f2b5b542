//! The native module of the Python package `menagerie`. The rest of the package is in `python/menagerie`, where
//! `_menagerie.pyi` documents every public name.

use pyo3::prelude::*;

mod clock;
mod erased;
mod errors;
mod game;
mod moves;
mod position;
mod report;
mod verdict;

#[pymodule]
mod _menagerie {
    #[pymodule_export]
    use crate::game::{Game, judge, names};
    #[pymodule_export]
    use crate::moves::Move;
    #[pymodule_export]
    use crate::position::Position;
    #[pymodule_export]
    use crate::report::{Outcome, Report};
    #[pymodule_export]
    use crate::verdict::Verdict;
}
