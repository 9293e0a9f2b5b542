//! The Python class `Position`.

use crate::clock::{InterruptibleClock, is_main_thread};
use crate::erased::{AnyPosition, SearchRequest, SearchResult};
use crate::errors::{foreign_move, move_error, value_error};
use crate::moves::Move;
use crate::report::{Outcome, Report};
use engine::TimeControl;
use engine::search::MAX_PLY;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};
use std::sync::Arc;
use std::time::Duration;

/// The default thinking time in seconds, if neither the call nor the position has a limit.
const SECONDS: f64 = 1.0;
/// The largest clock, in seconds; larger values are clamped to it.
const MOST_SECONDS: f64 = 1e9;
/// The largest transposition table, in MiB.
const MOST_HASH: u32 = 1 << 16;

/// An immutable position. Playing a move returns another position.
#[pyclass(frozen, module = "menagerie")]
pub(crate) struct Position {
    pub inner: Arc<dyn AnyPosition>,
    pub clock: Option<(TimeControl, Duration)>,
}

#[pymethods]
impl Position {
    /// The name of the game.
    #[getter]
    fn game(&self) -> &'static str {
        self.inner.kind().name
    }

    /// The name of the rule set.
    #[getter]
    fn rules(&self) -> &'static str {
        (self.inner.kind().rules)().get(self.inner.rules()).copied().unwrap_or_default()
    }

    /// The side to move.
    #[getter]
    fn side(&self) -> &'static str {
        self.inner.kind().sides[self.inner.side().index()]
    }

    /// The time control: `SINGLE` if the clock is for this move, `GAME` if it is for the rest of the game.
    #[getter]
    fn control(&self) -> Option<&'static str> {
        self.clock.map(|(control, _)| control.word())
    }

    /// The seconds on the clock.
    #[getter]
    fn clock(&self) -> Option<f64> {
        self.clock.map(|(_, clock)| clock.as_secs_f64())
    }

    /// The legal moves.
    fn legal_moves(&self) -> Vec<Move> {
        self.inner.codes().into_iter().map(|code| self.move_of_code(code)).collect()
    }

    /// Parses a legal move.
    fn r#move(&self, py: Python<'_>, text: &str) -> PyResult<Move> {
        if self.inner.outcome().is_some() {
            return Err(value_error("the game is over: there is no move"));
        }
        self.inner.read_move(text).map(|code| self.move_of_code(code)).map_err(|violation| move_error(py, &violation))
    }

    /// The position after a move.
    fn play(&self, py: Python<'_>, mv: &Bound<'_, PyAny>) -> PyResult<Position> {
        let code = if let Ok(mv) = mv.cast::<Move>() {
            let mv = mv.get();
            if mv.inner.kind().name != self.game() {
                return Err(value_error(format!(
                    "a move of {}, and a position of {}",
                    mv.inner.kind().name,
                    self.game()
                )));
            }
            mv.code
        } else if let Ok(text) = mv.cast::<PyString>() {
            self.r#move(py, text.to_cow()?.as_ref())?.code
        } else {
            return Err(PyTypeError::new_err("play() expects a Move or its text"));
        };
        if self.inner.outcome().is_some() {
            return Err(value_error("the game is over: there is no move"));
        }
        match self.inner.play(code) {
            Some(inner) => Ok(Position { inner, clock: self.clock }),
            None => Err(foreign_move(py, &mv.str()?.to_cow()?)),
        }
    }

    /// The outcome of the game; `None` while it goes on.
    fn outcome(&self) -> Option<Outcome> {
        Outcome::of(&*self.inner)
    }

    /// The board as text.
    fn render(&self) -> String {
        self.inner.picture()
    }

    /// The board as an SVG document.
    #[pyo3(signature = (width=None))]
    fn render_svg(&self, width: Option<u32>) -> PyResult<String> {
        if width == Some(0) {
            return Err(value_error("width: expected 1 or more"));
        }
        let drawing = self.inner.drawing().ok_or_else(|| value_error("this game has no drawing"))?;
        Ok(boards::picture(&drawing, &self.inner.kind().sides, width))
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        self.render_svg(None)
    }

    /// The text of an input file that asks for a move.
    #[pyo3(signature = (seconds=None, control=None))]
    fn input(&self, seconds: Option<f64>, control: Option<&str>) -> PyResult<String> {
        if self.inner.outcome().is_some() {
            return Err(value_error("the game is over: no input file asks for a move"));
        }
        let (own, clock) = self.clock.unwrap_or((TimeControl::Game, Duration::from_secs(1)));
        let control = match control {
            None => own,
            Some("SINGLE") => TimeControl::Single,
            Some("GAME") => TimeControl::Game,
            Some(other) => return Err(value_error(format!("control: expected 'SINGLE' or 'GAME', found '{other}'"))),
        };
        Ok(self.inner.input(control, seconds.map_or(Ok(clock), duration)?))
    }

    /// The counts for each side, such as pieces left.
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        for (side, counts) in self.inner.kind().sides.iter().zip(self.inner.counts()) {
            let of_side = PyDict::new(py);
            for (what, number) in counts {
                of_side.set_item(what, number)?;
            }
            all.set_item(side, of_side)?;
        }
        Ok(all)
    }

    /// The cells of the board, one byte each.
    #[getter]
    fn cells<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let drawing = self.inner.drawing().unwrap_or_default();
        let cell = |cell: &engine::drawing::Cell| match cell.piece {
            _ if cell.missing => b'#',
            None => b'.',
            Some((side, _)) => b"01"[side.index()],
        };
        PyBytes::new(py, &drawing.cells.iter().map(cell).collect::<Vec<u8>>())
    }

    /// The numbers of columns and rows of the board.
    #[getter]
    fn size(&self) -> (usize, usize) {
        self.inner.drawing().map_or((0, 0), |drawing| (drawing.width, drawing.height))
    }

    /// The number of lines of `depth` moves.
    fn perft(&self, py: Python<'_>, depth: u32) -> PyResult<u64> {
        if depth < 2 {
            return Ok(self.inner.perft(depth));
        }
        let mut lines = 0;
        for (code, paths) in self.inner.weights() {
            py.check_signals()?;
            let Some(after) = self.inner.play(code) else { continue };
            lines += paths * py.detach(|| after.perft(depth - 1));
        }
        Ok(lines)
    }

    /// Chooses a move as the agents do.
    #[pyo3(signature = (*, nodes=None, depth=None, seconds=None, hash=None, full_width=false, on_iteration=None))]
    #[allow(clippy::too_many_arguments)]
    fn think(
        &self,
        py: Python<'_>,
        nodes: Option<u64>,
        depth: Option<u32>,
        seconds: Option<f64>,
        hash: Option<u32>,
        full_width: bool,
        on_iteration: Option<Py<PyAny>>,
    ) -> PyResult<Report> {
        let search_request = self.search_request(nodes, depth, seconds, hash, full_width)?;
        let (inner, main) = (&self.inner, is_main_thread(py)?);
        let (found, error) = py.detach(|| {
            let watch = InterruptibleClock::start(main);
            let found = inner.think(&search_request, &watch, &mut |found| {
                report_iteration(inner, &watch, on_iteration.as_ref(), found)
            });
            (found, watch.into_error())
        });
        match error {
            Some(error) => Err(error),
            None => Report::new(py, inner, found),
        }
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let Ok(other) = other.cast::<Position>() else { return false };
        self.inner.same(&*other.get().inner)
    }

    fn __hash__(&self) -> u64 {
        self.inner.key()
    }

    fn __copy__(position: Py<Position>) -> Py<Position> {
        position
    }

    fn __deepcopy__(position: Py<Position>, _memo: &Bound<'_, PyAny>) -> Py<Position> {
        position
    }

    fn __str__(&self) -> String {
        self.inner.picture()
    }

    fn __repr__(&self) -> String {
        match Outcome::of(&*self.inner) {
            Some(_) => format!("<Position {}: the game is over>", self.game()),
            None => format!("<Position {}: {} to move>", self.game(), self.side()),
        }
    }
}

