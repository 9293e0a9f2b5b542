//! What a game says of the numbers that are fitted.

use crate::played::Played;
use engine::{Playable, Side};
use std::fmt::Debug;

/// A coefficient's number and its factor in a sum.
pub type Term = (usize, f64);

/// The evaluation of a game as a sum of coefficients times features, and the games that it is fitted to.
pub trait Fit: Sync {
    /// The game.
    type Game: Playable;
    /// The numbers that an evaluation plays with.
    type Version: Clone + PartialEq + Debug + Send + Sync;

    /// The numbers to begin with.
    fn first(&self) -> Self::Version;

    /// Numbers from a file.
    ///
    /// # Errors
    /// What is wrong with the text.
    fn read(&self, text: &str) -> Result<Self::Version, String>;

    /// The text of a file of numbers.
    fn text(&self, version: &Self::Version) -> String;

    /// The position as a search with these numbers should see it.
    fn seen(&self, version: &Self::Version, position: &Self::Game) -> Self::Game;

    /// The knowledge to search it with.
    fn knowledge(&self, version: &Self::Version) -> <Self::Game as Playable>::Knowledge;

    /// The nodes of a side's search where a search has so many: a side that would hardly ever win may have more.
    fn nodes(&self, side: Side, nodes: u64) -> u64 {
        let _ = side;
        nodes
    }

    /// By how much the first side has won, in moves, once that is known; the sooner known the better. Asked after every
    /// move, so it has to be cheap where the answer is `None`.
    fn margin(&self, position: &Self::Game) -> Option<f64>;

    /// Coefficients to fit.
    fn count(&self) -> usize;

    /// Appends the terms whose sum is the evaluation of `leaf` in a search from `root`, in moves, from the first side's
    /// view.
    fn terms(&self, root: &Self::Game, leaf: &Self::Game, out: &mut Vec<Term>);

    /// Sums of coefficients that should stay as they are, each with a weight: what keeps neighbours alike.
    fn ties(&self) -> Vec<(f64, Vec<Term>)>;

    /// The coefficients of a version.
    fn coefficients(&self, version: &Self::Version) -> Vec<f64>;

    /// The version with these coefficients.
    fn with_coefficients(&self, version: &Self::Version, coefficients: &[f64]) -> Self::Version;

    /// The version with what follows from its coefficients and is measured in games, not fitted.
    fn completed(&self, version: Self::Version, games: &[Played]) -> Self::Version {
        let _ = games;
        version
    }
}
