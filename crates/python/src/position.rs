//! Positions as Python sees them.

use crate::errors::{bad, foreign_move, move_error};
use crate::face::{Face, Found, Want};
use crate::moves::Move;
use crate::report::{Outcome, Report};
use crate::svg;
use crate::watch::{Watch, is_main_thread};
use engine::TimeControl;
use engine::search::MAX_PLY;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};
use std::sync::Arc;
use std::time::Duration;

/// Seconds of thinking where neither the call nor the position names a limit.
const SECONDS: f64 = 1.0;
/// The most seconds that a clock can be given: beyond, all are the same.
const MOST_SECONDS: f64 = 1e9;
/// The largest transposition table, in MiB.
const MOST_HASH: u32 = 1 << 16;

/// A position. It never changes: a move leads to another one.
#[pyclass(frozen, module = "menagerie")]
pub(crate) struct Position {
    pub face: Arc<dyn Face>,
    pub clock: Option<(TimeControl, Duration)>,
}

#[pymethods]
impl Position {
    /// The name of the game.
    #[getter]
    fn game(&self) -> &'static str {
        self.face.kind().name
    }

    /// The name of the rule set.
    #[getter]
    fn rules(&self) -> &'static str {
        (self.face.kind().rules)().get(self.face.rules()).copied().unwrap_or_default()
    }

    /// The side to move.
    #[getter]
    fn side(&self) -> &'static str {
        self.face.kind().sides[self.face.side().index()]
    }

    /// What the clock is for.
    #[getter]
    fn control(&self) -> Option<&'static str> {
        self.clock.map(|(control, _)| control.word())
    }

    /// Seconds on the clock.
    #[getter]
    fn clock(&self) -> Option<f64> {
        self.clock.map(|(_, clock)| clock.as_secs_f64())
    }

    /// The legal moves.
    fn legal_moves(&self) -> Vec<Move> {
        self.face.codes().into_iter().map(|code| self.named(code)).collect()
    }

    /// The legal move that a text names.
    fn r#move(&self, py: Python<'_>, text: &str) -> PyResult<Move> {
        if self.face.outcome().is_some() {
            return Err(bad("the game is over: there is no move"));
        }
        self.face.read_move(text).map(|code| self.named(code)).map_err(|violation| move_error(py, &violation))
    }

    /// The position after a move.
    fn play(&self, py: Python<'_>, mv: &Bound<'_, PyAny>) -> PyResult<Position> {
        let code = if let Ok(mv) = mv.cast::<Move>() {
            let mv = mv.get();
            if mv.face.kind().name != self.game() {
                return Err(bad(format!("a move of {}, and a position of {}", mv.face.kind().name, self.game())));
            }
            mv.code
        } else if let Ok(text) = mv.cast::<PyString>() {
            self.r#move(py, text.to_cow()?.as_ref())?.code
        } else {
            return Err(PyTypeError::new_err("play() takes a Move or the text of one"));
        };
        if self.face.outcome().is_some() {
            return Err(bad("the game is over: there is no move"));
        }
        match self.face.play(code) {
            Some(face) => Ok(Position { face, clock: self.clock }),
            None => Err(foreign_move(py, &mv.str()?.to_cow()?)),
        }
    }

    /// The result.
    fn outcome(&self) -> Option<Outcome> {
        Outcome::of(&*self.face)
    }

    /// The board as text.
    fn render(&self) -> String {
        self.face.picture()
    }

    /// The board as a picture.
    #[pyo3(signature = (width=None))]
    fn render_svg(&self, width: Option<u32>) -> PyResult<String> {
        if width == Some(0) {
            return Err(bad("width: expected 1 or more"));
        }
        let drawing = self.face.drawing().ok_or_else(|| bad("this game has no drawing"))?;
        Ok(svg::write(&drawing, &self.face.kind().sides, width))
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        self.render_svg(None)
    }

    /// The input file.
    #[pyo3(signature = (seconds=None, control=None))]
    fn input(&self, seconds: Option<f64>, control: Option<&str>) -> PyResult<String> {
        if self.face.outcome().is_some() {
            return Err(bad("the game is over: no input file asks for a move"));
        }
        let (own, clock) = self.clock.unwrap_or((TimeControl::Game, Duration::from_secs(1)));
        let control = match control {
            None => own,
            Some("SINGLE") => TimeControl::Single,
            Some("GAME") => TimeControl::Game,
            Some(other) => return Err(bad(format!("control: expected 'SINGLE' or 'GAME', found '{other}'"))),
        };
        Ok(self.face.input(control, seconds.map_or(Ok(clock), duration)?))
    }

    /// What can be counted on the board.
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        for (side, counts) in self.face.kind().sides.iter().zip(self.face.counts()) {
            let of_side = PyDict::new(py);
            for (what, number) in counts {
                of_side.set_item(what, number)?;
            }
            all.set_item(side, of_side)?;
        }
        Ok(all)
    }

    /// The board's cells.
    #[getter]
    fn cells<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let drawing = self.face.drawing().unwrap_or_default();
        let cell = |cell: &engine::drawing::Cell| match cell.piece {
            _ if cell.missing => b'#',
            None => b'.',
            Some((side, _)) => b"01"[side.index()],
        };
        PyBytes::new(py, &drawing.cells.iter().map(cell).collect::<Vec<u8>>())
    }

    /// Columns and rows of the board.
    #[getter]
    fn size(&self) -> (usize, usize) {
        self.face.drawing().map_or((0, 0), |drawing| (drawing.width, drawing.height))
    }

    /// Counts lines of moves.
    fn perft(&self, py: Python<'_>, depth: u32) -> PyResult<u64> {
        if depth < 2 {
            return Ok(self.face.perft(depth));
        }
        let mut lines = 0;
        for (code, paths) in self.face.weights() {
            py.check_signals()?;
            let Some(after) = self.face.play(code) else { continue };
            lines += paths * py.detach(|| after.perft(depth - 1));
        }
        Ok(lines)
    }

    /// Chooses a move.
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
        let want = self.want(nodes, depth, seconds, hash, full_width)?;
        let (face, main) = (&self.face, is_main_thread(py)?);
        let (found, error) = py.detach(|| {
            let watch = Watch::start(main);
            let found = face.think(&want, &watch, &mut |found| tell(face, &watch, on_iteration.as_ref(), found));
            (found, watch.into_error())
        });
        match error {
            Some(error) => Err(error),
            None => Report::new(py, face, found),
        }
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let Ok(other) = other.cast::<Position>() else { return false };
        self.face.same(&*other.get().face)
    }

    fn __hash__(&self) -> u64 {
        self.face.key()
    }

    fn __copy__(position: Py<Position>) -> Py<Position> {
        position
    }

    fn __deepcopy__(position: Py<Position>, _memo: &Bound<'_, PyAny>) -> Py<Position> {
        position
    }

    fn __str__(&self) -> String {
        self.face.picture()
    }

    fn __repr__(&self) -> String {
        match Outcome::of(&*self.face) {
            Some(_) => format!("<Position {}: the game is over>", self.game()),
            None => format!("<Position {}: {} to move>", self.game(), self.side()),
        }
    }
}

