//! Menagerie for Python: the native half of the package `menagerie`. `python/menagerie` has the rest, and with
//! `_menagerie.pyi` what each name is for.

use pyo3::prelude::*;

mod errors;
mod face;
mod game;
mod moves;
mod position;
mod report;
mod svg;
mod verdict;
mod watch;

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
