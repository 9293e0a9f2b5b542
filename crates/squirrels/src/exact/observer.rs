//! The observer of a search.

/// An observer of a search: it can stop the search and show its progress.
pub trait SearchObserver {
    /// Whether the search should stop at once. Asked every 1,024 nodes, with the number of nodes so far.
    fn stop(&mut self, nodes: u64) -> bool;

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
