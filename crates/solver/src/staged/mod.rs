//! The staged proof: a search for a strategy of the geese that wins against everything the foxes do.
//!
//! A board is closed if no goose could be jumped from anywhere that the foxes can walk to. Between closed boards of falling
//! distance from the end, a proof-number search finds a way that the foxes cannot avoid ([`stage`]). [`stages`] proves
//! every board that such a way can end with, depth first, and keeps the wins ([`wins`], [`known`]). [`search`] runs this
//! level of effort by level of effort, with a file that a later run continues from ([`checkpoint`]).

pub(crate) mod board;
pub(crate) mod checkpoint;
pub(crate) mod known;
mod numbers;
pub(crate) mod search;
pub(crate) mod stage;
pub(crate) mod stages;
pub(crate) mod wins;

use foxgeese::moves::Move;

/// A win from a position with the geese to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Win {
    /// Moves of the geese to the end, this one included, whatever the foxes do: an upper bound, at most
    /// [`wins::Wins::MOST_MOVES`].
    pub moves: u16,
    /// The geese's move.
    pub mv: Move,
}
