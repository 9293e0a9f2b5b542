//! Random games from a position: the class `Playouts` and the function `playouts`.

use crate::clock::interruptibly;
use crate::errors::{failed, thread_error};
use crate::list::{by_name, checked_limit, game_of, learning_of};
use crate::numbers::Whole;
use crate::pickle;
use crate::position::Position;
use crate::tally::Tally;
use crate::threads::in_threads;
use anygame::AnyGame;
use engine::Side;
use pyo3::prelude::*;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};

/// The number of games that a thread plays before it looks for more.
const CHUNK: u64 = 64;

/// The results of random games: see `playouts`.
#[pyclass(frozen, module = "menagerie")]
pub(crate) struct Playouts {
    tally: Tally,
    /// The name of the game.
    game: &'static str,
    sides: [&'static str; 2],
    mover: Side,
    counts_points: bool,
}

/// Sums as they are pickled: the game, the index of the side to move, and the numbers of the
/// [`Tally`].
type Pickled = (String, u8, Sums);
type Sums = (u64, [u64; 2], u64, u64, i64);

/// Restores pickled sums.
#[pyfunction]
pub(crate) fn _playouts(game: &str, mover: u8, sums: Sums) -> PyResult<Playouts> {
    let (known, (games, wins, draws, plies, margin)) = (by_name(game)?, sums);
    let tally = Tally { games, wins, draws, plies, margin };
    let AnyGame { name, sides, rules, .. } = known.game;
    let start = rules.start(None).map_err(failed)?;
    let counts_points = known.learning.values(&*start).is_some();
    Ok(Playouts {
        tally,
        game: name,
        sides,
        mover: Side::BOTH[usize::from(mover % 2)],
        counts_points,
    })
}

#[pymethods]
impl Playouts {
    #[classattr]
    #[pyo3(name = "_fields")]
    const HELP_ORDER: [&'static str; 7] =
        ["expected", "wins", "draws", "unfinished", "margin", "games", "plies"];

    /// The number of games.
    #[getter]
    fn games(&self) -> u64 {
        self.tally.games
    }

    /// The number of games that each side has won.
    #[getter]
    fn wins(&self) -> HashMap<&'static str, u64> {
        self.sides.into_iter().zip(self.tally.wins).collect()
    }

    /// The number of draws.
    #[getter]
    fn draws(&self) -> u64 {
        self.tally.draws
    }

    /// The number of games that were cut at the limit of plies.
    #[getter]
    fn unfinished(&self) -> u64 {
        self.tally.games - self.tally.draws - self.tally.wins.iter().sum::<u64>()
    }

    /// The number of plies of all games.
    #[getter]
    fn plies(&self) -> u64 {
        self.tally.plies
    }

    /// The first side's points minus the second's, on the average; `None` in games without points.
    #[getter]
    fn margin(&self) -> Option<f64> {
        self.counts_points.then(|| self.tally.margin as f64 / self.tally.games as f64)
    }

    /// The mean result of the side to move, from 0 (always lost) to 1 (always won); a draw and an
    /// unfinished game count 1/2.
    #[getter]
    fn expected(&self) -> f64 {
        let (won, lost) =
            (self.tally.wins[self.mover.index()], self.tally.wins[self.mover.other().index()]);
        (won as f64 - lost as f64) / self.tally.games as f64 / 2.0 + 0.5
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Pickled)> {
        let function = pickle::function(py, "_playouts")?;
        let Tally { games, wins, draws, plies, margin } = self.tally;
        Ok((
            function,
            (self.game.into(), self.mover.index() as u8, (games, wins, draws, plies, margin)),
        ))
    }

    fn __repr__(&self) -> String {
        let [first, second] = self.sides;
        let [one, two] = self.tally.wins;
        let games = self.tally.games;
        format!(
            "<Playouts {games} games: {first} {one}, {second} {two}, {} draws, {} unfinished>",
            self.draws(),
            self.unfinished()
        )
    }
}

/// Plays `n` random games from a position, each to its end or for `ply_limit` plies (by default the
/// game's), and returns the sums. Each legal move is equally likely. The result depends on the seed
/// alone, not on the number of threads. Other Python threads run meanwhile; ^C ends it with
/// `KeyboardInterrupt`.
#[pyfunction]
#[pyo3(
    signature = (position, n=Whole::new(1000), seed=Whole::new(0), threads=Whole::new(1), *, ply_limit=None),
    text_signature = "(position, n=1000, seed=0, threads=1, *, ply_limit=None)"
)]
pub(crate) fn playouts(
    py: Python<'_>,
    position: &Position,
    n: Whole,
    seed: Whole,
    threads: Whole,
    ply_limit: Option<Whole>,
) -> PyResult<Playouts> {
    let inner = &position.inner;
    let learning = learning_of(&**inner);
    let games = n.within("n", 1, i64::MAX)?;
    let threads = threads.within("threads", 1, 1024)?;
    let seed = seed.within("seed", 0, i64::MAX - 1)?;
    let ply_limit = checked_limit(ply_limit, &**inner)?;
    let next = AtomicU64::new(0);
    let work = |_, stop: &dyn Fn() -> bool| {
        let mut tally = Tally::default();
        loop {
            let begin = next.fetch_add(CHUNK, Ordering::Relaxed);
            if begin >= games || stop() {
                return tally;
            }
            let games = begin..games.min(begin + CHUNK);
            tally.add(learning.playouts(&**inner, games, seed, ply_limit, stop));
        }
    };
    let tallies = interruptibly(py, |clock| in_threads(clock, 0..threads, work))?;
    let mut tally = Tally::default();
    tallies.map_err(thread_error)?.into_iter().for_each(|other| tally.add(other));
    let counts_points = learning.values(&**inner).is_some();
    let AnyGame { name, sides, .. } = *game_of(&**inner);
    Ok(Playouts { tally, game: name, sides, mover: inner.side_to_move(), counts_points })
}
