//! The tests of this crate, as one program.

mod conformance;
mod heap;
mod search;
mod table;
mod think;
mod tictactoe;
