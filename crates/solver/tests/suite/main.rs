//! The tests of this crate, as one program.

mod foxgame;
mod foxgeese;
mod slow_solver;
mod slow_two_foxes;
mod squirrels;
mod two_foxes;
mod wolves;
