//! The solver's table: what is proven of a state, in eight bytes, found by its exact key.
//!
//! The 50-bit key is scrambled by a bijection; some of its bits choose the bucket and all others are stored, so two
//! states are never taken for each other and a proof needs no luck. One word an entry is also read and written whole by
//! any number of threads.

use super::memory::Words;
use super::state::State;
use crate::board::{SQUARES, Square};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

const KEY_BITS: u32 = 50;
const KEY_MASK: u64 = (1 << KEY_BITS) - 1;
const SLOTS: usize = 4;

/// Bounds are stored with this added, in 13 bits; 25 squares of 99 make 2,475 at most.
const OFFSET: i32 = 4_096;
const BOUND_BITS: u32 = 13;
const PLAY_BITS: u32 = 5;
const DATA_BITS: u32 = 2 * BOUND_BITS + PLAY_BITS;

/// Less than every value.
pub const LOWEST: i32 = -OFFSET;
/// More than every value.
pub const HIGHEST: i32 = OFFSET - 1;
/// Stands for "no move".
pub const NO_SQUARE: Square = 31;

/// What is proven of a state, for its side to move: `lower <= value <= upper`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The value is at least this.
    pub lower: i32,
    /// The value is at most this.
    pub upper: i32,
    /// A move that reaches `lower`, or the one that looked best; [`NO_SQUARE`] if none is known.
    pub mv: Square,
}

impl Proof {
    /// Nothing is known.
    pub const NONE: Proof = Proof { lower: LOWEST, upper: HIGHEST, mv: NO_SQUARE };

    pub(crate) fn pack(self) -> u64 {
        (self.lower + OFFSET) as u64
            | ((self.upper + OFFSET) as u64) << BOUND_BITS
            | u64::from(self.mv) << (2 * BOUND_BITS)
    }

    pub(crate) fn unpack(data: u64) -> Proof {
        let bound = |bits: u64| (bits & ((1 << BOUND_BITS) - 1)) as i32 - OFFSET;
        let mv = (data >> (2 * BOUND_BITS)) as Square & 31;
        Proof { lower: bound(data), upper: bound(data >> BOUND_BITS), mv }
    }
}

/// A bijection of 50-bit numbers: multiplications by odd numbers and shifts, each of which can be undone.
#[inline]
pub(super) fn scramble(state: State) -> u64 {
    scramble_key(state.key())
}

#[inline]
fn scramble_key(mut key: u64) -> u64 {
    key = key.wrapping_mul(0x9E37_79B9_7F4A_7C15) & KEY_MASK;
    key ^= key >> 27;
    key = key.wrapping_mul(0xD1B5_4A32_D192_ED03) & KEY_MASK;
    key ^= key >> 25;
    key.wrapping_mul(0x9E37_79B9_7F4A_7C15) & KEY_MASK
}

/// A table of fixed size. Memory is touched only as states are stored.
pub struct Table {
    slots: Words,
    bucket_bits: u32,
}

impl Table {
    /// The least and the most bits that choose a bucket: 8 MiB to 64 GiB. With less, an entry would not hold the rest
    /// of the key.
    const BUCKET_BITS: (u32, u32) = (18, 31);
    /// The least size, in bytes.
    pub const LEAST_BYTES: usize = 1 << 23;

    /// The largest table of a power of two bytes within `bytes`, but at least [`Table::LEAST_BYTES`].
    #[must_use]
    pub fn new(bytes: usize) -> Table {
        Table::with(bytes, Words::new)
    }

    /// The same in huge pages, for solutions that take minutes.
    #[must_use]
    pub fn in_huge_pages(bytes: usize) -> Table {
        Table::with(bytes, Words::in_huge_pages)
    }

    fn with(bytes: usize, words: fn(usize) -> Words) -> Table {
        let buckets = (bytes / (SLOTS * size_of::<AtomicU64>())).max(1);
        let bucket_bits = buckets.ilog2().clamp(Self::BUCKET_BITS.0, Self::BUCKET_BITS.1);
        Table { slots: words(SLOTS << bucket_bits), bucket_bits }
    }

