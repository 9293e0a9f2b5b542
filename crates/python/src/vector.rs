//! The Python class `Batch`, on which `menagerie.gymnasium.VectorEnv` is built.

use crate::batch::{AnyBatch, BatchOptions, Opponent};
use crate::errors::value_error;
use crate::list::{by_name, rule_set};
use crate::numbers::{array, write_floats};
use crate::turn::PLANES;
use engine::Side;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes};

/// Many games at once: see `menagerie.gymnasium.VectorEnv`.
#[pyclass(module = "menagerie._menagerie", name = "Batch")]
pub(crate) struct PyBatch {
    inner: Box<dyn AnyBatch>,
}

/// The opponent with so many nodes a move: with 0 random moves; `None` if the learner plays both sides.
fn opponent_of(nodes: Option<u64>) -> Opponent {
    match nodes {
        None => Opponent::Nobody,
        Some(0) => Opponent::Random,
        Some(nodes) => Opponent::Search(nodes),
    }
}

type Arrays<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>);

#[pymethods]
impl PyBatch {
    #[new]
    #[allow(clippy::too_many_arguments)]
    fn new(
        game: &str,
        rules: &str,
        games: usize,
        ply_limit: u32,
        random_values: bool,
        opponent: Option<u64>,
        side: Option<u8>,
        threads: usize,
    ) -> PyResult<PyBatch> {
        let kind = by_name(game)?;
        let rules = rule_set(kind, Some(rules), rules)?;
        let (opponent, side) = (opponent_of(opponent), side.map(|side| Side::BOTH[usize::from(side % 2)]));
        let options = BatchOptions { games, rules, ply_limit, random_values, opponent, side, threads: threads.max(1) };
        let inner = (kind.batch)(options).ok_or_else(|| value_error(format!("{game} is not told by numbers")))?;
        Ok(PyBatch { inner })
    }

    #[getter]
    fn actions(&self) -> u32 {
        self.inner.encoding().actions
    }

    #[getter]
    fn shape(&self) -> (usize, usize, usize) {
        let encoding = self.inner.encoding();
        (PLANES, encoding.rows, encoding.columns)
    }

    #[pyo3(signature = (seed=None))]
    fn reset(&mut self, py: Python<'_>, seed: Option<u64>) {
        py.detach(|| self.inner.reset(seed));
    }

    /// Takes the actions, 64-bit integers as bytes. Returns the rewards, terminations and truncations as bytes, and the
    /// games that ended, each with its last observation.
    #[allow(clippy::type_complexity)]
    fn step<'py>(
        &mut self,
        py: Python<'py>,
        actions: &[u8],
    ) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>, Bound<'py, PyBytes>, Vec<(usize, Bound<'py, PyAny>)>)>
    {
        let number = |bytes: &[u8]| i64::from_ne_bytes(bytes.try_into().expect("chunks of 8 bytes"));
        // A number that is no action is illegal, like any other.
        let actions: Vec<u32> =
            actions.chunks_exact(8).map(|bytes| u32::try_from(number(bytes)).unwrap_or(u32::MAX)).collect();
        if actions.len() != self.inner.games() {
            return Err(value_error(format!("actions: expected {}, found {}", self.inner.games(), actions.len())));
        }
        py.detach(|| self.inner.step(&actions));
        let results = self.inner.results();
        let rewards: Vec<u8> = results.iter().flat_map(|(reward, _, _)| reward.to_ne_bytes()).collect();
        let terminated: Vec<u8> = results.iter().map(|(_, terminated, _)| u8::from(*terminated)).collect();
        let truncated: Vec<u8> = results.iter().map(|(_, _, truncated)| u8::from(*truncated)).collect();
        let mut ended = Vec::new();
        for (game, numbers) in self.inner.ended() {
            let bytes = PyByteArray::new_with(py, 4 * numbers.len(), |out| {
                write_floats(numbers, out);
                Ok(())
            })?;
            let (planes, rows, columns) = self.shape();
            ended.push((game, array(&bytes, "float32", &[planes, rows, columns])?));
        }
        let bytes = |bytes: &[u8]| PyBytes::new(py, bytes);
        Ok((bytes(&rewards), bytes(&terminated), bytes(&truncated), ended))
    }

    /// The observations and the masks of the legal actions.
    fn observe<'py>(&self, py: Python<'py>) -> PyResult<Arrays<'py>> {
        let (games, (planes, rows, columns)) = (self.inner.games(), self.shape());
        let fill = |size: usize, write: &(dyn Fn(&mut [u8]) + Sync)| {
            PyByteArray::new_with(py, size, |out| {
                write(out);
                Ok(())
            })
        };
        let numbers = fill(4 * games * planes * rows * columns, &|out| self.inner.observe(out))?;
        let mask = fill(games * self.actions() as usize, &|out| self.inner.mask(out))?;
        Ok((
            array(&numbers, "float32", &[games, planes, rows, columns])?,
            array(&mask, "int8", &[games, self.actions() as usize])?,
        ))
    }

    /// A random legal action in each game, as 64-bit integers.
    fn random_actions<'py>(&mut self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let actions = self.inner.random_actions();
        PyBytes::new(py, &actions.iter().flat_map(|&action| i64::from(action).to_ne_bytes()).collect::<Vec<u8>>())
    }

    /// For each game, the index of the side from whose view it is observed, as one byte.
    fn viewers<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.inner.viewers())
    }

    fn picture(&self, game: usize) -> Option<String> {
        self.inner.picture(game)
    }
}
