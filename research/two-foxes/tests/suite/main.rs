//! The tests of this crate, as one program.

mod slow_solver;
mod two_foxes;
