//! The Python class `Position`.

use crate::clock::{InterruptibleClock, interruptibly, is_main_thread};
use crate::errors::{failed, foreign_move, move_error, value_error};
use crate::list::{game_of, learning_of};
use crate::moves::Move;
use crate::numbers::{Whole, room};
use crate::pickle::{self, line};
use crate::report::{Found, Outcome, Report};
use anygame::{AnyPosition, tree};
use engine::TimeControl;
use engine::search::{self, MAX_PLY, Observer};
use engine::think::Settings;
use pyo3::exceptions::{PyIndexError, PyMemoryError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString};
use std::sync::Arc;
use std::time::Duration;

/// The default thinking time in seconds, if neither the call nor the position has a limit.
const SECONDS: f64 = 1.0;
/// The largest clock, in seconds; larger values are clamped to it.
const MOST_SECONDS: f64 = 1e9;
/// The largest transposition table, in MiB.
const MOST_HASH: i64 = 1 << 16;

/// An immutable position of a game. Two positions are equal if nothing distinguishes them for the
/// rest of the game, whatever moves led to them. `position[x, y]` is the name of the side whose
/// piece stands on column x, row y, both from 0 at the top left; `None` for an empty cell, and
/// `IndexError` off the board. A pickled position keeps its history.
#[pyclass(frozen, module = "menagerie")]
pub(crate) struct Position {
    pub inner: Arc<dyn AnyPosition>,
    pub clock: Option<(TimeControl, Duration)>,
}

#[pymethods]
impl Position {
    /// The order of `help()`.
    #[classattr]
    #[pyo3(name = "_fields")]
    const HELP_ORDER: [&'static str; 21] = [
        "legal_moves",
        "play",
        "think",
        "outcome",
        "undo",
        "render",
        "best_lines",
        "minimax",
        "render_svg",
        "input",
        "perft",
        "rate_moves",
        "game",
        "side",
        "history",
        "size",
        "cells",
        "values",
        "rules",
        "clock",
        "_repr_svg_",
    ];

    /// The name of the game.
    #[getter]
    fn game(&self) -> &str {
        self.inner.game()
    }

