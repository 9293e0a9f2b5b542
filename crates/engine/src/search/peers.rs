//! Coordination of the threads of one search, besides the transposition table and the ordering tables that they share.
//!
//! Threads mark the moves that they are searching, so that the others defer them (simplified ABDADA, after Weill 1996
//! and Kerrigan). They also add up the nodes that each root move has cost all of them, so that all order the root moves
//! alike: a move's number decides its late-move reduction, and only at equal depths does one thread find in the table
//! what another has searched.

use super::under_search::UnderSearch;
use crate::game::split_mix;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The minimum depth of a node, in plies, at which its moves are marked: nearer to the leaves, searching a move twice
/// costs less than marking it.
const LEAST_DEPTH: u32 = 4;

/// The number of node counters for root moves; moves beyond it share counters with earlier ones.
const ROOT_MOVES: usize = 1 << 9;

/// The state shared by the threads of one search. Lossy: a move whose mark finds no place may be searched by several
/// threads.
pub(super) struct SharedState {
    marked: UnderSearch,
    root_work: Box<[AtomicU64]>,
}

impl Default for SharedState {
    fn default() -> SharedState {
        SharedState { marked: UnderSearch::default(), root_work: (0..ROOT_MOVES).map(|_| AtomicU64::new(0)).collect() }
    }
}

/// A thread's view of the other threads of its search; empty in a single-threaded search.
#[derive(Clone, Default)]
pub(super) struct PeerThreads(Option<Arc<SharedState>>);

impl PeerThreads {
    /// Creates the view of one thread of several that share a state.
    pub(super) fn of(shared: Arc<SharedState>) -> PeerThreads {
        PeerThreads(Some(shared))
    }

    /// The shared state, if the moves of nodes of this depth are marked.
    #[inline]
    fn at_depth(&self, depth: u32) -> Option<&SharedState> {
        self.0.as_deref().filter(|_| depth >= LEAST_DEPTH)
    }

    /// Whether another thread is searching a move, given by its code, of the node with this key and depth.
    #[inline]
    pub(super) fn are_searching(&self, key: u64, depth: u32, code: u32) -> bool {
        self.at_depth(depth).is_some_and(|shared| shared.marked.contains(move_key(key, code)))
    }

    /// Marks a move of a node as being searched by this thread.
    #[inline]
    pub(super) fn mark_begin(&self, key: u64, depth: u32, code: u32) {
        if let Some(shared) = self.at_depth(depth) {
            shared.marked.insert(move_key(key, code));
        }
    }

    /// Removes the mark that this thread has put on a move of a node.
    #[inline]
    pub(super) fn mark_end(&self, key: u64, depth: u32, code: u32) {
        if let Some(shared) = self.at_depth(depth) {
            shared.marked.remove(move_key(key, code));
        }
    }

    /// Adds to the node count of a root move, given by its index in the list of allowed moves.
    pub(super) fn add_root_work(&self, index: usize, nodes: u64) {
        if let Some(shared) = &self.0 {
            shared.root_work[index % ROOT_MOVES].fetch_add(nodes, Relaxed);
        }
    }

    /// Returns the nodes that all threads have ever searched below a root move, given by its index in the list of
    /// allowed moves; `None` in a single-threaded search.
    pub(super) fn root_work(&self, index: usize) -> Option<u64> {
        self.0.as_ref().map(|shared| shared.root_work[index % ROOT_MOVES].load(Relaxed))
    }
}

/// The key of a move at a node for [`UnderSearch`]; never 0.
fn move_key(key: u64, code: u32) -> u64 {
    split_mix(key ^ u64::from(code)) | 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_marked_until_its_search_ends() {
        let one = PeerThreads::of(Arc::default());
        let other = one.clone();
        let searching = |code| other.are_searching(7, LEAST_DEPTH, code);
        assert!(!searching(1));
        one.mark_begin(7, LEAST_DEPTH, 1);
        assert!(searching(1) && !searching(2) && !other.are_searching(8, LEAST_DEPTH, 1));
        one.mark_begin(7, LEAST_DEPTH, 2);
        one.mark_end(7, LEAST_DEPTH, 1);
        assert!(!searching(1) && searching(2));
    }

    #[test]
    fn nothing_is_marked_near_the_leaves_or_in_a_single_threaded_search() {
        for (peers, depth) in
            [(PeerThreads::of(Arc::default()), LEAST_DEPTH - 1), (PeerThreads::default(), LEAST_DEPTH)]
        {
            peers.mark_begin(7, depth, 1);
            assert!(!peers.are_searching(7, depth, 1));
        }
    }

    #[test]
    fn the_work_at_the_root_is_added_up_over_the_threads() {
        let one = PeerThreads::of(Arc::default());
        let other = one.clone();
        one.add_root_work(3, 5);
        other.add_root_work(3, 7);
        assert_eq!([one.root_work(3), other.root_work(3), one.root_work(4)], [Some(12), Some(12), Some(0)]);
        assert_eq!(PeerThreads::default().root_work(3), None);
    }
}