impl Position {
    fn named(&self, code: u32) -> Move {
        Move { face: Arc::clone(&self.face), code }
    }

    fn want(
        &self,
        nodes: Option<u64>,
        depth: Option<u32>,
        seconds: Option<f64>,
        hash: Option<u32>,
        full_width: bool,
    ) -> PyResult<Want> {
        if self.face.outcome().is_some() {
            return Err(bad("the game is over: there is nothing to choose"));
        }
        if seconds.is_some() && (nodes.is_some() || depth.is_some()) {
            return Err(bad("seconds: expected alone, without nodes and depth"));
        }
        if depth.is_some_and(|depth| depth == 0 || depth >= MAX_PLY) {
            return Err(bad(format!("depth: expected 1 to {}", MAX_PLY - 1)));
        }
        if nodes == Some(0) {
            return Err(bad("nodes: expected 1 or more"));
        }
        if hash.is_some_and(|hash| hash == 0 || hash > MOST_HASH) {
            return Err(bad(format!("hash: expected 1 to {MOST_HASH} MiB")));
        }
        let clock = match (seconds, nodes.is_some() || depth.is_some()) {
            (Some(seconds), _) => Some((TimeControl::Single, duration(seconds)?)),
            (None, true) => None,
            (None, false) => Some(self.clock.unwrap_or((TimeControl::Single, duration(SECONDS)?))),
        };
        Ok(Want { nodes, depth, clock, hash, full_width })
    }
}

/// Tells Python of an iteration; `false` ends the thinking.
fn tell(face: &Arc<dyn Face>, watch: &Watch, listener: Option<&Py<PyAny>>, found: Found) -> bool {
    let Some(listener) = listener else { return true };
    let answer = Python::try_attach(|py| -> PyResult<bool> {
        let answer = listener.call1(py, (Report::new(py, face, found)?,))?;
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
        Err(bad(format!("expected seconds above 0, found {seconds}")))
    }
}
