//! The exact solver: the final difference of sums with best play by both sides, proven.
//!
//! A null-window alpha-beta search to the end of the game (`search.rs`) over states that keep only what bears on the
//! rest (`state.rs`), with a table of both bounds (`table.rs`). The value is closed in from both sides.

mod last;
mod memory;
mod search;
mod state;
mod table;

pub use search::{Solver, Tree};
pub use state::State;
pub use table::{Proof, Table};

use crate::board::Square;

/// Proofs of states with at least so many empty squares are worth saving: few, and each stands for much work.
pub const LEAST_SAVED: u32 = 17;

/// A position's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The final difference of the sums with best play, for the side to move. Proven.
    pub value: i32,
    /// A move that reaches it.
    pub best: Square,
}
