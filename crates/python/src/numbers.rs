//! Numbers of arguments, and arrays of numbers as results.

use crate::errors::value_error;
use pyo3::exceptions::{PyImportError, PyMemoryError, PyOverflowError};
use pyo3::prelude::*;
use pyo3::types::PyByteArray;
use std::fmt;

/// A whole number. One that `i64` cannot hold becomes the nearest that it can, as every argument has
/// narrower bounds, and keeps its digits for messages.
pub(crate) struct Whole(i64, Option<String>);

impl Whole {
    pub(crate) fn new(number: i64) -> Whole {
        Whole(number, None)
    }

    pub(crate) fn value(&self) -> i64 {
        self.0
    }

    /// The number, or a `ValueError` that names the argument if it is out of bounds.
    pub(crate) fn within(self, argument: &str, least: i64, most: i64) -> PyResult<u64> {
        if (least..=most).contains(&self.0) {
            return Ok(self.0 as u64);
        }
        let bounds = if most == i64::MAX {
            format!("{least} or more")
        } else {
            format!("{least} to {most}")
        };
        Err(value_error(format!("{argument}: expected {bounds}, found {self}")))
    }
}

impl fmt::Display for Whole {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.1 {
            Some(digits) => out.write_str(digits),
            None => self.0.fmt(out),
        }
    }
}

impl<'py> FromPyObject<'_, 'py> for Whole {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Whole> {
        match object.extract::<i64>() {
            Ok(value) => Ok(Whole::new(value)),
            Err(error) if error.is_instance_of::<PyOverflowError>(object.py()) => {
                let nearest = if object.lt(0)? { i64::MIN } else { i64::MAX };
                // Python writes no number of many thousand digits.
                let digits = object.str().map_or("a longer number".into(), |text| text.to_string());
                Ok(Whole(nearest, Some(digits)))
            }
            Err(error) => Err(error),
        }
    }
}

/// An empty list with room for so many items, or a `MemoryError`.
pub(crate) fn room<T>(count: usize) -> PyResult<Vec<T>> {
    let mut list = Vec::new();
    list.try_reserve_exact(count).map_err(|error| PyMemoryError::new_err(error.to_string()))?;
    Ok(list)
}

/// New bytes, so many times `each`, which a function writes; or a `MemoryError`.
pub(crate) fn filled<'py>(
    py: Python<'py>,
    count: usize,
    each: usize,
    write: impl FnOnce(&mut [u8]),
) -> PyResult<Bound<'py, PyByteArray>> {
    let size = count.saturating_mul(each).min(isize::MAX as usize);
    PyByteArray::new_with(py, size, |out| {
        write(out);
        Ok(())
    })
}

/// An array of numpy with the given bytes as its memory.
pub(crate) fn array<'py>(
    bytes: &Bound<'py, PyByteArray>,
    dtype: &str,
    shape: &[usize],
) -> PyResult<Bound<'py, PyAny>> {
    let numpy = bytes.py().import("numpy").map_err(|error| {
        if error.is_instance_of::<PyImportError>(bytes.py()) {
            return PyImportError::new_err("arrays need numpy: pip install numpy");
        }
        error
    })?;
    numpy.call_method1("frombuffer", (bytes, dtype))?.call_method1("reshape", (shape.to_vec(),))
}

/// Writes numbers as the bytes of an array of `float32`.
pub(crate) fn write_floats(numbers: &[f32], bytes: &mut [u8]) {
    for (bytes, number) in bytes.chunks_exact_mut(4).zip(numbers) {
        bytes.copy_from_slice(&number.to_ne_bytes());
    }
}