    /// The name of the rule set.
    #[getter]
    fn rules(&self) -> &'static str {
        self.inner.rules()
    }

    /// The name of the side to move, as in the files.
    #[getter]
    fn side(&self) -> &'static str {
        game_of(&*self.inner).sides[self.inner.side_to_move().index()]
    }

    /// The seconds on the clock, as in the input text; moves do not change it. `None` without a
    /// clock.
    #[getter]
    fn clock(&self) -> Option<f64> {
        self.clock.map(|(_, clock)| clock.as_secs_f64())
    }

    /// Returns every legal move once, in an order that depends only on the position; empty when the
    /// game is over. Chains of jumps with the same effect are one move.
    fn legal_moves(&self) -> Vec<Move> {
        self.inner.codes().into_iter().map(|code| self.move_of_code(code)).collect()
    }

    /// Returns the position after a move: a `Move`, its text as in output.txt (`E 1,2 3,4`), or its
    /// text for people (`A1 Sneak`). Raises `MoveError` with the judge's message, and `ValueError`
    /// when the game is over.
    fn play(&self, py: Python<'_>, mv: &Bound<'_, PyAny>) -> PyResult<Position> {
        match Arc::clone(&self.inner).play(self.code_of(py, mv)?) {
            Ok(inner) => Ok(Position { inner, clock: self.clock }),
            Err(_) => Err(foreign_move(py, &mv.str()?.to_cow()?)),
        }
    }

    /// Returns the position before the last move. Raises `ValueError` if no move led to this
    /// position.
    fn undo(&self) -> PyResult<Position> {
        let (inner, _) =
            self.inner.last().ok_or_else(|| value_error("no move led to this position"))?;
        Ok(Position { inner, clock: self.clock })
    }

    /// The moves that led to this position from the start or from the input file, the oldest first.
    #[getter]
    fn history(&self) -> Vec<Move> {
        line(&self.inner).1.into_iter().map(|(inner, code)| Move { inner, code }).collect()
    }

    /// Returns the outcome; `None` while the game goes on. The ply limit is the referee's: see
    /// `Game.ply_limit`.
    fn outcome(&self) -> Option<Outcome> {
        Outcome::of(&*self.inner)
    }

    /// Returns the board as text, the last move marked.
    fn render(&self) -> String {
        self.inner.marked_picture()
    }

    /// Returns the board as an SVG document, `width` pixels wide, the last move marked. Notebooks
    /// display a position this way.
    #[pyo3(signature = (width=None))]
    fn render_svg(&self, width: Option<Whole>) -> PyResult<String> {
        let width = width
            .map(|width| width.within("width", 1, 1 << 16).map(|width| width as u32))
            .transpose()?;
        let drawing =
            self.inner.drawing().ok_or_else(|| value_error("this game has no drawing"))?;
        Ok(boards::picture(&drawing, &game_of(&*self.inner).sides, width))
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        self.render_svg(None)
    }

    /// Returns the input file that asks for a move, by default with the position's own clock, or 1
    /// s for a game if it has none. Raises `ValueError` when the game is over.
    #[pyo3(signature = (seconds=None, control=None))]
    fn input(&self, seconds: Option<f64>, control: Option<&str>) -> PyResult<String> {
        self.goes_on("no input file asks for a move")?;
        let (own, clock) = self.clock.unwrap_or((TimeControl::Game, Duration::from_secs(1)));
        let control = match control {
            None => own,
            Some("SINGLE") => TimeControl::Single,
            Some("GAME") => TimeControl::Game,
            Some(other) => {
                return Err(value_error(format!(
                    "control: expected 'SINGLE' or 'GAME', found '{other}'"
                )));
            }
        };
        self.inner.input(control, seconds.map_or(Ok(clock), duration)?).map_err(failed)
    }

    /// The board, one byte a cell, row by row from the top left: `0` for a piece of the first side,
    /// `1` for one of the second, `.` for an empty cell, `#` off the board.
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

    /// The values of Squirrels' squares, row by row from the top left; `None` in other games.
    #[getter]
    fn values(&self) -> Option<Vec<u32>> {
        learning_of(&*self.inner).values(&*self.inner).map(|values| values.values)
    }

    /// The side whose piece stands on a cell.
    fn __getitem__(&self, place: (Whole, Whole)) -> PyResult<Option<&'static str>> {
        let (x, y) = place;
        let drawing = self.inner.drawing().unwrap_or_default();
        let place = usize::try_from(x.value()).ok().zip(usize::try_from(y.value()).ok());
        let inside = place.filter(|&(x, y)| x < drawing.width && y < drawing.height);
        let cell =
            inside.map(|(x, y)| &drawing.cells[y * drawing.width + x]).filter(|cell| !cell.missing);
        let cell =
            cell.ok_or_else(|| PyIndexError::new_err(format!("{x}, {y} is no cell of the board")))?;
        Ok(cell.piece.map(|(side, _)| game_of(&*self.inner).sides[side.index()]))
    }

    /// Returns the number of lines of `depth` moves. In FoxGame a chain counts once for each order
    /// of its jumps. ^C ends it with `KeyboardInterrupt`.
    fn perft(&self, py: Python<'_>, depth: Whole) -> PyResult<u64> {
        let depth = depth.within("depth", 0, MAX_PLY.into())? as u32;
        interruptibly(py, |watch| self.inner.perft(depth, &|| watch.is_interrupted()))?
            .map_err(failed)
    }

    /// Returns every legal move with its expected result for the side to move, from 0 (a loss) to 1
    /// (a win), in the order of `legal_moves`. Each is searched by itself, and the nodes are
    /// divided among them: the best of these moves is weaker than that of `think`. Neither tables
    /// nor proofs are asked. ^C ends it with `KeyboardInterrupt`. Raises `ValueError` when the game
    /// is over.
    #[pyo3(signature = (*, nodes=Whole::new(20_000)), text_signature = "($self, *, nodes=20000)")]
    fn rate_moves(&self, py: Python<'_>, nodes: Whole) -> PyResult<Vec<(Move, f64)>> {
        let nodes = nodes.within("nodes", 1, i64::MAX)?;
        self.goes_on("there is nothing to rate")?;
        let rated = interruptibly(py, |watch| {
            learning_of(&*self.inner).rate_moves(&*self.inner, nodes, &|| watch.is_interrupted())
        })?;
        Ok(rated.into_iter().map(|(code, expected)| (self.move_of_code(code), expected)).collect())
    }

    /// Returns so many best moves, each as a report with its line, the best one first; fewer if
    /// there are fewer legal moves. The nodes are divided among them. Neither tables nor proofs are
    /// asked, so that the first may differ from that of `think`. ^C ends it with
    /// `KeyboardInterrupt`. Raises `ValueError` when the game is over.
    #[pyo3(
        signature = (count=Whole::new(3), *, nodes=Whole::new(60_000)),
        text_signature = "($self, count=3, *, nodes=60000)"
    )]
    fn best_lines(&self, py: Python<'_>, count: Whole, nodes: Whole) -> PyResult<Vec<Report>> {
        let count = count.within("count", 1, 1_000)? as usize;
        let nodes = nodes.within("nodes", 1, i64::MAX)?;
        self.goes_on("there is nothing to choose")?;
        let found = interruptibly(py, |watch| {
            learning_of(&*self.inner)
                .best_lines(&*self.inner, count, nodes, &|| watch.is_interrupted())
        })?;
        found
            .iter()
            .map(|found| Report::new(py, &self.inner, Found::searched(&*self.inner, found)))
            .collect()
    }

    /// Returns the move of full-width minimax of `depth` plies, with an evaluation of your own at
    /// its end.
    ///
    /// `evaluate` is called with lists of positions whose game is not over, at most `batch` of them
    /// at a time, and returns a sequence of as many numbers: the expected result of each position
    /// for its side to move, from 0 (a loss) to 1 (a win). Finished games count 1, 0 or 0.5. The
    /// report has `expected`, `pv`, and `nodes`, the number of positions that were evaluated; of
    /// moves of equal value the first in the order of `legal_moves` is chosen. Raises `ValueError`
    /// for numbers that are not from 0 to 1, for a tree of more than a million positions, and when
    /// the game is over. ^C ends it with `KeyboardInterrupt`.
    #[pyo3(
        signature = (evaluate, *, depth=Whole::new(1), batch=Whole::new(1024)),
        text_signature = "($self, evaluate, *, depth=1, batch=1024)"
    )]
    fn minimax(
        &self,
        py: Python<'_>,
        evaluate: Bound<'_, PyAny>,
        depth: Whole,
        batch: Whole,
    ) -> PyResult<Report> {
        let depth = depth.within("depth", 1, MAX_PLY.into())? as u32;
        let batch = batch.within("batch", 1, 1 << 20)? as usize;
        self.goes_on("there is nothing to choose")?;
        let ask = |leaves: Vec<Arc<dyn AnyPosition>>| {
            let (positions, most) = (PyList::empty(py), leaves.len() + 1);
            for inner in leaves {
                positions.append(Position { inner, clock: None })?;
            }
            let values = evaluate.call1((positions,))?.try_iter()?.map(|value| value?.extract());
            Ok(values.take(most).collect::<PyResult<Vec<f64>>>()?)
        };
        let poll = || {
            // More than the moves of a position take, for which nobody asks before.
            drop(room::<u8>(1 << 20)?);
            Ok(py.check_signals()?)
        };
        let found = tree::minimax(&self.inner, depth, batch, &ask, &poll).map_err(failed)?;
        let tree::Minimaxed { line, expected, evaluated } = found;
        let (best, expected, nodes) = (line[0], Some(expected), evaluated as u64);
        let found = Found { best, depth, nodes, line, expected, ..Found::default() };
        Report::new(py, &self.inner, found)
    }

    /// Chooses a move as the agents do.
    ///
    /// `nodes` and `depth` (plies, 1 to 119) limit the search, and give the same move on every
    /// machine. `seconds` is wall time and excludes the other two. Without a limit the position's
    /// clock counts, or 1 s if it has none. `hash` is the size of the transposition table in MiB;
    /// by default what the nodes or the clock can fill, at most
    /// 128. `full_width` turns the selective options off, which gives the value of plain minimax.
    ///      `on_iteration` is
    /// called with each finished iteration, and ends the search by returning `False`.
    ///
    /// Other Python threads run during the search. In the main thread ^C ends it with
    /// `KeyboardInterrupt`; an exception of `on_iteration` ends it with that exception. Raises
    /// `ValueError` for invalid limits, and when the game is over, and `MemoryError` if the table
    /// cannot be had.
    #[pyo3(signature = (*, nodes=None, depth=None, seconds=None, hash=None, full_width=false, on_iteration=None))]
    #[allow(clippy::too_many_arguments)]
    fn think(
        &self,
        py: Python<'_>,
        nodes: Option<Whole>,
        depth: Option<Whole>,
        seconds: Option<f64>,
        hash: Option<Whole>,
        full_width: bool,
        on_iteration: Option<Py<PyAny>>,
    ) -> PyResult<Report> {
        let (control, settings) = self.settings(nodes, depth, seconds, hash, full_width)?;
        let (inner, main) = (&self.inner, is_main_thread(py)?);
        let (found, error) = py.detach(|| {
            let watch = InterruptibleClock::start(main);
            let mut iterations = Iterations {
                inner,
                watch: &watch,
                listener: on_iteration.as_ref(),
                stopped: false,
            };
            let found = inner.think(control, &settings, &watch, &mut iterations);
            (found, watch.into_error())
        });
        match error {
            Some(error) => Err(error),
            None => Report::new(py, inner, Found::thought(&**inner, found.map_err(failed)?)),
        }
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let Ok(other) = other.cast::<Position>() else { return false };
        self.inner.is_same(&*other.get().inner)
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

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Pickled)> {
        let clock = self
            .clock
            .map(|(control, clock)| (control == TimeControl::Game, clock.as_nanos() as u64));
        let function = pickle::function(py, "_position")?;
        Ok((function, (pickle::dump(&self.inner)?, clock)))
    }

    fn __str__(&self) -> String {
        self.inner.marked_picture()
    }

    fn __repr__(&self) -> String {
        match Outcome::of(&*self.inner) {
            Some(_) => format!("<Position {}: the game is over>", self.game()),
            None => format!("<Position {}: {} to move>", self.game(), self.side()),
        }
    }
}

