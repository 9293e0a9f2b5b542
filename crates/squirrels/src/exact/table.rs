//! The solver's transposition table: bounds of states in words of eight bytes, found by exact keys.
//! Bounds of states with few empty squares can be kept by these squares instead (`dominance.rs`).
//!
//! A bijection scrambles the 50-bit key. Some of its bits choose the bucket and all others are
//! stored, so two states are never mistaken for each other. Each word is a valid proof by itself,
//! so any number of threads may read and write without locks.

use super::dominance::DominanceTable;
use super::machine::Line;
use super::packing::{Bucket, Proof, SLOTS, Width};
use super::under_search::UnderSearch;
use super::zeroed::ZeroedWords;
use crate::board::{SQUARES, Squares};
use std::alloc::{Layout, handle_alloc_error};
use std::sync::atomic::AtomicU64;

const KEY_BITS: u32 = 50;
const KEY_MASK: u64 = (1 << KEY_BITS) - 1;

/// Scrambles a key by a bijection of 50-bit numbers: multiplications by odd numbers and shifts,
/// each of which can be inverted.
#[inline]
pub(super) fn scramble(empty: u64, own: u64) -> u64 {
    let mut key = empty << SQUARES | own;
    key = key.wrapping_mul(0x9E37_79B9_7F4A_7C15) & KEY_MASK;
    key ^= key >> 27;
    key = key.wrapping_mul(0xD1B5_4A32_D192_ED03) & KEY_MASK;
    key ^= key >> 25;
    key.wrapping_mul(0x9E37_79B9_7F4A_7C15) & KEY_MASK
}

#[inline]
fn prefetch(words: *const AtomicU64) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch reads nothing and is allowed for any address.
        #[allow(unsafe_code)]
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(words.cast());
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = words;
}

/// A transposition table of fixed size. Memory is touched only when states are stored.
pub struct Table {
    slots: ZeroedWords,
    bucket_bits: u32,
    /// The proofs of states with few empty squares, if they are kept by empty squares.
    sets: Option<DominanceTable>,
    /// The states that threads are searching.
    pub(super) under_search: UnderSearch,
}

impl Table {
    /// The bits that choose a bucket, for 8 MiB to 64 GiB. With less than 18, an entry could not
    /// hold the rest of the key.
    const BUCKET_BITS: (u32, u32) = (18, 31);
    /// The smallest size in bytes.
    pub const LEAST_BYTES: usize = 1 << 23;

    /// Creates a table for the solution of a position with these empty squares. If `bytes` is large
    /// enough ([`Table::bytes_for`]), it keeps proofs of the positions that follow by empty squares,
    /// which holds more of them. Where so much memory cannot be had, it has half as many bytes, or a
    /// quarter, and so on; `None` if not even [`Table::LEAST_BYTES`] can be had.
    pub fn try_for_empty(empty: Squares, bytes: usize) -> Option<Table> {
        let mut bytes = bytes.max(Table::LEAST_BYTES);
        loop {
            match Table::of_bytes(empty, bytes) {
                None if bytes > Table::LEAST_BYTES => bytes = (bytes / 2).max(Table::LEAST_BYTES),
                table => return table,
            }
        }
    }

    /// Like [`Table::try_for_empty`], for a program that cannot go on without a table.
    pub fn for_empty(empty: Squares, bytes: usize) -> Table {
        Table::try_for_empty(empty, bytes)
            .unwrap_or_else(|| handle_alloc_error(Layout::new::<[u8; Table::LEAST_BYTES]>()))
    }

    fn of_bytes(empty: Squares, bytes: usize) -> Option<Table> {
        // Solutions that need a larger table take longer than the first touch of huge pages.
        let is_small = bytes <= 2 * Table::LEAST_BYTES;
        let words = if is_small { ZeroedWords::new } else { ZeroedWords::in_huge_pages };
        let lines = DominanceTable::bytes_for(empty.len());
        let (sets, rest) = match bytes.checked_sub(lines) {
            Some(rest) if rest >= Table::LEAST_BYTES => {
                (Some(DominanceTable::new(empty, words)?), rest)
            }
            _ => (None, bytes),
        };
        let buckets = rest / (SLOTS * size_of::<AtomicU64>());
        let bucket_bits = buckets.ilog2().clamp(Self::BUCKET_BITS.0, Self::BUCKET_BITS.1);
        let slots = words(SLOTS << bucket_bits)?;
        Some(Table { slots, bucket_bits, sets, under_search: UnderSearch::default() })
    }

    /// The bytes that [`Table::for_empty`] makes good use of with `empty` empty squares.
    pub const fn bytes_for(empty: u32) -> usize {
        let lines = DominanceTable::bytes_for(empty);
        let others = lines / 8;
        lines + if others > Table::LEAST_BYTES { others } else { Table::LEAST_BYTES }
    }

