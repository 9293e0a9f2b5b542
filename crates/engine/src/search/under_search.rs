//! What threads are looking at, so that others look at something else first.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

const BUCKETS: usize = 1 << 10;
const WAYS: usize = 4;

/// A few names, on a cache line of their own.
#[repr(align(64))]
struct Bucket([AtomicU64; WAYS]);

/// Names of what threads are looking at: positions, or moves of nodes. A name is any number but 0 of which the upper half is
/// well mixed. Lossy: a name that finds no place is not known.
pub struct UnderSearch(Box<[Bucket]>);

impl Default for UnderSearch {
    fn default() -> UnderSearch {
        UnderSearch((0..BUCKETS).map(|_| Bucket([const { AtomicU64::new(0) }; WAYS])).collect())
    }
}

impl UnderSearch {
    fn bucket(&self, name: u64) -> &[AtomicU64; WAYS] {
        &self.0[(name >> 32) as usize % BUCKETS].0
    }

    /// Whether a thread is looking at what has this name.
    #[must_use]
    pub fn holds(&self, name: u64) -> bool {
        self.bucket(name).iter().any(|place| place.load(Relaxed) == name)
    }

    /// Notes that a thread looks at it from now on.
    pub fn begin(&self, name: u64) {
        if let Some(place) = self.bucket(name).iter().find(|place| place.load(Relaxed) == 0) {
            place.store(name, Relaxed);
        }
    }

    /// Notes that a thread looks at it no more.
    pub fn end(&self, name: u64) {
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
    fn a_full_bucket_forgets_and_is_emptied_again() {
        let under_search = UnderSearch::default();
        let crowd: Vec<u64> = (1..=10).map(|lower: u64| lower << 1 | 1).collect();
        crowd.iter().for_each(|&name| under_search.begin(name));
        assert_eq!(crowd.iter().filter(|&&name| under_search.holds(name)).count(), WAYS);
        crowd.iter().for_each(|&name| under_search.end(name));
        assert!(crowd.iter().all(|&name| !under_search.holds(name)));
    }
}
