//! The exact solver: proves the final difference of the sums with best play by both sides.
//!
//! It is a null-window alpha-beta search to the end of the game.
//!
//! - `search.rs`: the search of a node; `children.rs`: its moves; `last_squares.rs`: the last four
//!   empty squares
//! - `state.rs`: states, which keep only what bears on the rest of the game, so that many positions
//!   share one
//! - `table.rs`: the transposition table; `packing.rs`: the format of its entries; `dominance.rs`:
//!   proofs that hold for several states; `under_search.rs`: what the threads are searching;
//!   `zeroed.rs`: the memory
//! - `enclose.rs`: the sequence of null windows that encloses the value; `expected_line.rs`: the
//!   expected line, whose positions are solved first
//! - `machine.rs`: code compiled for several processors; `solver.rs`: chooses between 16-bit sums
//!   (narrow boards, more of which fit into caches and table) and 32-bit sums, and between
//!   processors

mod children;
mod dominance;
mod enclose;
mod expected_line;
mod last_squares;
mod machine;
mod packing;
mod search;
mod solver;
mod state;
mod table;
mod under_search;
mod zeroed;

pub use solver::Solver;
pub use table::Table;

use crate::board::Square;

/// The solution of a position: its value and a best move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The final difference of the sums with best play, for the side to move. Proven.
    pub value: i32,
    /// A move that reaches it.
    pub best: Square,
}
