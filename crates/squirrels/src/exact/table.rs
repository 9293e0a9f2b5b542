//! The solver's transposition table: bounds of states in words of eight bytes, found by exact keys.
//! Bounds of states with few empty squares can be kept by these squares instead (`dominance.rs`).
//!
//! A bijection scrambles the 50-bit key. Some of its bits choose the bucket and all others are
//! stored, so two states are never mistaken for each other. Each word is a valid proof by itself
//! (`packing.rs`), so any number of threads may read and write without locks.

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
    scramble_key(empty << SQUARES | own)
}

#[inline]
fn scramble_key(mut key: u64) -> u64 {
    key = key.wrapping_mul(0x9E37_79B9_7F4A_7C15) & KEY_MASK;
    key ^= key >> 27;
    key = key.wrapping_mul(0xD1B5_4A32_D192_ED03) & KEY_MASK;
    key ^= key >> 25;
    key.wrapping_mul(0x9E37_79B9_7F4A_7C15) & KEY_MASK
}

/// Prefetches a cache line.
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
    /// The smallest and the largest number of bits that choose a bucket: 8 MiB to 64 GiB. With less
    /// than 18, an entry could not hold the rest of the key.
    const BUCKET_BITS: (u32, u32) = (18, 31);
    /// The smallest size in bytes.
    pub const LEAST_BYTES: usize = 1 << 23;

    /// Creates the largest table with a power of two of bytes within `bytes`, but at least
    /// [`Table::LEAST_BYTES`]. A larger table lies in huge pages: the solutions that need it take
    /// longer than the first touch of the pages. Where so much memory cannot be had, it has half as
    /// much, or a quarter, and so on.
    pub fn new(bytes: usize) -> Table {
        Table::largest(bytes, |bytes| {
            Table::with(
                bytes,
                if bytes > Table::LEAST_BYTES {
                    ZeroedWords::in_huge_pages
                } else {
                    ZeroedWords::new
                },
            )
        })
    }

    /// Creates the first table of `bytes`, half as many, a quarter and so on whose memory can be
    /// had.
    fn largest(bytes: usize, create: impl Fn(usize) -> Option<Table>) -> Table {
        let mut bytes = bytes.max(Table::LEAST_BYTES);
        loop {
            match create(bytes) {
                Some(table) => return table,
                None if bytes > Table::LEAST_BYTES => bytes = (bytes / 2).max(Table::LEAST_BYTES),
                None => handle_alloc_error(Layout::new::<[u8; Table::LEAST_BYTES]>()),
            }
        }
    }

    fn with(bytes: usize, words: fn(usize) -> Option<ZeroedWords>) -> Option<Table> {
        let buckets = (bytes / (SLOTS * size_of::<AtomicU64>())).max(1);
        let bucket_bits = buckets.ilog2().clamp(Self::BUCKET_BITS.0, Self::BUCKET_BITS.1);
        let slots = words(SLOTS << bucket_bits)?;
        Some(Table { slots, bucket_bits, sets: None, under_search: UnderSearch::default() })
    }

    /// Creates a table for the solution of a position with these empty squares. If `bytes` is large
    /// enough ([`Table::bytes_for`]), it keeps proofs of the positions that follow by empty
    /// squares, which holds more of them than a table of [`Table::new`]. It is equally good for all
    /// other positions. Where so much memory cannot be had, it is as small as a table of
    /// [`Table::new`] would be.
    pub fn for_empty(empty: Squares, bytes: usize) -> Table {
        Table::largest(bytes, |bytes| Table::try_for_empty(empty, bytes))
    }

    /// Creates a table like [`Table::for_empty`]; `None` if the memory cannot be had.
    pub fn try_for_empty(empty: Squares, bytes: usize) -> Option<Table> {
        Table::for_empty_with(
            empty,
            bytes,
            if bytes > 2 * Table::LEAST_BYTES {
                ZeroedWords::in_huge_pages
            } else {
                ZeroedWords::new
            },
        )
    }

    /// Creates a table like [`Table::for_empty`], but in huge pages whatever its size.
    pub fn for_empty_in_huge_pages(empty: Squares, bytes: usize) -> Table {
        Table::largest(bytes, |bytes| {
            Table::for_empty_with(empty, bytes, ZeroedWords::in_huge_pages)
        })
    }

    fn for_empty_with(
        empty: Squares,
        bytes: usize,
        words: fn(usize) -> Option<ZeroedWords>,
    ) -> Option<Table> {
        let lines = DominanceTable::bytes_for(empty.len());
        if lines + Table::LEAST_BYTES > bytes {
            return Table::with(bytes, words);
        }
        Some(Table {
            sets: Some(DominanceTable::new(empty, words)?),
            ..Table::with(bytes - lines, words)?
        })
    }

    /// The number of bytes that [`Table::for_empty`] makes good use of with `empty` empty squares.
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

    /// The line index of a set of empty squares, if the table keeps proofs of its states by empty
    /// squares.
    pub(super) fn set_index(&self, empty: Squares) -> Option<u32> {
        self.sets.as_ref().filter(|sets| sets.holds(empty)).map(|sets| sets.set_index(empty))
    }

    /// The bit of a square in line indices ([`Table::set_index`]); 0 if the table keeps no proofs
    /// by empty squares.
    #[inline]
    pub(super) fn set_bit(&self, square: usize) -> u32 {
        self.sets.as_ref().map_or(0, |sets| sets.bit(square))
    }

    /// The line with this index. Panics if the table keeps no proofs by empty squares.
    #[inline]
    pub(super) fn line(&self, set: u32) -> &Line {
        self.sets.as_ref().expect("proofs are kept by empty squares").line(set)
    }

    /// Prefetches the line with this index.
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

    /// Prefetches the bucket of the state with this scrambled key.
    #[inline]
    pub(super) fn prefetch(&self, key: u64) {
        prefetch(self.bucket(key).0.as_ptr());
    }

    /// Looks up the proof of the state with this scrambled key.
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

    fn state(own: u64, opp: u64, empty: u64) -> State {
        let [own, opp, empty] = [own, opp, empty].map(Squares::from_bits);
        State { own, opp, empty }
    }

    #[test]
    fn different_states_have_different_keys() {
        let count = if cfg!(miri) { 2_000_u64 } else { 200_000 };
        let states = (0..count).map(|n| state(n % 512, 0, (n / 512) << 9));
        let keys: HashSet<u64> = states.map(|state| scramble_key(state.key())).collect();
        assert_eq!(keys.len(), count as usize);
    }

    #[test]
    fn what_is_stored_is_found_in_the_smallest_table() {
        fn check<N: Width>(upper: i32) {
            let table = Table::new(0);
            assert_eq!(table.bytes(), Table::LEAST_BYTES);
            let state = state(1 << 24, 1, 0b1010);
            for proof in [
                Proof { lower: -3, ..N::NONE },
                Proof { lower: -3, upper, mv: Square::from_index(11) },
            ] {
                table.store::<N>(scramble_key(state.key()), 2, proof);
                assert_eq!(table.probe::<N>(scramble_key(state.key())), Some(proof));
                assert_eq!(
                    table.probe::<N>(scramble_key(
                        State { own: Squares::from_bits(1), ..state }.key()
                    )),
                    None
                );
            }
        }
        check::<i16>(90);
        check::<i32>(240_000);
    }

    #[test]
    fn the_bounds_of_wide_values_are_replaced_one_by_one_and_those_of_states_near_the_end_first() {
        let table = Table::new(0);
        let proof = |lower, upper| Proof { lower, upper, mv: Square::from_index(3) };
        // All keys have the same bucket, whose number is in the highest bits of the scrambled key.
        for tag in 0..3 {
            table.store::<i32>(tag, 20 - tag as u32, proof(-250_000 + tag as i32, 250_000));
        }
        assert_eq!(table.probe::<i32>(0), Some(proof(-250_000, 250_000)));
        assert!(
            table
                .probe::<i32>(1)
                .is_some_and(|known| known.upper == 250_000 && known.lower == i32::NONE.lower)
        );
        assert!(table.probe::<i32>(2).is_some());
        table.store::<i32>(0, 20, proof(7, 250_000));
        assert_eq!(table.probe::<i32>(0), Some(proof(7, 250_000)));
    }
}