    /// The size in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.slots.len() * size_of::<AtomicU64>()
    }

    #[inline]
    fn tag_bits(&self) -> u32 {
        KEY_BITS - self.bucket_bits
    }

    #[inline]
    fn bucket(&self, key: u64) -> (&[AtomicU64; SLOTS], u64) {
        let start = (key >> self.tag_bits()) as usize * SLOTS;
        let slots = self.slots[start..].first_chunk().expect("buckets are whole");
        (slots, key & ((1 << self.tag_bits()) - 1))
    }

    /// Begins to bring the state's entries into the cache.
    #[inline]
    pub(super) fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let (slots, _) = self.bucket(key);
            // SAFETY: a prefetch reads nothing and is allowed for any address; this one is within the slice.
            #[allow(unsafe_code)]
            unsafe {
                _mm_prefetch::<_MM_HINT_T0>(slots.as_ptr().cast());
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// What is proven of the state with this scrambled key.
    #[inline]
    pub(super) fn probe(&self, key: u64) -> Option<Proof> {
        let (slots, tag) = self.bucket(key);
        let mask = (1 << self.tag_bits()) - 1;
        for slot in slots {
            let word = slot.load(Relaxed);
            // A stored proof is never all zeros: its upper bound is more than LOWEST.
            if word & mask == tag && word >> self.tag_bits() != 0 {
                return Some(Proof::unpack(word >> self.tag_bits()));
            }
        }
        None
    }

    /// What is proven of a state.
    #[must_use]
    pub fn proof(&self, state: State) -> Option<Proof> {
        self.probe(scramble(state))
    }

    /// Stores a proof of the state with this [`State::key`].
    pub(crate) fn restore(&self, key: u64, proof: Proof) {
        self.store(scramble_key(key), (key >> SQUARES).count_ones(), proof);
    }

    /// Stores a proof of a state with `empty` empty squares, in place of the same state's, of nothing, or of the state
    /// that is closest to its end. The remaining bits of an entry keep the number of empty squares, as finely as they
    /// can.
    #[inline]
    pub(super) fn store(&self, key: u64, empty: u32, proof: Proof) {
        let (slots, tag) = self.bucket(key);
        let worth_shift = self.tag_bits() + DATA_BITS;
        let levels = (1_u64 << (64 - worth_shift).min(5)) - 1;
        let worth = u64::from(empty) * levels / 25;
        let word = tag | proof.pack() << self.tag_bits() | worth << worth_shift;
        let mask = (1 << self.tag_bits()) - 1;
        let (mut target, mut least) = (&slots[0], u64::MAX);
        for slot in slots {
            let old = slot.load(Relaxed);
            if old == 0 || old & mask == tag {
                target = slot;
                break;
            }
            if old >> worth_shift < least {
                least = old >> worth_shift;
                target = slot;
            }
        }
        target.store(word, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn a_proof_survives_packing_at_its_limits() {
        for (lower, upper, mv) in [(LOWEST, HIGHEST, NO_SQUARE), (-2_475, 2_475, 24), (7, 7, 0)] {
            let proof = Proof { lower, upper, mv };
            assert_eq!(Proof::unpack(proof.pack()), proof);
        }
    }

    #[test]
    fn different_states_have_different_keys() {
        let count = if cfg!(miri) { 2_000_u32 } else { 200_000 };
        let states = (0..count).map(|n| State { own: n % 512, opp: 0, empty: (n / 512) << 9 });
        let keys: HashSet<u64> = states.map(scramble).collect();
        assert_eq!(keys.len(), count as usize);
    }

    #[test]
    fn what_is_stored_is_found_in_the_smallest_table() {
        let table = Table::new(0);
        assert_eq!(table.bytes(), Table::LEAST_BYTES);
        let proof = Proof { lower: -3, upper: 90, mv: 11 };
        let state = State { own: 1 << 24, opp: 1, empty: 0b1010 };
        table.store(scramble(state), 2, proof);
        assert_eq!(table.probe(scramble(state)), Some(proof));
        assert_eq!(table.probe(scramble(State { own: 1, ..state })), None);
    }
}
