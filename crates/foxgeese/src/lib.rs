//! Foxes and Geese: two foxes against twenty geese on 33 cells.

pub mod board;
pub mod evaluate;
pub mod plays;
pub mod prove;
pub mod rules;

pub use evaluate::Evaluation;
pub use rules::{Play, Position};
