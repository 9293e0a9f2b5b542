//! Dominance: proofs that hold for more than one state.
//!
//! More own pieces are never worse. Take two states with the same empty squares, where the first
//! has all own pieces of the second and perhaps more. Whatever square either side takes, the first
//! still has all own pieces of the second afterwards: a Raid of its side in the second is one in
//! the first, a Raid of the other side in the first is one in the second, and a Raid takes all
//! pieces around. So the first ends with no smaller difference. A lower bound of the second holds
//! for the first, and an upper bound of the first holds for the second.
//!
//! Hence each set of empty squares has a cache line of its own, which needs no key. Half of its
//! entries are lower bounds and half are upper bounds, each with the own pieces that it holds for.

use super::machine::{Line, Machine};
use super::packing::Width;
use super::zeroed::{LINE_BYTES, LINE_WORDS, ZeroedWords};
use crate::board::{SQUARES, Squares};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The own pieces of a state, as a line's entries store them.
pub(super) type Rank = u32;

/// A table with a line for each subset of some squares.
pub(super) struct DominanceTable {
    words: ZeroedWords,
    from: Squares,
    /// The bit of each square in line indices: 32, so that an index of five bits needs no bounds
    /// check.
    bits: [u32; 32],
}

impl DominanceTable {
    pub(super) const fn bytes_for(squares: u32) -> usize {
        LINE_BYTES << squares
    }

    /// Creates a table for all subsets of `from`; `None` if the memory cannot be had.
    pub(super) fn new(
        from: Squares,
        words: fn(usize) -> Option<ZeroedWords>,
    ) -> Option<DominanceTable> {
        let mut bits = [0; 32];
        for (number, square) in from.into_iter().enumerate() {
            bits[square.index()] = 1 << number;
        }
        Some(DominanceTable { words: words(LINE_WORDS << from.len())?, from, bits })
    }

    pub(super) fn holds(&self, empty: Squares) -> bool {
        empty.is_within(self.from)
    }

    pub(super) fn bytes(&self) -> usize {
        self.words.len() * size_of::<AtomicU64>()
    }

    /// The line of a set of squares: the sum of the bits of its squares.
    pub(super) fn set_index(&self, empty: Squares) -> u32 {
        empty.into_iter().map(|square| self.bit(square.index())).sum()
    }

    #[inline]
    pub(super) fn bit(&self, square: usize) -> u32 {
        self.bits[square & 31]
    }

    #[inline]
    pub(super) fn line(&self, number: u32) -> &Line {
        self.words[number as usize * LINE_WORDS..].first_chunk().expect("lines are whole")
    }
}

/// The format of the entries of a line. An unused entry is zero.
pub(super) trait Entries: Width {
    const ENTRY_BITS: u32;
    /// The number of bits of an entry's bound; the other bits hold own pieces.
    const VALUE_BITS: u32;
    const RANK_BITS: u32 = if Self::ENTRY_BITS - Self::VALUE_BITS < SQUARES as u32 {
        Self::ENTRY_BITS - Self::VALUE_BITS
    } else {
        SQUARES as u32
    };

    /// Packs the own pieces of a state ([`Settled::rank`](super::state::Settled::rank)), which can
    /// be only on `frontier`.
    fn rank<M: Machine>(own: u32, frontier: u32) -> Rank;

    /// The best bounds of a state; below and above all values where nothing is known.
    fn bounds<M: Machine>(line: &Line, rank: Rank) -> (i32, i32);

    #[inline]
    fn keep_lower(line: &Line, rank: Rank, lower: i32) {
        keep::<Self>(&line[..LINE_WORDS / 2], rank, (lower - Self::NONE.lower) as u64);
    }

    #[inline]
    fn keep_upper(line: &Line, rank: Rank, upper: i32) {
        let others = !rank & ((1 << Self::RANK_BITS) - 1);
        keep::<Self>(&line[LINE_WORDS / 2..], others, (Self::NONE.upper - upper) as u64);
    }
}

/// With four empty squares or more at most 19 squares besides them hold pieces.
impl Entries for i16 {
    const ENTRY_BITS: u32 = 32;
    const VALUE_BITS: u32 = 13;

    #[inline(always)]
    fn rank<M: Machine>(own: u32, frontier: u32) -> Rank {
        M::compress(own, frontier)
    }

    #[inline(always)]
    fn bounds<M: Machine>(line: &Line, rank: Rank) -> (i32, i32) {
        let [lower, upper] = M::largest(line, Self::VALUE_BITS, !rank);
        (Self::NONE.lower + lower as i32, Self::NONE.upper - upper as i32)
    }
}

impl Entries for i32 {
    const ENTRY_BITS: u32 = 64;
    const VALUE_BITS: u32 = 20;

    #[inline(always)]
    fn rank<M: Machine>(own: u32, _: u32) -> Rank {
        own
    }