/// A position as it is pickled, and its clock: whether it is for the game, and nanoseconds.
type Pickled = (pickle::Pickled, Option<(bool, u64)>);

/// Restores a pickled position.
#[pyfunction]
pub(crate) fn _position(
    position: pickle::Pickled,
    clock: Option<(bool, u64)>,
) -> PyResult<Position> {
    let control = |game| if game { TimeControl::Game } else { TimeControl::Single };
    let clock = clock.map(|(game, nanos)| (control(game), Duration::from_nanos(nanos)));
    Ok(Position { inner: pickle::load(position)?, clock })
}

impl Position {
    /// The code of a move, or of a legal move's text.
    pub(crate) fn code_of(&self, py: Python<'_>, mv: &Bound<'_, PyAny>) -> PyResult<u32> {
        self.goes_on("there is no move")?;
        if let Ok(mv) = mv.cast::<Move>() {
            let (mv, own) = (mv.get(), self.game());
            if mv.inner.game() != own {
                let other = mv.inner.game();
                return Err(value_error(format!("a move of {other}, and a position of {own}")));
            }
            return Ok(mv.code);
        }
        let text = mv
            .cast::<PyString>()
            .map_err(|_| PyTypeError::new_err("expected a Move or its text"))?;
        let text = text.to_cow()?;
        let found = self.inner.read_move(&text).map_err(failed)?.or_else(|violation| {
            let mut moves = self.inner.legal_moves().into_iter();
            moves.find(|mv| mv.described == text.trim()).ok_or_else(|| move_error(py, &violation))
        })?;
        Ok(found.code)
    }

