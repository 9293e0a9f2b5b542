//! What the threads of one search know of each other, beside the table and the experience that they share: the moves that
//! each is looking at, so that the others look at the rest first (simplified ABDADA, after Weill 1996 and Kerrigan), and the
//! work that moves at the root have cost all of them, so that they keep them in the same order. A move's number says how
//! much less deeply it is searched: in step, one thread finds in the table what another has searched.

use super::under_search::UnderSearch;
use crate::game::split_mix;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The depth of a node, in plies, from which on its moves are shared out: below it they are sooner searched twice than told.
const LEAST_DEPTH: u32 = 4;

/// The moves at the root whose work is told apart; those beyond share their places.
const ROOT_MOVES: usize = 1 << 9;

/// What the threads of one search tell each other. Lossy: a move that finds no place is not known, and may be looked at by
/// several threads.
pub(super) struct Company {
    looked_at: UnderSearch,
    root_work: Box<[AtomicU64]>,
}

impl Default for Company {
    fn default() -> Company {
        Company { looked_at: UnderSearch::default(), root_work: (0..ROOT_MOVES).map(|_| AtomicU64::new(0)).collect() }
    }
}

/// The other threads of a thread's search, as it sees them: nobody where it searches alone.
#[derive(Clone, Default)]
pub(super) struct Others(Option<Arc<Company>>);

impl Others {
    /// The others in a company.
    pub(super) fn of(company: Arc<Company>) -> Others {
        Others(Some(company))
    }

    /// The company, if moves of nodes of this depth are shared out.
    #[inline]
    fn at_depth(&self, depth: u32) -> Option<&Company> {
        self.0.as_deref().filter(|_| depth >= LEAST_DEPTH)
    }

    /// Whether another thread is looking at a move, given by its code, of the node with this key and depth.
    #[inline]
    pub(super) fn look_at(&self, key: u64, depth: u32, code: u32) -> bool {
        self.at_depth(depth).is_some_and(|company| company.looked_at.holds(name(key, code)))
    }

    /// Tells the others that this thread looks at a move of a node from now on.
    #[inline]
    pub(super) fn hear_of_begin(&self, key: u64, depth: u32, code: u32) {
        if let Some(company) = self.at_depth(depth) {
            company.looked_at.begin(name(key, code));
        }
    }

    /// Tells the others that this thread looks at a move of a node no more.
    #[inline]
    pub(super) fn hear_of_end(&self, key: u64, depth: u32, code: u32) {
        if let Some(company) = self.at_depth(depth) {
            company.looked_at.end(name(key, code));
        }
    }

    /// Adds nodes to the work of a move at the root, given by its place among those allowed.
    pub(super) fn add_root_work(&self, place: usize, nodes: u64) {
        if let Some(company) = &self.0 {
            company.root_work[place % ROOT_MOVES].fetch_add(nodes, Relaxed);
        }
    }

    /// The nodes that all threads have ever visited after a move at the root, given by its place among those allowed; `None`
    /// if there are no others.
    pub(super) fn root_work(&self, place: usize) -> Option<u64> {
        self.0.as_ref().map(|company| company.root_work[place % ROOT_MOVES].load(Relaxed))
    }
}

/// The name of a move at a node; never 0.
fn name(key: u64, code: u32) -> u64 {
    split_mix(key ^ u64::from(code)) | 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_known_from_its_beginning_to_its_end() {
        let one = Others::of(Arc::default());
        let other = one.clone();
        let looks = |code| other.look_at(7, LEAST_DEPTH, code);
        assert!(!looks(1));
        one.hear_of_begin(7, LEAST_DEPTH, 1);
        assert!(looks(1) && !looks(2) && !other.look_at(8, LEAST_DEPTH, 1));
        one.hear_of_begin(7, LEAST_DEPTH, 2);
        one.hear_of_end(7, LEAST_DEPTH, 1);
        assert!(!looks(1) && looks(2));
    }

    #[test]
    fn nobody_looks_at_anything_near_the_leaves_or_where_a_thread_searches_alone() {
        for (others, depth) in [(Others::of(Arc::default()), LEAST_DEPTH - 1), (Others::default(), LEAST_DEPTH)] {
            others.hear_of_begin(7, depth, 1);
            assert!(!others.look_at(7, depth, 1));
        }
    }

    #[test]
    fn the_work_at_the_root_is_added_up_over_the_threads() {
        let one = Others::of(Arc::default());
        let other = one.clone();
        one.add_root_work(3, 5);
        other.add_root_work(3, 7);
        assert_eq!([one.root_work(3), other.root_work(3), one.root_work(4)], [Some(12), Some(12), Some(0)]);
        assert_eq!(Others::default().root_work(3), None);
    }
}