    #[inline]
    fn bounds<M: Machine>(line: &Line, rank: Rank) -> (i32, i32) {
        let (lower, upper) = line.split_at(LINE_WORDS / 2);
        let [lower, upper] = [(lower, !rank), (upper, rank)].map(|(words, forbidden)| {
            let words = words.iter().map(|word| word.load(Relaxed));
            let allowed = words.filter(|word| (word >> Self::VALUE_BITS) as u32 & forbidden == 0);
            allowed.map(|word| (word & ((1 << Self::VALUE_BITS) - 1)) as i32).fold(0, i32::max)
        });
        (Self::NONE.lower + lower, Self::NONE.upper - upper)
    }
}

/// Stores an entry in half of a line, in place of entries that it implies, of an unused one, or of
/// any.
#[inline]
fn keep<N: Entries>(half: &[AtomicU64], set: Rank, value: u64) {
    let mask = u64::MAX >> (64 - N::ENTRY_BITS);
    let values = (1 << N::VALUE_BITS) - 1;
    let set = u64::from(set) << N::VALUE_BITS;
    let mut place = None;
    for (number, word) in half.iter().enumerate() {
        let both = word.load(Relaxed);
        let mut left = both;
        for shift in (0..64).step_by(N::ENTRY_BITS as usize) {
            let old = both >> shift & mask;
            // The new entry implies one that holds for no more states and has no better bound.
            if old == 0 || set & !old & !values == 0 && old & values <= value {
                left &= !(mask << shift);
                place = place.or(Some((number, shift)));
            }
        }
        if left != both {
            word.store(left, Relaxed);
        }
    }
    let (number, shift) = place.unwrap_or_else(|| {
        // Otherwise replace an entry chosen by a hash of the new one alone, so that runs are
        // reproducible.
        let entries = half.len() * (64 / N::ENTRY_BITS) as usize;
        let place = engine::split_mix(set | value) as usize % entries;
        (place % half.len(), place / half.len() * N::ENTRY_BITS as usize)
    });
    let word = &half[number];
    word.store(word.load(Relaxed) & !(mask << shift) | (set | value) << shift, Relaxed);
}

#[cfg(test)]
mod tests {
    use super::super::machine::Portable;
    use super::*;
    use crate::board::bits_around;

    fn line() -> Line {
        std::array::from_fn(|_| AtomicU64::new(0))
    }

    #[test]
    fn the_pieces_beside_any_empty_squares_fit_into_an_entry() {
        // With six empty squares or more the whole board has no more pieces than that.
        let sets = (0..1_u32 << SQUARES).filter(|set| (4..6).contains(&set.count_ones()));
        let most = sets.map(|set| (bits_around(set).0 & !set).count_ones()).max();
        assert!(
            most.is_some_and(|most| (15..=<i16 as Entries>::RANK_BITS).contains(&most)),
            "{most:?}"
        );
    }

    #[test]
    fn a_lower_bound_holds_for_more_own_pieces_and_an_upper_bound_for_fewer() {
        fn check<N: Entries>() {
            let line = line();
            let bounds = |rank| N::bounds::<Portable>(&line, rank);
            let (none, any) = (N::NONE.lower, N::NONE.upper);
            assert_eq!(bounds(0b0110), (none, any));
            N::keep_lower(&line, 0b0110, -7);
            N::keep_upper(&line, 0b0110, 12);
            assert_eq!(
                [0b0110, 0b1110, 0b0100, 0b1100].map(bounds),
                [(-7, 12), (-7, any), (none, 12), (none, any)]
            );
            N::keep_lower(&line, 0b1110, 3);
            N::keep_upper(&line, 0b0100, 3);
            assert_eq!(
                [0b0110, 0b1111, 0, 0b1000].map(bounds),
                [(-7, 12), (3, any), (none, 3), (none, any)]
            );
        }
        check::<i16>();
        check::<i32>();
    }

    #[test]
    fn a_line_keeps_what_says_most_and_never_what_is_not_so() {
        fn check<N: Entries>() {
            let line = line();
            // States whose value is the number of their own pieces.
            for round in 0..10_000_u64 {
                let rank = (engine::split_mix(round) & 0x3FF) as u32;
                let count = rank.count_ones() as i32;
                let (lower, upper) = N::bounds::<Portable>(&line, rank);
                assert!(lower <= count && count <= upper, "{rank:b}: {lower} {upper}");
                N::keep_lower(&line, rank, count);
                N::keep_upper(&line, rank, count);
                assert_eq!(N::bounds::<Portable>(&line, rank), (count, count));
            }
            // A bound for all states replaces all weaker ones.
            N::keep_lower(&line, 0, 10);
            let entries: u32 =
                line[..LINE_WORDS / 2].iter().map(|word| u32::from(word.load(Relaxed) != 0)).sum();
            assert_eq!((entries, N::bounds::<Portable>(&line, 0).0), (1, 10));
        }
        check::<i16>();
        check::<i32>();
    }
}
