//! An evaluation learned from the agent's own games: play games, fit the numbers to how they ended, let the new version meet
//! the old one, keep the better, and begin again. `judge learn` is the command.
//!
//! A game joins by [`Fit`]: what its numbers are, and how they see a position.

pub mod course;
pub mod data;
pub mod fit;
pub mod fitting;
pub mod foxgame_weights;
pub mod games;
pub mod halma_tables;
pub mod played;
pub mod race_worths;
pub mod regression;
mod tempo;

pub use course::{Course, Plan};
pub use fit::Fit;
