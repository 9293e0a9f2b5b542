//! The observer of a search.

use super::packing::Proof;
use super::state::State;

/// An observer of a search: it can stop the search, show its progress and save proofs. Progress and proofs are reported
/// only near the root, where subtrees are large.
pub trait SearchObserver {
    /// Whether the search should stop at once. Asked every 1,024 nodes, with the number of nodes so far.
    fn stop(&mut self, nodes: u64) -> bool;

    /// Receives a proof of a state with many empty squares ([`LEAST_SAVED`](super::LEAST_SAVED)).
    fn proven(&mut self, state: State, proof: Proof) {
        let _ = (state, proof);
    }

    /// Reports that a node with `empty` empty squares, near the root, has searched `done` of its `count` children.
    fn child_done(&mut self, empty: u32, done: usize, count: usize) {
        let _ = (empty, done, count);
    }

    /// Reports that a null-window test of a state with `empty` empty squares begins. Solving the state takes one or
    /// more tests.
    fn begin(&mut self, empty: u32) {
        let _ = empty;
    }
}

impl<F: FnMut() -> bool> SearchObserver for F {
    fn stop(&mut self, _: u64) -> bool {
        self()
    }
}
