//! What learners need of a game beyond [`anygame`]: its moves and positions as numbers, many games
//! at once, random games, and ratings of moves. All of it knows the type of the game.

use crate::batch::{AnyBatch, Batch, BatchOptions};
use crate::rates;
use crate::tally::{self, Tally};
use crate::turn::{AnyTurn, Encoding, Turn};
use anygame::built_in::coded;
use anygame::{AnyPosition, Position};
use engine::drawing::CellValues;
use engine::{Explain, RuleSet, search};
use pyo3::PyResult;
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::Arc;

/// A game as learners see it. Positions are of this game.
pub(crate) trait Learning: Send + Sync {
    /// The values of the cells, in a game that has some; such a game counts points.
    fn values(&self, position: &dyn AnyPosition) -> Option<CellValues>;
    /// The turn as numbers, with cells as actions if asked for; `None` if the game is not told by
    /// numbers.
    fn turn(&self, position: &dyn AnyPosition, squares: bool) -> Option<Box<dyn AnyTurn>>;
    /// Many games at once, which begin with these positions, or with the start if there are none;
    /// `None` if the game is not told by numbers, and a `MemoryError` if they do not fit.
    fn batch(
        &self,
        options: BatchOptions,
        starts: &[Position],
    ) -> PyResult<Option<Box<dyn AnyBatch>>>;
    /// Plays the random games with these numbers, until `stop` says so.
    fn playouts(
        &self,
        position: &dyn AnyPosition,
        games: Range<u64>,
        seed: u64,
        ply_limit: u32,
        stop: &dyn Fn() -> bool,
    ) -> Tally;
    /// The codes of the legal moves, each with its expected result for the side to move. `stop`
    /// ends it early.
    fn rate_moves(
        &self,
        position: &dyn AnyPosition,
        nodes: u64,
        stop: &dyn Fn() -> bool,
    ) -> Vec<(u32, f64)>;
    /// The best moves, each with its line, the best one first: of the second, the first is left
    /// out, and so on.
    fn best_lines(
        &self,
        position: &dyn AnyPosition,
        count: usize,
        nodes: u64,
        stop: &dyn Fn() -> bool,
    ) -> Vec<search::Report<u32>>;
}

/// The [`Learning`] of a game.
pub(crate) struct Learner<G>(PhantomData<fn() -> G>);

impl<G: Explain> Learner<G> {
    /// That of this game.
    pub(crate) const GAME: &'static dyn Learning = &Learner::<G>(PhantomData);
}

/// The position as one of its game's own type.
fn of<G: Explain>(position: &dyn AnyPosition) -> &G {
    position.as_any().downcast_ref().expect("a position of this game")
}

impl<G: Explain> Learning for Learner<G> {
    fn values(&self, position: &dyn AnyPosition) -> Option<CellValues> {
        of::<G>(position).cell_values()
    }

    fn turn(&self, position: &dyn AnyPosition, squares: bool) -> Option<Box<dyn AnyTurn>> {
        let position: &G = of(position);
        let encoding = Arc::new(Encoding::of(position, squares)?);
        Some(Box::new(Turn::new(position.clone(), encoding)))
    }

    fn batch(
        &self,
        options: BatchOptions,
        starts: &[Position],
    ) -> PyResult<Option<Box<dyn AnyBatch>>> {
        let mut starts: Vec<G> = starts.iter().map(|start| of::<G>(&**start).clone()).collect();
        if starts.is_empty() {
            starts.extend(G::Rules::by_name(options.rules).map(G::start));
        }
        Batch::boxed(options, starts)
    }

    fn playouts(
        &self,
        position: &dyn AnyPosition,
        games: Range<u64>,
        seed: u64,
        ply_limit: u32,
        stop: &dyn Fn() -> bool,
    ) -> Tally {
        tally::play_games(of::<G>(position), games, seed, ply_limit, stop)
    }

    fn rate_moves(
        &self,
        position: &dyn AnyPosition,
        nodes: u64,
        stop: &dyn Fn() -> bool,
    ) -> Vec<(u32, f64)> {
        let position: &G = of(position);
        let moves = position.legal_moves();
        let expected = rates::rate_moves(position, &moves, nodes, stop);
        moves.iter().map(|&mv| position.encode(mv)).zip(expected).collect()
    }

    fn best_lines(
        &self,
        position: &dyn AnyPosition,
        count: usize,
        nodes: u64,
        stop: &dyn Fn() -> bool,
    ) -> Vec<search::Report<u32>> {
        let position: &G = of(position);
        let lines = rates::best_lines(&G::as_searched(position), count, nodes, stop);
        lines.iter().map(|report| coded(position, report)).collect()
    }
}