    /// The size in bytes.
    pub fn bytes(&self) -> usize {
        self.slots.len() * size_of::<AtomicU64>()
            + self.sets.as_ref().map_or(0, DominanceTable::bytes)
    }

    /// The line of a set of empty squares, if the table keeps proofs of its states by empty
    /// squares.
    pub(super) fn set_index(&self, empty: Squares) -> Option<u32> {
        self.sets.as_ref().filter(|sets| sets.holds(empty)).map(|sets| sets.set_index(empty))
    }

    /// The bit of a square in line indices; 0 if the table keeps no proofs by empty squares.
    #[inline]
    pub(super) fn set_bit(&self, square: usize) -> u32 {
        self.sets.as_ref().map_or(0, |sets| sets.bit(square))
    }

    #[inline]
    pub(super) fn line(&self, set: u32) -> &Line {
        self.sets.as_ref().expect("proofs are kept by empty squares").line(set)
    }

    #[inline]
    pub(super) fn prefetch_set(&self, set: u32) {
        prefetch(self.line(set).as_ptr());
    }

    #[inline]
    fn tag_bits(&self) -> u32 {
        KEY_BITS - self.bucket_bits
    }

    #[inline]
    fn bucket(&self, key: u64) -> (&Bucket, u64) {
        let start = (key >> self.tag_bits()) as usize * SLOTS;
        let slots = self.slots[start..].first_chunk().expect("buckets are whole");
        (slots, key & ((1 << self.tag_bits()) - 1))
    }

    #[inline]
    pub(super) fn prefetch(&self, key: u64) {
        prefetch(self.bucket(key).0.as_ptr());
    }

    /// The proof of the state with this scrambled key.
    #[inline]
    pub(super) fn probe<N: Width>(&self, key: u64) -> Option<Proof> {
        let (bucket, tag) = self.bucket(key);
        N::find(bucket, tag, self.tag_bits())
    }

    /// Stores a proof of a state with `empty` empty squares, in place of what was known of it.
    #[inline]
    pub(super) fn store<N: Width>(&self, key: u64, empty: u32, proof: Proof) {
        let (bucket, tag) = self.bucket(key);
        N::keep(bucket, tag, self.tag_bits(), empty, proof);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Square;
    use crate::exact::state::State;
    use std::collections::HashSet;

    fn key(state: State) -> u64 {
        scramble(state.empty.bits(), state.own.bits())
    }

    fn state(own: u64, opp: u64, empty: u64) -> State {
        let [own, opp, empty] = [own, opp, empty].map(Squares::from_bits);
        State { own, opp, empty }
    }

    fn smallest() -> Table {
        Table::for_empty(Squares::EMPTY, 0)
    }

    #[test]
    fn different_states_have_different_keys() {
        let count = if cfg!(miri) { 2_000_u64 } else { 200_000 };
        let keys: HashSet<u64> = (0..count).map(|n| scramble((n / 512) << 9, n % 512)).collect();
        assert_eq!(keys.len(), count as usize);
    }

    #[test]
    fn what_is_stored_is_found_in_the_smallest_table() {
        fn check<N: Width>(upper: i32) {
            let table = smallest();
            assert_eq!(table.bytes(), Table::LEAST_BYTES);
            let (stored, other) = (state(1 << 24, 1, 0b1010), state(1, 1, 0b1010));
            for proof in [
                Proof { lower: -3, ..N::NONE },
                Proof { lower: -3, upper, mv: Square::from_index(11) },
            ] {
                table.store::<N>(key(stored), 2, proof);
                assert_eq!(table.probe::<N>(key(stored)), Some(proof));
                assert_eq!(table.probe::<N>(key(other)), None);
            }
        }
        check::<i16>(90);
        check::<i32>(240_000);
    }

    #[test]
    fn the_bounds_of_wide_values_are_replaced_one_by_one_and_those_of_states_near_the_end_first() {
        let table = smallest();
        let proof = |lower, upper| Proof { lower, upper, mv: Square::from_index(3) };
        // All keys have the same bucket, whose number is in the highest bits of the scrambled key.
        for tag in 0..3 {
            table.store::<i32>(tag, 20 - tag as u32, proof(-250_000 + tag as i32, 250_000));
        }
        assert_eq!(table.probe::<i32>(0), Some(proof(-250_000, 250_000)));
        let known = table.probe::<i32>(1).unwrap();
        assert_eq!((known.lower, known.upper), (i32::NONE.lower, 250_000));
        assert!(table.probe::<i32>(2).is_some());
        table.store::<i32>(0, 20, proof(7, 250_000));
        assert_eq!(table.probe::<i32>(0), Some(proof(7, 250_000)));
    }
}
