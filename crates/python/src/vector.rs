//! The Python class `Batch`, on which `menagerie.gymnasium.VectorEnv` is built.

use crate::batch::{AnyBatch, BatchOptions, Opponent};
use crate::clock::interruptibly;
use crate::errors::value_error;
use crate::list::{Known, by_name, rule_set};
use crate::numbers::{array, write_floats};
use crate::planes::are_squares;
use crate::position::Position;
use crate::turn::PLANES;
use anygame::AnyPosition;
use engine::Side;
use pyo3::prelude::*;
use pyo3::types::PyByteArray;
use std::sync::Arc;

/// Many games at once: see `menagerie.gymnasium.VectorEnv`.
#[pyclass(module = "menagerie._menagerie", name = "Batch")]
pub(crate) struct PyBatch {
    inner: Box<dyn AnyBatch>,
    known: &'static Known,
    rules: &'static str,
    stage: Stage,
}

impl PyBatch {
    fn checked(&self) -> PyResult<()> {
        match self.stage {
            Stage::Playing => Ok(()),
            Stage::New => Err(value_error("no game has begun: call reset() first")),
            Stage::Interrupted => {
                Err(value_error("an interrupt has ended the last call in its middle: call reset()"))
            }
        }
    }
}

/// The opponent with so many nodes a move: with 0 random moves; `None` if the learner plays both
/// sides.
fn opponent_of(nodes: Option<u64>, temperature: f64) -> Opponent {
    match nodes {
        None => Opponent::Nobody,
        Some(0) => Opponent::Random,
        Some(nodes) if temperature > 0.0 => Opponent::Drawn(nodes, temperature),
        Some(nodes) => Opponent::Search(nodes),
    }
}

/// The stage of a batch, which decides the operations that it allows.
#[derive(Clone, Copy, PartialEq)]
enum Stage {
    /// Nothing was begun.
    New,
    /// The games go on.
    Playing,
    /// An interrupt has ended a call, and some games are ahead of others.
    Interrupted,
}

