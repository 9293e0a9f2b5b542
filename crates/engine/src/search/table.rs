//! The transposition table: search results by Zobrist key, shared by threads without locks.

use super::Score;
use super::zeroed::zeroed_words;
use crate::score::{INFINITY, WIN_BOUND};
use std::alloc::{Layout, handle_alloc_error};
use std::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering::Relaxed};

/// The relation of a stored score to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// An upper bound: the true score is at most the stored one.
    Upper,
    /// A lower bound: the true score is at least the stored one.
    Lower,
    /// The true score itself.
    Exact,
}

impl Bound {
    /// Classifies a score returned by a fail-soft search of the window `alpha..beta`.
    #[must_use]
    pub fn of(score: Score, alpha: Score, beta: Score) -> Bound {
        match score {
            _ if score >= beta => Bound::Lower,
            _ if score > alpha => Bound::Exact,
            _ => Bound::Upper,
        }
    }
}

/// A transposition table entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The code of the best move ([`Game::encode`](crate::Game::encode)), or [`NO_MOVE`].
    pub mv: u32,
    /// The score for the side to move. The distance of a win or loss counts from the root of the
    /// search; the table stores it as the distance to the position.
    pub score: Score,
    /// The depth to which the position was searched, in plies.
    pub depth: u8,
    /// The relation of the score to the true one.
    pub bound: Bound,
}

/// The code for "no move" in [`Entry::mv`].
pub const NO_MOVE: u32 = u32::MAX;

const SLOTS: usize = 4;
/// The number of values of a slot's 6-bit generation field; generation 0 is never used.
const GENERATIONS: u8 = 64;

/// A slot of two 64-bit words, the key xor the data and the data, so that a torn write by another
/// thread reads as a miss (Hyatt and Mann, 2002). An all-zero slot is empty.
///
/// The data word has no room for the upper 4 bits of the score. They replace the top 4 bits of the
/// first word, which the bucket's index already determines where there are 16 buckets or more.
type Slot = [AtomicU64; SLOT_WORDS];

const SLOT_WORDS: usize = 2;
pub(crate) const SLOT_BYTES: usize = size_of::<Slot>();
const LINE_WORDS: usize = SLOTS * SLOT_WORDS;
/// The size of a bucket: a cache line.
const LINE_BYTES: usize = SLOTS * SLOT_BYTES;

/// The bytes that must be left besides a table smaller than asked for: the search allocates more.
const LEFT_FREE: usize = 1 << 24;

/// The size in bytes of the largest table that this process could not get; 0 for none.
static LARGEST_REFUSED: AtomicUsize = AtomicUsize::new(0);

/// The size in bytes of the largest transposition table that this process asked for and could not
/// get; `None` if every table is as large as was asked for.
#[must_use]
pub fn largest_refused_table() -> Option<usize> {
    Some(LARGEST_REFUSED.load(Relaxed)).filter(|&bytes| bytes > 0)
}

/// A transposition table of fixed size, shared by the threads of one search.
///
/// Buckets of four slots are aligned to cache lines. Pages of memory are touched only when a
/// position is stored in them.
pub struct TranspositionTable {
    words: Box<[AtomicU64]>,
    /// The first word that is aligned to a cache line. An allocation with that alignment would make
    /// the allocator clear the memory itself, which touches every page.
    first: usize,
    buckets: usize,
    /// The current generation, from 1 to 63, which marks the entries of this search.
    generation: AtomicU8,
}

impl TranspositionTable {
    /// The minimum size, in bytes.
    pub const LEAST_BYTES: usize = LINE_BYTES;

    /// Creates a table of as many 64-byte buckets as fit into `bytes`, at least one. Where so much
    /// memory cannot be had, it has half as many, or a quarter, and so on:
    /// [`TranspositionTable::bytes`] tells.
    #[must_use]
    pub fn new(bytes: usize) -> TranspositionTable {
        let asked = (bytes / LINE_BYTES).max(1);
        let allocate = |buckets: usize| {
            zeroed_words(buckets.checked_mul(LINE_WORDS)?.checked_add(LINE_WORDS - 1)?)
        };
        let (mut buckets, mut allocated) = (asked, allocate(asked));
        while allocated.is_none() && buckets > 1 {
            buckets /= 2;
            let needs_more = buckets >= LEFT_FREE / LINE_BYTES;
            allocated = allocate(buckets)
                .filter(|_| !needs_more || allocate(LEFT_FREE / LINE_BYTES).is_some());
        }
        let words = allocated.unwrap_or_else(|| handle_alloc_error(Layout::new::<[Slot; SLOTS]>()));
        if buckets < asked {
            LARGEST_REFUSED.fetch_max(asked * LINE_BYTES, Relaxed);
        }
        let start = words.as_ptr().addr();
        let first = (start.next_multiple_of(LINE_BYTES) - start) / size_of::<AtomicU64>();
        TranspositionTable { words, first, buckets, generation: AtomicU8::new(1) }
    }

