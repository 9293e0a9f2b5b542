//! The Python class `Game`, and the function `names`.

use crate::errors::{failed, input_error, os_error};
use crate::list::{GAMES, Known, by_name, rule_set};
use crate::moves::hash_of;
use crate::position::Position;
use engine::Symmetry;
use pyo3::prelude::*;
use std::path::PathBuf;

/// One of the games, with one of its rule sets.
///
/// `name` is one of `names()`. `rules` is one of `rule_sets`; the default is the rule set of the
/// agents, whose moves every grader allows. Raises `ValueError` for unknown names.
#[pyclass(frozen, module = "menagerie")]
pub(crate) struct Game {
    known: &'static Known,
    rules: &'static str,
}

#[pymethods]
impl Game {
    #[classattr]
    #[pyo3(name = "_fields")]
    const HELP_ORDER: [&'static str; 9] =
        ["start", "read", "read_file", "name", "title", "sides", "rules", "rule_sets", "ply_limit"];

    #[new]
    #[pyo3(signature = (name, rules=None))]
    fn new(name: &str, rules: Option<&str>) -> PyResult<Game> {
        let known = by_name(name)?;
        Ok(Game { known, rules: rule_set(&known.game, rules, known.game.agent_rules)? })
    }

    /// The name on command lines, such as `halma`.
    #[getter]
    fn name(&self) -> &'static str {
        self.known.game.name
    }

    /// The title for people.
    #[getter]
    fn title(&self) -> &'static str {
        self.known.game.title
    }

    /// The names of the two sides, as in the files.
    #[getter]
    fn sides(&self) -> (&'static str, &'static str) {
        self.known.game.sides.into()
    }

    /// The symmetries by their names: where each cell of a board of `size` columns and rows goes.
    fn _symmetries(&self, size: usize) -> Vec<(&'static str, Vec<usize>)> {
        let way = |symmetry: &Symmetry| {
            let to = |cell| symmetry.place((cell % size, cell / size), size);
            let to = (0..size * size).map(to).map(|(x, y)| y * size + x);
            (symmetry.name(), to.collect())
        };
        self.known.game.symmetries.iter().map(way).collect()
    }

    /// The name of the rule set.
    #[getter]
    fn rules(&self) -> &'static str {
        self.rules
    }

    /// The names of all rule sets of the game.
    #[getter]
    fn rule_sets(&self) -> Vec<&'static str> {
        self.known.game.rules.rule_sets()
    }

    /// The number of plies after which a referee ends a game as a draw.
    #[getter]
    fn ply_limit(&self) -> u32 {
        self.known.game.ply_limit
    }

    /// Returns the starting position, without a clock.
    fn start(&self) -> PyResult<Position> {
        Ok(Position {
            inner: self.known.game.rules.start(Some(self.rules)).map_err(failed)?,
            clock: None,
        })
    }

    /// Parses an input text, and returns its position with its clock. Raises `InputError`, which
    /// has the line, and the file if `file` is given.
    #[pyo3(signature = (text, *, file=None))]
    fn read(&self, py: Python<'_>, text: &str, file: Option<&str>) -> PyResult<Position> {
        match self.known.game.rules.read_task(text, Some(self.rules)).map_err(failed)? {
            Ok(task) => {
                Ok(Position { inner: task.position, clock: Some((task.control, task.clock)) })
            }
            Err(error) => Err(input_error(py, &error, file)),
        }
    }

    /// Reads an input file of at most 1 MiB, and returns its position with its clock. Raises
    /// `InputError`, and `OSError` if the file cannot be read.
    fn read_file(&self, py: Python<'_>, path: PathBuf) -> PyResult<Position> {
        let text = files::read_input(&path).map_err(|error| os_error(py, &error, &path))?;
        self.read(py, &text, Some(&path.display().to_string()))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let Ok(other) = other.cast::<Game>() else { return false };
        let other = other.get();
        (self.name(), self.rules) == (other.name(), other.rules)
    }

    fn __hash__(&self) -> u64 {
        hash_of((self.name(), self.rules))
    }

    fn __repr__(&self) -> String {
        match self.rule_sets()[..] {
            [_] => format!("Game('{}')", self.known.game.name),
            _ => format!("Game('{}', rules='{}')", self.known.game.name, self.rules),
        }
    }

    fn __reduce__(&self, py: Python<'_>) -> (Py<PyAny>, (&'static str, &'static str)) {
        (py.get_type::<Game>().into_any().unbind(), (self.name(), self.rules))
    }
}

/// Returns the names of the games.
#[pyfunction]
pub(crate) fn names() -> Vec<&'static str> {
    GAMES.iter().map(|known| known.game.name).collect()
}
