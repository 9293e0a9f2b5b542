//! The Python class `Batch`, on which `menagerie.gymnasium.VectorEnv` is built.

use crate::batch::{AnyBatch, BatchOptions, Column, Opponent};
use crate::clock::{InterruptibleClock, interruptibly};
use crate::errors::{failed, thread_error, value_error};
use crate::list::{Known, by_name, rule_set};
use crate::numbers::{array, filled, room};
use crate::position::Position;
use crate::turn::{PLANES, are_squares};
use anygame::AnyPosition;
use engine::Side;
use pyo3::prelude::*;
use pyo3::types::PyByteArray;
use std::io;
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

    /// Plays on. Unless all goes well, some games are ahead of others then.
    fn play(
        &mut self,
        py: Python<'_>,
        play: impl Send + FnOnce(&mut dyn AnyBatch, &InterruptibleClock) -> io::Result<()>,
    ) -> PyResult<()> {
        self.stage = Stage::Interrupted;
        interruptibly(py, |clock| play(&mut *self.inner, clock))?.map_err(thread_error)?;
        self.stage = Stage::Playing;
        Ok(())
    }

    /// A column of all games, or of the `games` that it has, each of so many bytes.
    fn column<'py>(
        &self,
        py: Python<'py>,
        column: Column,
        games: usize,
        each: usize,
    ) -> PyResult<Bound<'py, PyByteArray>> {
        filled(py, games, each, |out| self.inner.write(column, out))
    }

    /// A column of observations.
    fn planes<'py>(
        &self,
        py: Python<'py>,
        column: Column,
        games: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (planes, rows, columns) = self.shape();
        let bytes = self.column(py, column, games, 4 * planes * rows * columns)?;
        array(&bytes, "float32", &[games, planes, rows, columns])
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

/// The positions, which must be of this game and its rules.
fn positions_of(
    known: &Known,
    rules: &str,
    given: &[Bound<'_, Position>],
) -> PyResult<Vec<Arc<dyn AnyPosition>>> {
    let name = known.game.name;
    let is_own = |inner: &dyn AnyPosition| inner.game() == name && inner.rules() == rules;
    let checked = |position: &Bound<'_, Position>| match &position.get().inner {
        inner if is_own(&**inner) => Ok(Arc::clone(inner)),
        _ => Err(value_error(format!("expected positions of {name} by the rules {rules}"))),
    };
    given.iter().map(checked).collect()
}

type Stepped<'py> =
    (Bound<'py, PyByteArray>, Bound<'py, PyByteArray>, Bound<'py, PyByteArray>, Bound<'py, PyAny>);

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
        opponent: Option<(u64, f64, f64)>,
        side: Option<u8>,
        threads: usize,
        random_plies: u32,
        margin: bool,
        actions: &str,
        next_step: bool,
        starts: Vec<Bound<'_, Position>>,
    ) -> PyResult<PyBatch> {
        let known = by_name(game)?;
        let rules = rule_set(&known.game, Some(rules), "")?;
        let opponent =
            opponent.map(|(nodes, temperature, epsilon)| Opponent { nodes, temperature, epsilon });
        let side = side.map(|side| Side::BOTH[usize::from(side % 2)]);
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
            .batch(options, &starts)?
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
        let (games, found) = (self.inner.games(), positions.as_ref().map(Vec::len));
        if let Some(found) = found.filter(|&found| found != games) {
            let text = format!("positions: expected {games}, one for each game, found {found}");
            return Err(value_error(text));
        }
        self.play(py, |inner, clock| inner.reset(seed, positions.as_deref(), clock))?;
        if let Some(game) = self.inner.first_over() {
            self.stage = Stage::New;
            return Err(value_error(format!(
                "game {game} is over before the learner's first move"
            )));
        }
        Ok(())
    }

    /// Takes the actions, 64-bit integers as bytes. Returns the rewards, terminations and
    /// truncations as bytes that can be written to, and the last observations of the games that
    /// ended.
    fn step<'py>(&mut self, py: Python<'py>, actions: &[u8]) -> PyResult<Stepped<'py>> {
        let games = self.inner.games();
        if actions.len() != 8 * games {
            let found = actions.len() / 8;
            return Err(value_error(format!("actions: expected {games}, found {found}")));
        }
        self.checked()?;
        self.play(py, |inner, clock| inner.step(actions, clock))?;
        Ok((
            self.column(py, Column::Reward, games, 4)?,
            self.column(py, Column::Terminated, games, 1)?,
            self.column(py, Column::Truncated, games, 1)?,
            self.planes(py, Column::Last, self.inner.ended())?,
        ))
    }

    /// The observations, and the masks of the legal actions, or the places of their ones.
    fn observe<'py>(
        &self,
        py: Python<'py>,
        places: bool,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let (games, actions) = (self.inner.games(), self.actions() as usize);
        let seen = self.planes(py, Column::Observation, games)?;
        if !places {
            let mask = self.column(py, Column::Mask, games, actions)?;
            return Ok((seen, array(&mask, "int8", &[games, actions])?));
        }
        let legal = self.inner.legal().map_err(|error| failed(error.into()))?;
        let bytes = filled(py, legal.len(), 1, |out| out.copy_from_slice(&legal))?;
        Ok((seen, array(&bytes, "int64", &[legal.len() / 8])?))
    }

    /// A random legal action in each game, as 64-bit integers.
    fn random_actions<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyByteArray>> {
        self.checked()?;
        filled(py, self.inner.games(), 8, |out| self.inner.random_actions(out))
    }

    /// For each game, the index of the side from whose view it is observed, as one byte.
    fn viewers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyByteArray>> {
        self.column(py, Column::Viewer, self.inner.games(), 1)
    }

    /// A game's position; `None` beyond the last game.
    fn position(&self, game: usize) -> PyResult<Option<Position>> {
        self.checked()?;
        // More than a position takes.
        drop(room::<u8>(1 << 16)?);
        Ok(self.inner.position(game).map(|inner| Position { inner, clock: None }))
    }
}
