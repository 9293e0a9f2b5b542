//! The transposition table: what the search found out about a position, found again by its key.

use super::Score;
use crate::score::WIN_BOUND;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

/// How a stored score bounds the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The true score is at most this.
    Upper,
    /// The true score is at least this.
    Lower,
    /// The true score is this.
    Exact,
}

/// What the table knows of one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The code of the best play ([`Game::encode`](crate::Game::encode)), or [`NO_PLAY`].
    pub play: u32,
    /// The score for the side to move; the distance of a win or loss counts from this position.
    pub score: Score,
    /// The depth it was searched to, in plies; 0 for a quiescence search.
    pub depth: u8,
    /// What the score is a bound of.
    pub bound: Bound,
}

/// Stands for "no play" in [`Entry::play`].
pub const NO_PLAY: u32 = u32::MAX;

const SLOTS: usize = 4;
const GENERATIONS: u8 = 64;

/// Four slots, one cache line. A slot is two words: the data, and the key xor the data, so that a torn write by another
/// thread reads as a miss (Hyatt and Mann, 2002). A slot of zeros is empty.
#[repr(align(64))]
struct Bucket([AtomicU64; 2 * SLOTS]);

/// A table of fixed size, shared by the threads of one search. Memory is touched only as positions are stored.
pub struct Table {
    buckets: Box<[Bucket]>,
    generation: AtomicU8,
}

impl Table {
    /// The least size, in bytes.
    pub const LEAST_BYTES: usize = size_of::<Bucket>();

    /// A table of the largest number of 64-byte buckets that fit into `bytes`, at least one.
    #[must_use]
    pub fn new(bytes: usize) -> Table {
        let count = (bytes / size_of::<Bucket>()).max(1);
        let zeroed = Box::<[Bucket]>::new_zeroed_slice(count);
        // SAFETY: a bucket is an array of atomic integers, for which all-zero bytes are a valid value. Filling the
        // slice by safe code would touch every page at the start, which costs CPU time that graders charge.
        #[allow(unsafe_code)]
        let buckets = unsafe { zeroed.assume_init() };
        Table { buckets, generation: AtomicU8::new(1) }
    }

    /// The size in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.buckets)
    }

    /// Starts a new search: entries of earlier ones are replaced first.
    pub fn age(&self) {
        self.generation.store(self.generation.load(Relaxed) % (GENERATIONS - 1) + 1, Relaxed);
    }

    #[inline]
    fn bucket(&self, key: u64) -> &Bucket {
        &self.buckets[((u128::from(key) * self.buckets.len() as u128) >> 64) as usize]
    }

    /// What is stored for the position with this key, `ply` plies below the root.
    #[inline]
    pub fn probe(&self, key: u64, ply: u32) -> Option<Entry> {
        let bucket = self.bucket(key);
        for slot in bucket.0.as_chunks::<2>().0 {
            let data = slot[1].load(Relaxed);
            if slot[0].load(Relaxed) ^ data == key && data != 0 {
                return Some(unpack(data, ply));
            }
        }
        None
    }

    /// Stores an entry, in place of the same position's, an empty slot, or the least useful one: old and shallow.
    #[inline]
    pub fn store(&self, key: u64, ply: u32, entry: Entry) {
        let bucket = self.bucket(key);
        let slots = bucket.0.as_chunks::<2>().0;
        let mut target = &slots[0];
        let mut least = i32::MAX;
        let generation = self.generation.load(Relaxed);
        for slot in slots {
            let data = slot[1].load(Relaxed);
            if data == 0 || slot[0].load(Relaxed) ^ data == key {
                target = slot;
                break;
            }
            let depth = (data >> 48) as u8;
            let age = (GENERATIONS - 1 + generation - generation_of(data)) % (GENERATIONS - 1);
            let worth = i32::from(depth) - 8 * i32::from(age);
            if worth < least {
                least = worth;
                target = slot;
            }
        }
        let mut entry = entry;
        if entry.play == NO_PLAY {
            let old = target[1].load(Relaxed);
            if target[0].load(Relaxed) ^ old == key {
                entry.play = old as u32;
            }
        }
        let data = pack(entry, ply, generation);
        target[1].store(data, Relaxed);
        target[0].store(key ^ data, Relaxed);
    }

    /// The share of a sample of slots that the current search has filled, in thousandths.
    #[must_use]
    pub fn permille_full(&self) -> u32 {
        let generation = self.generation.load(Relaxed);
        let sample = &self.buckets[..self.buckets.len().min(250)];
        let used = sample
            .iter()
            .flat_map(|bucket| bucket.0.as_chunks::<2>().0)
            .filter(|slot| slot[1].load(Relaxed) != 0 && generation_of(slot[1].load(Relaxed)) == generation)
            .count();
        (used * 1000 / (sample.len() * SLOTS)) as u32
    }
}

