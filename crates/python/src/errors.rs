//! Constructors of the package's exceptions, which `menagerie/_errors.py` defines.

use engine::{InputError, Violation};
use pyo3::exceptions::{PyMemoryError, PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use std::collections::TryReserveError;
use std::path::Path;

const MODULE: &str = "menagerie._errors";

/// An `InputError` for an input text that is refused, with its line and, if it was read from a
/// file, the file's name.
pub(crate) fn input_error(py: Python<'_>, error: &InputError, file: Option<&str>) -> PyErr {
    static TYPE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let text = match file {
        Some(file) => format!("{file}:{error}"),
        None => format!("line {error}"),
    };
    let arguments =
        (text, error.line, error.expected.clone(), error.found.clone(), file.map(str::to_string));
    match TYPE.import(py, MODULE, "InputError") {
        Ok(class) => PyErr::from_type(class.clone(), arguments),
        Err(error) => error,
    }
}

/// A `MoveError` for a text that is not a legal move, with its line if the text cannot be parsed.
pub(crate) fn move_error(py: Python<'_>, violation: &Violation) -> PyErr {
    let line = match violation {
        Violation::Format { line, .. } => Some(*line),
        Violation::Illegal(_) => None,
    };
    refused(py, violation.to_string(), line)
}

/// A `MoveError` for a move that belongs to another game or position.
pub(crate) fn foreign_move(py: Python<'_>, text: &str) -> PyErr {
    refused(py, format!("illegal move: {text} is no legal move of this position"), None)
}

fn refused(py: Python<'_>, text: String, line: Option<usize>) -> PyErr {
    static TYPE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    match TYPE.import(py, MODULE, "MoveError") {
        Ok(class) => PyErr::from_type(class.clone(), (text, line)),
        Err(error) => error,
    }
}

/// The `OSError` of a file that cannot be read, as Python's own `open` raises it: with its number
/// and the file's name.
pub(crate) fn os_error(py: Python<'_>, error: &std::io::Error, path: &Path) -> PyErr {
    let Some(number) = error.raw_os_error() else { return PyOSError::new_err(error.to_string()) };
    let told =
        py.import("os").and_then(|os| os.call_method1("strerror", (number,))?.extract::<String>());
    PyOSError::new_err((number, told.unwrap_or_else(|_| error.to_string()), path.to_path_buf()))
}

/// The `OSError` of threads that cannot be started.
pub(crate) fn thread_error(error: std::io::Error) -> PyErr {
    let text = format!("threads: so many cannot be started: {error}");
    PyOSError::new_err((error.raw_os_error(), text))
}

/// A `ValueError` with a message.
pub(crate) fn value_error(text: impl Into<String>) -> PyErr {
    PyValueError::new_err(text.into())
}

/// The exception for a failure: the Python exception that it is, a `MemoryError`, or a `ValueError`
/// with its message.
pub(crate) fn failed(error: anyhow::Error) -> PyErr {
    if let Some(error) = error.downcast_ref::<TryReserveError>() {
        return PyMemoryError::new_err(error.to_string());
    }
    error.downcast::<PyErr>().unwrap_or_else(|error| value_error(error.to_string()))
}