    /// The size in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.buckets * LINE_BYTES
    }

    /// Touches every page, so that the page faults happen before a game whose clock is wall time.
    /// Entries are kept.
    pub fn touch(&self) {
        const PAGE: usize = 4_096;
        for word in self.words.iter().step_by(PAGE / size_of::<AtomicU64>()) {
            word.fetch_or(0, Relaxed);
        }
    }

    /// Starts a new generation, once per search: older entries are replaced first.
    pub fn age(&self) {
        self.generation.store(self.generation.load(Relaxed) % (GENERATIONS - 1) + 1, Relaxed);
    }

    #[inline]
    fn bucket(&self, key: u64) -> [[&AtomicU64; SLOT_WORDS]; SLOTS] {
        let index = ((u128::from(key) * self.buckets as u128) >> 64) as usize;
        let line: &[AtomicU64; LINE_WORDS] = self.words[self.first + index * LINE_WORDS..]
            .first_chunk()
            .expect("a bucket lies in the table");
        std::array::from_fn(|slot| [&line[SLOT_WORDS * slot], &line[SLOT_WORDS * slot + 1]])
    }

    /// The entry of the position with this key, `ply` plies below the root.
    #[inline]
    pub fn probe(&self, key: u64, ply: u32) -> Option<Entry> {
        for [check, data] in self.bucket(key) {
            let data = data.load(Relaxed);
            let check = check.load(Relaxed);
            if is_of(key, check, data) && data != 0 {
                return Some(unpack(check, data, ply));
            }
        }
        None
    }

    /// Stores an entry in place of the same position's entry, an empty slot, or the least valuable
    /// entry of the bucket: old and shallow. An entry without a move keeps the move already stored
    /// for the position.
    #[inline]
    pub fn store(&self, key: u64, ply: u32, mut entry: Entry) {
        let slots = self.bucket(key);
        let mut target = slots[0];
        let mut least = i32::MAX;
        let generation = self.generation.load(Relaxed);
        for slot in slots {
            let data = slot[1].load(Relaxed);
            if data == 0 || is_of(key, slot[0].load(Relaxed), data) {
                target = slot;
                break;
            }
            let depth = (data >> 48) as u8;
            let age = (GENERATIONS - 1 + generation - (data >> 58) as u8) % (GENERATIONS - 1);
            let worth = i32::from(depth) - 8 * i32::from(age);
            if worth < least {
                least = worth;
                target = slot;
            }
        }
        if entry.mv == NO_MOVE {
            let old = target[1].load(Relaxed);
            if is_of(key, target[0].load(Relaxed), old) {
                entry.mv = old as u32;
            }
        }
        let (check, data) = pack(key, entry, ply, generation);
        target[1].store(data, Relaxed);
        target[0].store(check, Relaxed);
    }
}

/// The number of a score's lower bits, which are kept in the data word.
const LOWER_BITS: u32 = 16;
/// The number of a score's upper bits, which are kept in the first word.
const UPPER_BITS: u32 = 4;
const _: () = assert!(INFINITY < 1 << (LOWER_BITS + UPPER_BITS - 1), "a score has its place");
const UPPER_SHIFT: u32 = u64::BITS - UPPER_BITS;

/// Whether a slot's two words belong together and to this key.
#[inline]
fn is_of(key: u64, check: u64, data: u64) -> bool {
    (check ^ data ^ key) << UPPER_BITS == 0
}

/// The score whose distance to a win or loss counts from a node so many plies nearer to it.
fn farther(score: Score, plies: Score) -> Score {
    match score {
        _ if score > WIN_BOUND => score + plies,
        _ if score < -WIN_BOUND => score - plies,
        _ => score,
    }
}

/// Packs an entry into the two words of a slot. The data word's fields, from the lowest bit: move
/// 32 bits, lower part of the score 16, depth 8, bound 2, generation 6 (never 0, so that the word
/// is never 0).
fn pack(key: u64, entry: Entry, ply: u32, generation: u8) -> (u64, u64) {
    let from_here = farther(entry.score, ply as Score);
    let data = u64::from(entry.mv)
        | u64::from(from_here as u16) << 32
        | u64::from(entry.depth) << 48
        | (entry.bound as u64) << 56
        | u64::from(generation) << 58;
    let upper = (from_here >> LOWER_BITS) as u64;
    ((key ^ data) & ((1 << UPPER_SHIFT) - 1) | upper << UPPER_SHIFT, data)
}