    /// An error that says what is impossible when the game is over.
    fn goes_on(&self, otherwise: &str) -> PyResult<()> {
        match self.inner.outcome() {
            Some(_) => Err(value_error(format!("the game is over: {otherwise}"))),
            None => Ok(()),
        }
    }

    fn move_of_code(&self, code: u32) -> Move {
        Move { inner: Arc::clone(&self.inner), code }
    }

    fn settings(
        &self,
        nodes: Option<Whole>,
        depth: Option<Whole>,
        seconds: Option<f64>,
        hash: Option<Whole>,
        full_width: bool,
    ) -> PyResult<((TimeControl, Duration), Settings)> {
        self.goes_on("there is nothing to choose")?;
        if seconds.is_some() && (nodes.is_some() || depth.is_some()) {
            return Err(value_error("seconds: expected alone, without nodes and depth"));
        }
        let within = |number: Option<Whole>, argument: &str, most: i64| {
            number.map(|number| number.within(argument, 1, most)).transpose()
        };
        let nodes = within(nodes, "nodes", i64::MAX)?;
        let depth = within(depth, "depth", i64::from(MAX_PLY) - 1)?.map(|depth| depth as u32);
        let hash = within(hash, "hash", MOST_HASH)?.map(|hash| hash as u32);
        let clock = match seconds {
            Some(seconds) => (TimeControl::Single, duration(seconds)?),
            None => self.clock.unwrap_or((TimeControl::Single, duration(SECONDS)?)),
        };
        Ok((clock, Settings { nodes, depth, hash_mib: hash, full_width, ..Settings::default() }))
    }
}

/// Calls the Python listener with each iteration, and stops the search when the listener or a
/// signal asks for it.
struct Iterations<'a> {
    inner: &'a Arc<dyn AnyPosition>,
    watch: &'a InterruptibleClock,
    listener: Option<&'a Py<PyAny>>,
    stopped: bool,
}

impl Observer<u32> for Iterations<'_> {
    fn iteration(&mut self, report: &search::Report<u32>) {
        let found = Found::searched(&**self.inner, report);
        self.stopped =
            self.stopped || !report_iteration(self.inner, self.watch, self.listener, found);
    }

    fn smaller_table(&mut self, asked: usize, _: usize) {
        let text = format!("hash: a table of {} MiB cannot be had", asked >> 20);
        self.watch.stop(Some(PyMemoryError::new_err(text)));
        self.stopped = true;
    }

    fn wants_stop(&mut self) -> bool {
        self.stopped || self.watch.is_interrupted()
    }
}

/// Calls the Python listener with an iteration. Returns `false` if the search should stop.
fn report_iteration(
    inner: &Arc<dyn AnyPosition>,
    watch: &InterruptibleClock,
    listener: Option<&Py<PyAny>>,
    found: Found,
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
        Err(value_error(format!("seconds: expected above 0, found {seconds}")))
    }
}
