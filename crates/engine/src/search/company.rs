//! What the threads of one search know of each other beside the table: the moves that each is looking at, so that others look
//! at the rest first (Kerrigan's simplified ABDADA). Where one thread searches alone nothing of it happens.

use crate::game::split_mix;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The depth of a node, in plies, from which on its moves are shared out: below it is sooner searched twice than told.
pub(super) const LEAST_DEPTH: u32 = 4;

const BUCKETS: usize = 1 << 10;
const WAYS: usize = 4;

/// A few moves under search, on a cache line of their own.
#[repr(align(64))]
struct Bucket([AtomicU64; WAYS]);

/// The moves that the threads of one search are looking at. Lossy: a move that finds no place is not known, and may be looked
/// at by several threads.
pub struct Company {
    buckets: Box<[Bucket]>,
}

impl Default for Company {
    fn default() -> Company {
        let empty = || Bucket([const { AtomicU64::new(0) }; WAYS]);
        Company { buckets: (0..BUCKETS).map(|_| empty()).collect() }
    }
}

/// The name of a move at a node; never 0.
pub(super) fn name(key: u64, code: u32) -> u64 {
    split_mix(key ^ u64::from(code)) | 1
}

impl Company {
    fn bucket(&self, name: u64) -> &[AtomicU64; WAYS] {
        &self.buckets[(name >> 32) as usize % BUCKETS].0
    }

    /// Whether a thread is looking at a move.
    pub(super) fn looks_at(&self, name: u64) -> bool {
        self.bucket(name).iter().any(|place| place.load(Relaxed) == name)
    }

    /// Tells the others that this thread looks at a move from now on.
    pub(super) fn begin(&self, name: u64) {
        let bucket = self.bucket(name);
        if let Some(place) = bucket.iter().find(|place| place.load(Relaxed) == 0) {
            place.store(name, Relaxed);
        }
    }

    /// Tells the others that this thread looks at it no more.
    pub(super) fn end(&self, name: u64) {
        for place in self.bucket(name) {
            if place.load(Relaxed) == name {
                place.store(0, Relaxed);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_known_from_its_beginning_to_its_end() {
        let company = Company::default();
        let [one, other] = [name(7, 1), name(7, 2)];
        assert!(!company.looks_at(one));
        company.begin(one);
        assert!(company.looks_at(one) && !company.looks_at(other));
        company.begin(other);
        company.end(one);
        assert!(!company.looks_at(one) && company.looks_at(other));
    }

    #[test]
    fn a_full_bucket_forgets_and_is_emptied_again() {
        let company = Company::default();
        let crowd: Vec<u64> = (1..=10).map(|lower: u64| lower << 1 | 1).collect();
        crowd.iter().for_each(|&name| company.begin(name));
        assert_eq!(crowd.iter().filter(|&&name| company.looks_at(name)).count(), WAYS);
        crowd.iter().for_each(|&name| company.end(name));
        assert!(crowd.iter().all(|&name| !company.looks_at(name)));
    }
}