fn unpack(check: u64, data: u64, ply: u32) -> Entry {
    let upper = (check as i64 >> UPPER_SHIFT) as Score;
    let from_here = upper << LOWER_BITS | Score::from((data >> 32) as u16);
    let score = farther(from_here, -(ply as Score));
    let bound = match (data >> 56) & 3 {
        0 => Bound::Upper,
        1 => Bound::Lower,
        _ => Bound::Exact,
    };
    Entry { mv: data as u32, score, depth: (data >> 48) as u8, bound }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::{MAX_ESTIMATE, WIN};

    #[test]
    fn a_stored_entry_is_found_again_with_its_distance_to_the_end() {
        let table = TranspositionTable::new(1 << 16);
        let entry = Entry { mv: 77, score: WIN - 9, depth: 5, bound: Bound::Lower };
        table.store(42, 4, entry);
        assert_eq!(table.probe(42, 4), Some(entry));
        // Two plies nearer to the root, the win is two plies nearer as well.
        assert_eq!(table.probe(42, 2).unwrap().score, WIN - 7);
        assert_eq!(table.probe(43, 2), None);
    }

    #[test]
    fn every_score_comes_back_from_every_key() {
        let table = TranspositionTable::new(1 << 10);
        let sizes =
            [0, 1, 32_767, 32_768, 65_535, 65_536, 250_000, MAX_ESTIMATE, WIN_BOUND + 1, WIN];
        for (number, size) in sizes.into_iter().enumerate() {
            for (sign, key) in [(1, 0), (-1, u64::MAX), (1, u64::MAX), (-1, number as u64)] {
                let entry = exact(1, sign * size, 1);
                table.store(key, 0, entry);
                assert_eq!(table.probe(key, 0), Some(entry), "key {key:x}");
            }
        }
    }

    fn exact(mv: u32, score: Score, depth: u8) -> Entry {
        Entry { mv, score, depth, bound: Bound::Exact }
    }

    #[test]
    fn keys_that_differ_in_their_highest_bits_alone_are_told_apart() {
        for buckets in [16, 17, 100, 4_096] {
            let table = TranspositionTable::new(buckets * LINE_BYTES);
            let key = |upper: u32| 0x123_4567 | u64::from(upper) << 60;
            (0..16).for_each(|upper| table.store(key(upper), 0, exact(upper, 0, 1)));
            let found = |upper| table.probe(key(upper), 0).map(|entry| entry.mv);
            assert!((0..16).all(|upper| found(upper) == Some(upper)), "{buckets} buckets");
        }
    }

    #[test]
    fn a_store_without_a_move_keeps_the_move_known_before() {
        let table = TranspositionTable::new(64);
        table.store(1, 0, exact(5, 10, 3));
        table.store(1, 0, exact(NO_MOVE, -10, 4));
        assert_eq!(table.probe(1, 0), Some(exact(5, -10, 4)));
    }

    #[test]
    fn old_and_shallow_entries_go_first() {
        let table = TranspositionTable::new(64);
        (1..=4).for_each(|key| table.store(key, 0, exact(0, 0, key as u8)));
        table.store(5, 0, exact(0, 0, 2));
        assert!(table.probe(1, 0).is_none() && table.probe(2, 0).is_some());
        table.age();
        (6..=7).for_each(|key| table.store(key, 0, exact(0, 0, 1)));
        assert!(table.probe(7, 0).is_some() && table.probe(4, 0).is_some());
    }

    #[test]
    fn touching_the_memory_keeps_what_is_stored() {
        let table = TranspositionTable::new(1 << 20);
        (0..64).for_each(|key: u64| table.store(key << 58, 0, exact(5, 10, 3)));
        table.touch();
        assert!((0..64).all(|key: u64| table.probe(key << 58, 0) == Some(exact(5, 10, 3))));
    }

    #[test]
    fn the_size_is_the_one_asked_for_in_whole_buckets() {
        assert_eq!(TranspositionTable::new(1_000_000).bytes(), 1_000_000 / 64 * 64);
        assert_eq!(TranspositionTable::new(0).bytes(), TranspositionTable::LEAST_BYTES);
    }
}
