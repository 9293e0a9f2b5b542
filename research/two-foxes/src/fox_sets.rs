//! Words with a bit for each set of one or two foxes on the empty points of a flock
//! ([`crate::pairs`]), and how they move to the flock after a step.

use super::bits::Bits;
use crate::pairs::{pair, words};
use foxgame::board::PointSet;

/// The largest number of empty points: 33 less 9 sheep.
pub(crate) const MOST_EMPTY: usize = 24;

/// A word of `N` times 64 bits.
pub(crate) type Word<const N: usize> = [u64; N];

/// The layout of words for a number of empty points.
#[derive(Clone, Debug)]
pub(crate) struct Layout<const N: usize> {
    /// The number of empty points.
    pub points: usize,
    /// The word with all bits set that are in use.
    pub full: Word<N>,
    /// For each point, the bits of the sets without it.
    pub without: [Word<N>; MOST_EMPTY],
    /// For each point and each word, the number of bits of sets without the point in the words
    /// before.
    before: [[u32; N]; MOST_EMPTY],
}

/// Returns whether a bit is set.
#[inline(always)]
pub(crate) const fn get<const N: usize>(word: &Word<N>, bit: usize) -> bool {
    word[bit / 64] >> (bit % 64) & 1 != 0
}

/// Sets or clears a bit.
#[inline(always)]
pub(crate) const fn put<const N: usize>(word: &mut Word<N>, bit: usize, value: bool) {
    word[bit / 64] = word[bit / 64] & !(1 << (bit % 64)) | (value as u64) << (bit % 64);
}

/// Returns the union of two words.
#[inline(always)]
pub(crate) fn or<const N: usize>(mut one: Word<N>, other: Word<N>) -> Word<N> {
    for at in 0..N {
        one[at] |= other[at];
    }
    one
}

/// Returns the mirror image of a set of points given by its bits.
#[inline(always)]
pub(crate) const fn mirrored(bits: u64) -> u64 {
    foxgame::endings::index::mirror(PointSet::from_bits(bits)).bits()
}

/// Returns up to 32 bits from a place on.
#[inline(always)]
pub(crate) fn bits_at(words: &[u64], bit: usize, count: usize) -> u32 {
    let (at, shift) = (bit / 64, bit % 64);
    let high = if shift + count > 64 { words[at + 1] << (64 - shift) } else { 0 };
    ((words[at] >> shift | high) & ((1 << count) - 1)) as u32
}

/// Calls `visit` with the number of each bit that is set, the lowest first.
macro_rules! each_bit {
    ($bits:expr, $place:ident, $body:block) => {
        let mut rest = $bits;
        while rest != 0 {
            let $place = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            $body
        }
    };
}
pub(crate) use each_bit;

impl<const N: usize> Layout<N> {
    /// Creates the layout for so many empty points, which must fit `N` words.
    pub(crate) fn new(points: usize) -> Layout<N> {
        assert!(points <= MOST_EMPTY && words(points) <= N);
        let mut layout = Layout {
            points,
            full: [0; N],
            without: [[0; N]; MOST_EMPTY],
            before: [[0; N]; MOST_EMPTY],
        };
        for (x, y) in (0..points).flat_map(|y| (0..=y).map(move |x| (x, y))) {
            put(&mut layout.full, pair(x, y), true);
            for (without, bits) in layout.without.iter_mut().enumerate().take(points) {
                put(bits, pair(x, y), x != without && y != without);
            }
        }
        for (bits, before) in layout.without.iter().zip(&mut layout.before) {
            for word in 1..N {
                before[word] = before[word - 1] + bits[word - 1].count_ones();
            }
        }
        layout
    }

    /// Moves the sets of a flock to the flock after a sheep's step: leaves out all sets with point
    /// `from`, and numbers the other points so that point `to` is new.
    #[inline(always)]
    pub(crate) fn moved<B: Bits>(&self, word: &Word<N>, from: usize, to: usize) -> Word<N> {
        let mut packed = [0u64; 8];
        let (bits, before) = (&self.without[from], &self.before[from]);
        for at in 0..N {
            let wide = u128::from(B::gather(word[at], bits[at])) << (before[at] % 64);
            let place = (before[at] / 64) as usize & 7;
            packed[place] |= wide as u64;
            packed[(place + 1) & 7] |= (wide >> 64) as u64;
        }
        let (bits, before) = (&self.without[to], &self.before[to]);
        let mut found = [0; N];
        for at in 0..N {
            let place = (before[at] / 64) as usize & 7;
            let wide = u128::from(packed[place]) | u128::from(packed[(place + 1) & 7]) << 64;
            found[at] = B::scatter((wide >> (before[at] % 64)) as u64, bits[at]);
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::super::bits::Portable;
    use super::*;
    use engine::split_mix;

    #[test]
    fn a_step_renames_the_points_between() {
        for points in [4, 13, 18, 24] {
            let layout = Layout::<5>::new(points);
            for seed in 0..20 {
                let word: Word<5> =
                    std::array::from_fn(|at| split_mix(seed * 5 + at as u64) & layout.full[at]);
                let [from, to] =
                    [split_mix(seed), split_mix(seed + 99)].map(|number| number as usize % points);
                let moved = layout.moved::<Portable>(&word, from, to);
                // The number in the old order of a point of the new order.
                let old = |new: usize| {
                    let among_others = if new > to { new - 1 } else { new };
                    if among_others >= from { among_others + 1 } else { among_others }
                };
                for x in 0..points {
                    for y in 0..=x {
                        let both = x != to && y != to && get(&word, pair(old(x), old(y)));
                        assert_eq!(
                            get(&moved, pair(x, y)),
                            both,
                            "{points} points, {from} to {to}"
                        );
                    }
                }
            }
        }
    }
}
