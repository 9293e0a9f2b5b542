//! A lock-free set of what threads are searching, so that other threads search something else
//! first.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

const BUCKETS: usize = 1 << 10;
/// The number of keys in a bucket.
const WAYS: usize = 4;

/// A cache line; 0 is an empty slot.
#[repr(align(64))]
struct Bucket([AtomicU64; WAYS]);

/// A set of keys that are not zero and have a well mixed upper half. It is lossy: a key that finds
/// its bucket full is not stored.
pub(super) struct UnderSearch(Box<[Bucket]>);

impl Default for UnderSearch {
    fn default() -> UnderSearch {
        UnderSearch((0..BUCKETS).map(|_| Bucket([const { AtomicU64::new(0) }; WAYS])).collect())
    }
}

impl UnderSearch {
    fn bucket(&self, key: u64) -> &[AtomicU64; WAYS] {
        &self.0[(key >> 32) as usize % BUCKETS].0
    }

    pub(super) fn contains(&self, key: u64) -> bool {
        self.bucket(key).iter().any(|slot| slot.load(Relaxed) == key)
    }

    pub(super) fn insert(&self, key: u64) {
        if let Some(slot) = self.bucket(key).iter().find(|slot| slot.load(Relaxed) == 0) {
            slot.store(key, Relaxed);
        }
    }

    pub(super) fn remove(&self, key: u64) {
        for slot in self.bucket(key) {
            if slot.load(Relaxed) == key {
                slot.store(0, Relaxed);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_bucket_forgets_and_is_emptied_again() {
        let under_search = UnderSearch::default();
        let keys: Vec<u64> = (1..=10).map(|lower: u64| lower << 1 | 1).collect();
        keys.iter().for_each(|&key| under_search.insert(key));
        assert_eq!(keys.iter().filter(|&&key| under_search.contains(key)).count(), WAYS);
        keys.iter().for_each(|&key| under_search.remove(key));
        assert!(keys.iter().all(|&key| !under_search.contains(key)));
    }
}