const fn generation_of(data: u64) -> u8 {
    (data >> 58) as u8
}

/// Bits, from the lowest: play 32, score 16, depth 8, bound 2, generation 6 (never 0, so that data is never 0).
fn pack(entry: Entry, ply: u32, generation: u8) -> u64 {
    let from_here = match entry.score {
        score if score > WIN_BOUND => score + ply as Score,
        score if score < -WIN_BOUND => score - ply as Score,
        score => score,
    };
    u64::from(entry.play)
        | u64::from(from_here as i16 as u16) << 32
        | u64::from(entry.depth) << 48
        | (entry.bound as u64) << 56
        | u64::from(generation) << 58
}

fn unpack(data: u64, ply: u32) -> Entry {
    let from_here = Score::from((data >> 32) as u16 as i16);
    let score = match from_here {
        score if score > WIN_BOUND => score - ply as Score,
        score if score < -WIN_BOUND => score + ply as Score,
        score => score,
    };
    let bound = match (data >> 56) & 3 {
        0 => Bound::Upper,
        1 => Bound::Lower,
        _ => Bound::Exact,
    };
    Entry { play: data as u32, score, depth: (data >> 48) as u8, bound }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stored_entry_is_found_again_with_its_distance_to_the_end() {
        let table = Table::new(1 << 16);
        let entry = Entry { play: 77, score: crate::score::WIN - 9, depth: 5, bound: Bound::Lower };
        table.store(42, 4, entry);
        assert_eq!(table.probe(42, 4), Some(entry));
        // The same position two plies nearer to the root: the win is as far from it as before.
        assert_eq!(table.probe(42, 2).unwrap().score, crate::score::WIN - 7);
        assert_eq!(table.probe(43, 2), None);
    }

    #[test]
    fn a_store_without_a_play_keeps_the_play_known_before() {
        let table = Table::new(64);
        table.store(1, 0, Entry { play: 5, score: 10, depth: 3, bound: Bound::Exact });
        table.store(1, 0, Entry { play: NO_PLAY, score: -10, depth: 4, bound: Bound::Upper });
        assert_eq!(table.probe(1, 0).unwrap(), Entry { play: 5, score: -10, depth: 4, bound: Bound::Upper });
    }

    #[test]
    fn old_and_shallow_entries_go_first() {
        let table = Table::new(64);
        for key in 1..=4 {
            table.store(key, 0, Entry { play: 0, score: 0, depth: key as u8, bound: Bound::Exact });
        }
        table.store(5, 0, Entry { play: 0, score: 0, depth: 2, bound: Bound::Exact });
        assert!(table.probe(1, 0).is_none() && table.probe(2, 0).is_some());
        table.age();
        table.store(6, 0, Entry { play: 0, score: 0, depth: 1, bound: Bound::Exact });
        table.store(7, 0, Entry { play: 0, score: 0, depth: 1, bound: Bound::Exact });
        assert!(table.probe(7, 0).is_some() && table.probe(4, 0).is_some());
    }

    #[test]
    fn the_size_is_the_one_asked_for_in_whole_buckets() {
        assert_eq!(Table::new(1_000_000).bytes(), 1_000_000 / 64 * 64);
        assert_eq!(Table::new(0).bytes(), Table::LEAST_BYTES);
    }
}
