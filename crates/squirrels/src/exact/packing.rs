//! The format of the table's entries. On narrow boards one word holds both bounds of a state; on
//! others each bound has a word of its own.

use crate::board::{MOST_NARROW_SUM, MOST_VALUE, SQUARES, Square};
use crate::sums::Sum;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

const NO_MOVE: u64 = 31;

pub(super) const SLOTS: usize = 4;

/// The words that can hold the proofs of a state.
pub(super) type Bucket = [AtomicU64; SLOTS];
const MOVE_BITS: u32 = 5;

/// Proven bounds on a state's value for its side to move: `lower <= value <= upper`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Proof {
    pub(super) lower: i32,
    pub(super) upper: i32,
    /// A move that reaches `lower`, or the one that looked best.
    pub(super) mv: Option<Square>,
}

/// An integer type for sums of values, with the format of proofs over it.
pub(super) trait Width: Sum {
    /// The number of bits of a bound.
    const BOUND_BITS: u32;
    /// Added to a bound before it is packed, so that none is negative.
    const OFFSET: i32 = 1 << (Self::BOUND_BITS - 1);
    /// The proof that says nothing: its bounds lie outside all values.
    const NONE: Proof = Proof { lower: -Self::OFFSET, upper: Self::OFFSET - 1, mv: None };

    fn find(bucket: &Bucket, tag: u64, tag_bits: u32) -> Option<Proof>;

    fn keep(bucket: &Bucket, tag: u64, tag_bits: u32, empty: u32, proof: Proof);

    #[inline]
    fn pack(proof: Proof) -> u64 {
        (proof.lower + Self::OFFSET) as u64
            | ((proof.upper + Self::OFFSET) as u64) << Self::BOUND_BITS
            | pack_move(proof.mv) << (2 * Self::BOUND_BITS)
    }

    #[inline]
    fn unpack(word: u64) -> Proof {
        let bound = |bits: u64| (bits & ((1 << Self::BOUND_BITS) - 1)) as i32 - Self::OFFSET;
        let mv = unpack_move(word >> (2 * Self::BOUND_BITS));
        Proof { lower: bound(word), upper: bound(word >> Self::BOUND_BITS), mv }
    }
}

const _: () = assert!(
    MOST_NARROW_SUM < i16::NONE.upper && SQUARES as i32 * (MOST_VALUE as i32) < i32::NONE.upper
);

/// The fields of a word, from the lowest bit: tag, both bounds, move, worth.
impl Width for i16 {
    const BOUND_BITS: u32 = 13;

    #[inline]
    fn find(bucket: &Bucket, tag: u64, tag_bits: u32) -> Option<Proof> {
        let mask = (1 << tag_bits) - 1;
        for word in bucket {
            let word = word.load(Relaxed);
            // A stored proof is never zero, since its upper bound is larger than the least.
            if word & mask == tag && word >> tag_bits != 0 {
                return Some(Self::unpack(word >> tag_bits));
            }
        }
        None
    }

    #[inline]
    fn keep(bucket: &Bucket, tag: u64, tag_bits: u32, empty: u32, proof: Proof) {
        let word = tag | Self::pack(proof) << tag_bits;
        put(bucket, word, tag_bits, tag_bits + 2 * Self::BOUND_BITS + MOVE_BITS, empty);
    }
}

/// The fields of a word, from the lowest bit: tag, which bound, the bound, move, worth.
impl Width for i32 {
    const BOUND_BITS: u32 = 19;

    #[inline]
    fn find(bucket: &Bucket, tag: u64, tag_bits: u32) -> Option<Proof> {
        let mask = (1 << tag_bits) - 1;
        let mut proof = Self::NONE;
        for word in bucket {
            let word = word.load(Relaxed);
            // A stored bound is never zero, since it is larger than the least.
            if word & mask != tag || word >> tag_bits == 0 {
                continue;
            }
            let word = word >> tag_bits;
            let bound = (word >> 1 & ((1 << Self::BOUND_BITS) - 1)) as i32 - Self::OFFSET;
            if word & 1 == 0 {
                (proof.lower, proof.mv) = (bound, unpack_move(word >> (1 + Self::BOUND_BITS)));
            } else {
                proof.upper = bound;
            }
        }
        (proof != Self::NONE).then_some(proof)
    }

    #[inline]
    fn keep(bucket: &Bucket, tag: u64, tag_bits: u32, empty: u32, proof: Proof) {
        let sides =
            [(proof.lower, Self::NONE.lower, proof.mv), (proof.upper, Self::NONE.upper, None)];
        for ((bound, unknown, mv), side) in sides.into_iter().zip(0..) {
            if bound != unknown {
                let data = (bound + Self::OFFSET) as u64 | pack_move(mv) << Self::BOUND_BITS;
                let word = tag | (side | data << 1) << tag_bits;
                put(bucket, word, tag_bits + 1, tag_bits + 1 + Self::BOUND_BITS + MOVE_BITS, empty);
            }
        }
    }
}

#[inline]
fn pack_move(mv: Option<Square>) -> u64 {
    mv.map_or(NO_MOVE, |square| square.index() as u64)
}

#[inline]
fn unpack_move(bits: u64) -> Option<Square> {
    Square::from_index((bits & NO_MOVE) as usize)
}

/// Stores a word in place of the word with the same lowest `same_bits`, an unused one, or the one
/// with the fewest empty squares. The bits from `worth_shift` on hold the number of empty squares,
/// rounded down to the bits that are left.
#[inline]
fn put(bucket: &Bucket, word: u64, same_bits: u32, worth_shift: u32, empty: u32) {
    let levels = (1_u64 << (64 - worth_shift).min(5)) - 1;
    let worth = u64::from(empty) * levels / 25;
    let word = word | worth << worth_shift;
    let mask = (1 << same_bits) - 1;
    let (mut target, mut least): (&AtomicU64, u64) = (&bucket[0], u64::MAX);
    for slot in bucket {
        let old = slot.load(Relaxed);
        if old == 0 || old & mask == word & mask {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proof_survives_packing_at_its_limits() {
        fn check<N: Width>(most: i32) {
            let limits = (N::NONE.lower, N::NONE.upper, SQUARES);
            for (lower, upper, index) in [limits, (-most, most, 24), (7, 7, 0), (0, 0, 0)] {
                let proof = Proof { lower, upper, mv: Square::from_index(index) };
                assert_eq!(N::unpack(N::pack(proof)), proof);
            }
        }
        check::<i16>(2_475);
        check::<i32>(250_000);
    }
}
