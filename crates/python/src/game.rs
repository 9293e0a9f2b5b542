//! The Python class `Game`, and the functions `names` and `judge`.

use crate::errors::{failed, input_error, os_error};
use crate::list::{GAMES, Known, by_name, rule_set};
use crate::moves::Move;
use crate::position::Position;
use crate::verdict::Verdict;
use anygame::game::Answer;
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::Arc;

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
    const HELP_ORDER: [&'static str; 10] = [
        "start",
        "read",
        "read_file",
        "name",
        "title",
        "sides",
        "rules",
        "rule_sets",
        "ply_limit",
        "num_actions",
    ];

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

    /// The number of actions in environments; `None` if the game has none.
    #[getter]
    fn num_actions(&self) -> PyResult<Option<u32>> {
        let start = self.start()?.inner;
        Ok(self.known.learning.turn(&*start, false).map(|turn| turn.encoding().actions))
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

    /// Reads an input file, and returns its position with its clock. Raises `InputError`, and
    /// `OSError` if the file cannot be read.
    fn read_file(&self, py: Python<'_>, path: PathBuf) -> PyResult<Position> {
        let bytes = std::fs::read(&path).map_err(|error| os_error(py, &error, &path))?;
        self.read(py, &String::from_utf8_lossy(&bytes), Some(&path.display().to_string()))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let Ok(other) = other.cast::<Game>() else { return false };
        let other = other.get();
        (self.name(), self.rules) == (other.name(), other.rules)
    }

    fn __hash__(&self) -> u64 {
        engine::checksum(format!("{} {}", self.name(), self.rules).as_bytes())
    }

    fn __repr__(&self) -> String {
        match self.rule_sets()[..] {
            [_] => format!("Game('{}')", self.known.game.name),
            _ => format!("Game('{}', rules='{}')", self.known.game.name, self.rules),
        }
    }

    fn __copy__(game: Py<Game>) -> Py<Game> {
        game
    }

    fn __deepcopy__(game: Py<Game>, _memo: &Bound<'_, PyAny>) -> Py<Game> {
        game
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

/// Checks the text of an output file against the text of its input file, as `judge check` does.
/// `rules` is the rule set to refuse by; the default is the most permissive one. The names of the
/// files are used in messages only. Raises `InputError` if the input text is refused.
#[pyfunction]
#[pyo3(signature = (game, input, output, *, rules=None, input_file="input.txt", output_file="output.txt"))]
pub(crate) fn judge(
    py: Python<'_>,
    game: &str,
    input: &str,
    output: &str,
    rules: Option<&str>,
    input_file: &str,
    output_file: &str,
) -> PyResult<Verdict> {
    let game = &by_name(game)?.game;
    let judges = game.rules.check_rules(None).map_err(failed)?;
    let rules = rule_set(game, rules, judges)?;
    let answer = Answer { input, output, file: output_file };
    let checked = game.rules.check(&answer, Some(rules)).map_err(failed)?;
    let checked = checked.map_err(|error| input_error(py, &error, Some(input_file)))?;
    let Some(code) = checked.legal else {
        return Ok(Verdict { legal: false, text: checked.text, r#move: None, position: None });
    };
    let inner = Arc::clone(&checked.before).play(code).map_err(failed)?;
    let after = Py::new(py, Position { inner, clock: None })?;
    let played = Py::new(py, Move { inner: checked.before, code })?;
    Ok(Verdict { legal: true, text: checked.text, r#move: Some(played), position: Some(after) })
}