impl Position {
    fn move_of_code(&self, code: u32) -> Move {
        Move { inner: Arc::clone(&self.inner), code }
    }

    fn search_request(
        &self,
        nodes: Option<u64>,
        depth: Option<u32>,
        seconds: Option<f64>,
        hash: Option<u32>,
        full_width: bool,
    ) -> PyResult<SearchRequest> {
        if self.inner.outcome().is_some() {
            return Err(value_error("the game is over: there is nothing to choose"));
        }
        if seconds.is_some() && (nodes.is_some() || depth.is_some()) {
            return Err(value_error("seconds: expected alone, without nodes and depth"));
        }
        if depth.is_some_and(|depth| depth == 0 || depth >= MAX_PLY) {
            return Err(value_error(format!("depth: expected 1 to {}", MAX_PLY - 1)));
        }
        if nodes == Some(0) {
            return Err(value_error("nodes: expected 1 or more"));
        }
        if hash.is_some_and(|hash| hash == 0 || hash > MOST_HASH) {
            return Err(value_error(format!("hash: expected 1 to {MOST_HASH} MiB")));
        }
        let clock = match (seconds, nodes.is_some() || depth.is_some()) {
            (Some(seconds), _) => Some((TimeControl::Single, duration(seconds)?)),
            (None, true) => None,
            (None, false) => Some(self.clock.unwrap_or((TimeControl::Single, duration(SECONDS)?))),
        };
        Ok(SearchRequest { nodes, depth, clock, hash, full_width })
    }
}

/// Calls the Python listener with an iteration. Returns `false` if the search should stop.
fn report_iteration(
    inner: &Arc<dyn AnyPosition>,
    watch: &InterruptibleClock,
    listener: Option<&Py<PyAny>>,
    found: SearchResult,
) -> bool {
    let Some(listener) = listener else { return true };
    let answer = Python::try_attach(|py| -> PyResult<bool> {
        let answer = listener.call1(py, (Report::new(py, inner, found)?,))?;
        Ok(!answer.bind(py).is(pyo3::types::PyBool::new(py, false)))
    });
    match answer {
        Some(Ok(go_on)) => {
            if !go_on {
                watch.stop(None);
            }
            go_on
        }
        Some(Err(error)) => {
            watch.stop(Some(error));
            false
        }
        None => false,
    }
}

fn duration(seconds: f64) -> PyResult<Duration> {
    if seconds > 0.0 {
        Ok(Duration::from_secs_f64(seconds.min(MOST_SECONDS)).max(Duration::from_nanos(1)))
    } else {
        Err(value_error(format!("expected seconds above 0, found {seconds}")))
    }
}
