//! Positions as planes of numbers.

use crate::errors::value_error;
use crate::list::learning_of;
use crate::numbers::{array, filled, write_floats};
use crate::turn::{AnyTurn, PLANES};
use anygame::AnyPosition;
use engine::Side;
use pyo3::prelude::*;

/// Whether actions are cells, by the word for the style of actions.
pub(crate) fn are_squares(actions: &str) -> PyResult<bool> {
    match actions {
        "moves" => Ok(false),
        "squares" => Ok(true),
        _ => Err(value_error(format!("actions: expected 'moves' or 'squares', found '{actions}'"))),
    }
}

/// The turn of a position as numbers, with cells as actions if asked for.
pub(crate) fn turn_of(inner: &dyn AnyPosition, squares: bool) -> PyResult<Box<dyn AnyTurn>> {
    let turn = learning_of(inner).turn(inner, squares);
    turn.ok_or_else(|| value_error(format!("{} is not told by numbers", inner.game())))
}

/// The observation of a side, as an array of planes, rows and columns.
pub(crate) fn planes<'py>(
    py: Python<'py>,
    turn: &dyn AnyTurn,
    viewer: Side,
    plies: u32,
    ply_limit: u32,
) -> PyResult<Bound<'py, PyAny>> {
    let encoding = turn.encoding();
    let mut numbers = vec![0.0; encoding.numbers()];
    turn.observe(viewer, plies, ply_limit, &mut numbers);
    let bytes = filled(py, numbers.len(), 4, |out| write_floats(&numbers, out))?;
    array(&bytes, "float32", &[PLANES, encoding.rows, encoding.columns])
}
