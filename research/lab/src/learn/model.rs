//! The interface between a game and the learning loop.

use crate::learn::game_record::GameRecord;
use engine::Playable;
use std::fmt::Debug;

/// A term of a linear sum: the number of a coefficient and its factor.
pub(crate) type Term = (usize, f64);

/// Returns the sum of terms with these coefficients.
pub(crate) fn sum_of(terms: &[Term], coefficients: &[f64]) -> f64 {
    terms.iter().map(|&(number, factor)| coefficients[number] * factor).sum()
}

/// A game's evaluation function as a linear model, a sum of coefficients times features, that can
/// be fitted to games.
pub(crate) trait LinearModel: Sync {
    /// The position type of the game.
    type Game: Playable;
    /// The parameters of one version of the evaluation.
    type Version: Clone + PartialEq + Debug + Send + Sync;

    /// Returns the version that learning starts from.
    fn first(&self) -> Self::Version;

    /// Parses a version from the text of a file.
    ///
    /// # Errors
    /// A description of what is wrong with the text.
    fn read(&self, text: &str) -> Result<Self::Version, String>;

    /// Formats a version as the text of a file.
    fn text(&self, version: &Self::Version) -> String;

    /// Prepares a position for a search with this version, where the version's parameters are part
    /// of the position.
    fn seen(&self, version: &Self::Version, position: &Self::Game) -> Self::Game;

    /// Returns the knowledge for a search with this version.
    fn knowledge(&self, version: &Self::Version) -> <Self::Game as Playable>::Knowledge;

    /// Returns the result of a game as the first side's margin, in moves; `None` while it is not
    /// known. A game ends as soon as its margin is known. This function is called after every move,
    /// so it has to be cheap if it returns `None`.
    fn margin(&self, position: &Self::Game) -> Option<f64>;

    /// Returns the number of coefficients.
    fn count(&self) -> usize;

    /// Appends the terms whose sum is the evaluation of `leaf` in a search from `root`, in moves,
    /// from the first side's point of view.
    fn terms(&self, root: &Self::Game, leaf: &Self::Game, out: &mut Vec<Term>);

    /// Returns the ties: sums of coefficients whose squares are penalized, each with a weight. They
    /// keep related coefficients alike.
    fn ties(&self) -> Vec<(f64, Vec<Term>)>;

    /// Returns the coefficients of a version.
    fn coefficients(&self, version: &Self::Version) -> Vec<f64>;

    /// Returns the version with its coefficients replaced.
    fn with_coefficients(&self, version: &Self::Version, coefficients: &[f64]) -> Self::Version;

    /// Completes a version with parameters that are measured in games instead of fitted.
    fn completed(&self, version: Self::Version, games: &[GameRecord]) -> Self::Version {
        let _ = games;
        version
    }
}
