//! The exact solver: the final difference of sums with best play by both sides, proven.
//!
//! A null-window alpha-beta search to the end of the game (`search.rs`) over states that keep only what bears on the
//! rest (`state.rs`), with proofs that hold for other states too (`dominance.rs`) or for one (`table.rs`). The value is closed in from
//! both sides (`enclose.rs`), after the positions of the line that a short search expects (`expected.rs`). The search is compiled for
//! narrow values, of which more fits into caches and table, and for all (`packing.rs`), and for the processors that it runs on
//! (`machine.rs`); `solver.rs` chooses.

mod children;
mod dominance;
mod enclose;
mod expected;
mod last;
mod machine;
mod packing;
mod search;
mod solver;
mod state;
mod table;
mod tree;
mod zeroed;

pub use packing::Proof;
pub use solver::Solver;
pub use state::State;
pub use table::Table;
pub use tree::Tree;

use crate::board::Square;

/// The least number of empty squares with which the proof of a state is worth saving: such proofs are few, and each
/// stands for much work.
pub const LEAST_SAVED: u32 = 17;

/// The solution of a position: its value and a best move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The final difference of the sums with best play, for the side to move. Proven.
    pub value: i32,
    /// A move that reaches it.
    pub best: Square,
}
