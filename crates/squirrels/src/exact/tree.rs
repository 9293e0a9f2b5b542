//! The follower of a search.

use super::packing::Proof;
use super::state::State;

/// Follows a search near its root, where subtrees are long: for progress and for saving what is proven.
pub trait Tree {
    /// Asked every thousand nodes or so: `true` ends the search at once.
    fn stop(&mut self, nodes: u64) -> bool;

    /// Something has been proven of a state.
    fn proven(&mut self, state: State, proof: Proof) {
        let _ = (state, proof);
    }

    /// A node with `empty` empty squares has searched `done` of its `count` children. Told of nodes near the root only.
    fn child_done(&mut self, empty: u32, done: usize, count: usize) {
        let _ = (empty, done, count);
    }

    /// A test begins at a state with `empty` empty squares, all of which has to be solved.
    fn begin(&mut self, empty: u32) {
        let _ = empty;
    }
}

impl<F: FnMut() -> bool> Tree for F {
    fn stop(&mut self, _: u64) -> bool {
        self()
    }
}
