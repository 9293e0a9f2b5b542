//! The tests of this crate, as one program.

mod foxgame;
mod foxgeese;
mod slow_solver;
mod squirrels;
mod wolves;
