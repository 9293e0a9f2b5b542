//! The follower of a search.

use super::packing::Proof;
use super::state::State;

/// A follower of a search near its root, where subtrees are long: for progress and for saving what is proven.
pub trait Tree {
    /// Whether the search should end at once; asked every 1,024 nodes, with the number of nodes so far.
    fn stop(&mut self, nodes: u64) -> bool;

    /// Takes what has been proven of a state with many empty squares ([`LEAST_SAVED`](super::LEAST_SAVED)).
    fn proven(&mut self, state: State, proof: Proof) {
        let _ = (state, proof);
    }

    /// Notes that a node with `empty` empty squares, near the root, has searched `done` of its `count` children.
    fn child_done(&mut self, empty: u32, done: usize, count: usize) {
        let _ = (empty, done, count);
    }

    /// Notes that a test of a state with `empty` empty squares begins, which is to be solved.
    fn begin(&mut self, empty: u32) {
        let _ = empty;
    }
}

impl<F: FnMut() -> bool> Tree for F {
    fn stop(&mut self, _: u64) -> bool {
        self()
    }
}