/// The positions, which must be of this game and its rules, and not be over.
fn positions_of(
    known: &Known,
    rules: &str,
    given: &[Bound<'_, Position>],
) -> PyResult<Vec<Arc<dyn AnyPosition>>> {
    let name = known.game.name;
    let checked = |position: &Bound<'_, Position>| {
        let inner = &position.get().inner;
        if inner.game() != name || inner.rules() != rules {
            return Err(value_error(format!(
                "a position of another game than {}, or of other rules",
                name
            )));
        }
        if inner.outcome().is_some() {
            return Err(value_error(
                "a position whose game is over: nothing can be played from there",
            ));
        }
        Ok(Arc::clone(inner))
    };
    given.iter().map(checked).collect()
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
        random_plies: u32,
        temperature: f64,
        margin: bool,
        actions: &str,
        next_step: bool,
        starts: Vec<Bound<'_, Position>>,
    ) -> PyResult<PyBatch> {
        let known = by_name(game)?;
        let rules = rule_set(&known.game, Some(rules), "")?;
        let (opponent, side) = (
            opponent_of(opponent, temperature),
            side.map(|side| Side::BOTH[usize::from(side % 2)]),
        );
        let (threads, squares) = (threads.max(1), are_squares(actions)?);
        let options = BatchOptions {
            games,
            rules,
            ply_limit,
            random_values,
            opponent,
            side,
            threads,
            random_plies,
            margin,
            squares,
            next_step,
        };
        let starts = positions_of(known, rules, &starts)?;
        let inner = known
            .learning
            .batch(options, &starts)
            .ok_or_else(|| value_error(format!("{game} is not told by numbers")))?;
        Ok(PyBatch { inner, known, rules, stage: Stage::New })
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

    /// Begins all games anew, with these positions, one for each game, if there are any.
    #[pyo3(signature = (seed=None, positions=None))]
    fn reset(
        &mut self,
        py: Python<'_>,
        seed: Option<u64>,
        positions: Option<Vec<Bound<'_, Position>>>,
    ) -> PyResult<()> {
        let positions =
            positions.map(|given| positions_of(self.known, self.rules, &given)).transpose()?;
        if positions.as_ref().is_some_and(|positions| positions.len() != self.inner.games()) {
            return Err(value_error(format!(
                "positions: expected {}, one for each game",
                self.inner.games()
            )));
        }
        self.stage = Stage::Interrupted;
        interruptibly(py, |clock| {
            self.inner.reset(seed, positions.as_deref(), clock);
        })?;
        if let Some(game) = self.inner.first_over() {
            self.stage = Stage::New;
            return Err(value_error(format!(
                "game {game} is over before the learner's first move"
            )));
        }
        self.stage = Stage::Playing;
        Ok(())
    }

    /// Takes the actions, 64-bit integers as bytes. Returns the rewards, terminations and
    /// truncations as bytes that can be written to, and the games that ended, each with its last
    /// observation.
    #[allow(clippy::type_complexity)]
    fn step<'py>(
        &mut self,
        py: Python<'py>,
        actions: &[u8],
    ) -> PyResult<(
        Bound<'py, PyByteArray>,
        Bound<'py, PyByteArray>,
        Bound<'py, PyByteArray>,
        Vec<(usize, Bound<'py, PyAny>)>,
    )> {
        let number =
            |bytes: &[u8]| i64::from_ne_bytes(bytes.try_into().expect("chunks of 8 bytes"));
        // A number that is no action is illegal, like any other.
        let actions: Vec<u32> = actions
            .chunks_exact(8)
            .map(|bytes| u32::try_from(number(bytes)).unwrap_or(u32::MAX))
            .collect();
        if actions.len() != self.inner.games() {
            return Err(value_error(format!(
                "actions: expected {}, found {}",
                self.inner.games(),
                actions.len()
            )));
        }
        self.checked()?;
        self.stage = Stage::Interrupted;
        interruptibly(py, |clock| self.inner.step(&actions, clock))?;
        self.stage = Stage::Playing;
        let results = self.inner.results();
        let rewards: Vec<u8> =
            results.iter().flat_map(|(reward, _, _)| reward.to_ne_bytes()).collect();
        let terminated: Vec<u8> =
            results.iter().map(|(_, terminated, _)| u8::from(*terminated)).collect();
        let truncated: Vec<u8> =
            results.iter().map(|(_, _, truncated)| u8::from(*truncated)).collect();
        let mut ended = Vec::new();
        for (game, numbers) in self.inner.ended() {
            let bytes = PyByteArray::new_with(py, 4 * numbers.len(), |out| {
                write_floats(numbers, out);
                Ok(())
            })?;
            let (planes, rows, columns) = self.shape();
            ended.push((game, array(&bytes, "float32", &[planes, rows, columns])?));
        }
        let bytes = |bytes: &[u8]| PyByteArray::new(py, bytes);
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
    fn random_actions<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyByteArray>> {
        self.checked()?;
        let actions = self.inner.random_actions();
        let bytes: Vec<u8> =
            actions.iter().flat_map(|&action| i64::from(action).to_ne_bytes()).collect();
        Ok(PyByteArray::new(py, &bytes))
    }

    /// For each game, the index of the side from whose view it is observed, as one byte.
    fn viewers<'py>(&self, py: Python<'py>) -> Bound<'py, PyByteArray> {
        PyByteArray::new(py, &self.inner.viewers())
    }

    fn positions(&self) -> PyResult<Vec<Position>> {
        self.checked()?;
        Ok(self
            .inner
            .positions()
            .into_iter()
            .map(|inner| Position { inner, clock: None })
            .collect())
    }

    fn picture(&self, game: usize) -> Option<String> {
        self.inner.picture(game)
    }
}
