//! The tests of this crate, as one program.

mod conformance;
mod heap;
mod search;
mod table;
mod think;
#[path = "../../examples/tictactoe.rs"]
#[allow(unused)]
mod tictactoe;
