//! The sets of one or two foxes as symmetric matrices of bits, so that one instruction works on
//! many of them.

use super::bits::Bits;
use super::fox_sets::{MOST_EMPTY, Word};

/// A square matrix of bits with 16 or 32 rows, at least as many as there are empty points: bit `y`
/// of row `x` is the pair of `x` and `y`, bit `x` of row `x` a single fox.
pub(crate) trait Square: Copy + Sync {
    /// The matrix without any bit.
    const EMPTY: Self;

    /// Returns a row.
    fn row(&self, x: usize) -> u32;

    /// Sets a row.
    fn set_row(&mut self, x: usize, row: u32);

    /// Adds bits to the rows whose bits are set in `rows`.
    fn add(&mut self, rows: u32, bits: u32);

    /// Removes bits from all rows.
    fn remove(&mut self, bits: u32);

    /// Returns the union with another matrix.
    fn or(&self, other: &Self) -> Self;

    /// Returns the rows that share a bit with `bits`.
    fn rows_with(&self, bits: u32) -> u32;

    /// Returns the matrix with rows and columns exchanged.
    fn transposed<B: Bits>(&self) -> Self;

    /// Returns the rows in another order: at each place the row with the number that the order has
    /// there.
    fn ordered<B: Bits>(&self, order: &[u8; 32]) -> Self;

    /// Returns the bits of the diagonal.
    fn diagonal(&self) -> u32;

    /// Returns the matrix with another diagonal.
    fn with_diagonal(&self, bits: u32) -> Self;

    /// Returns the matrix of a word.
    fn of_word<B: Bits, const N: usize>(word: &Word<N>) -> Self;

    /// Returns the word of a matrix, of which only the bits up to the diagonal are looked at.
    fn word<B: Bits, const N: usize>(&self) -> Word<N>;

    /// Adds the first rows, of as many bits as there are points, one after the other to words.
    fn put_rows<B: Bits>(&self, points: usize, words: &mut [u64]);
}

/// Returns the bits of a triangle with its diagonal in `count` rows of `width` bits, from a row on.
const fn triangle(first: usize, count: usize, width: usize) -> u64 {
    let (mut bits, mut row) = (0, 0);
    while row < count {
        bits |= ((1u64 << (first + row + 1)) - 1) << (width * row);
        row += 1;
    }
    bits
}

/// The bit of a word at which a row of the triangle begins.
const fn begin(row: usize) -> usize {
    row * (row + 1) / 2
}

/// Returns 64 bits of a word from a place on.
#[inline(always)]
fn window<const N: usize>(word: &Word<N>, bit: usize) -> u64 {
    let (place, shift) = (bit / 64, bit % 64);
    let low = if place < N { word[place] >> shift } else { 0 };
    low | if shift > 0 && place + 1 < N { word[place + 1] << (64 - shift) } else { 0 }
}

/// Adds bits to a word from a place on; those beyond its end are none.
#[inline(always)]
fn add_window<const N: usize>(word: &mut Word<N>, bit: usize, bits: u64) {
    let (place, shift) = (bit / 64, bit % 64);
    if place < N {
        word[place] |= bits << shift;
    }
    if shift > 0 && place + 1 < N {
        word[place + 1] |= bits >> (64 - shift);
    }
}

/// The same for any number of words.
#[inline(always)]
fn add_long(words: &mut [u64], bit: usize, bits: u64) {
    let (place, wide) = (bit / 64, u128::from(bits) << (bit % 64));
    words[place] |= wide as u64;
    if let Some(next) = words.get_mut(place + 1) {
        *next |= (wide >> 64) as u64;
    }
}

/// The parts of [`Square`] that are the same for arrays of any kind of row.
macro_rules! rows {
    ($lane:ty, $rows:expr) => {
        const EMPTY: Self = [0; $rows];

        #[inline(always)]
        fn row(&self, x: usize) -> u32 {
            u32::from(self[x & ($rows - 1)])
        }

        #[inline(always)]
        fn set_row(&mut self, x: usize, row: u32) {
            self[x & ($rows - 1)] = row as $lane;
        }

        #[inline(always)]
        fn add(&mut self, rows: u32, bits: u32) {
            for x in 0..$rows {
                self[x] |= if rows as $lane & 1 << x != 0 { bits as $lane } else { 0 };
            }
        }

        #[inline(always)]
        fn remove(&mut self, bits: u32) {
            for x in 0..$rows {
                self[x] &= !(bits as $lane);
            }
        }

        #[inline(always)]
        fn or(&self, other: &Self) -> Self {
            let mut found = *self;
            for x in 0..$rows {
                found[x] |= other[x];
            }
            found
        }

        #[inline(always)]
        fn rows_with(&self, bits: u32) -> u32 {
            let mut found: $lane = 0;
            for x in 0..$rows {
                found |= if self[x] & bits as $lane != 0 { 1 << x } else { 0 };
            }
            u32::from(found)
        }

        #[inline(always)]
        fn diagonal(&self) -> u32 {
            let mut found: $lane = 0;
            for x in 0..$rows {
                found |= self[x] & 1 << x;
            }
            u32::from(found)
        }

        #[inline(always)]
        fn with_diagonal(&self, bits: u32) -> Self {
            let mut found = *self;
            for x in 0..$rows {
                found[x] = found[x] & !(1 << x) | bits as $lane & 1 << x;
            }
            found
        }
    };
}

impl Square for [u16; 16] {
    rows!(u16, 16);

    #[inline(always)]
    fn transposed<B: Bits>(&self) -> Self {
        B::transposed_16(self)
    }

    #[inline(always)]
    fn ordered<B: Bits>(&self, order: &[u8; 32]) -> Self {
        let mut first = [0; 16];
        for at in 0..16 {
            first[at] = order[at];
        }
        B::ordered_16(self, &first)
    }

    #[inline(always)]
    fn of_word<B: Bits, const N: usize>(word: &Word<N>) -> Self {
        let mut parts = [0; 4];
        for at in 0..4 {
            parts[at] = B::scatter(window(word, begin(4 * at)), FOUR_ROWS[at]);
        }
        let below = B::rows_16(parts);
        below.or(&below.transposed::<B>())
    }

    #[inline(always)]
    fn word<B: Bits, const N: usize>(&self) -> Word<N> {
        let (parts, mut word) = (B::words_16(self), [0; N]);
        for at in 0..4 {
            add_window(&mut word, begin(4 * at), B::gather(parts[at], FOUR_ROWS[at]));
        }
        word
    }

    #[inline(always)]
    fn put_rows<B: Bits>(&self, points: usize, words: &mut [u64]) {
        let (parts, mask) = (B::words_16(self), ((1 << points) - 1) * 0x1_0001_0001_0001);
        for at in 0..points.div_ceil(4) {
            add_long(words, 4 * at * points, B::gather(parts[at & 3], mask));
        }
    }
}

/// The [`triangle`] of 16 rows of 16 bits, four rows in a word.
const FOUR_ROWS: [u64; 4] =
    [triangle(0, 4, 16), triangle(4, 4, 16), triangle(8, 4, 16), triangle(12, 4, 16)];

impl Square for [u32; 32] {
    rows!(u32, 32);

    #[inline(always)]
    fn transposed<B: Bits>(&self) -> Self {
        B::transposed_32(self)
    }

    #[inline(always)]
    fn ordered<B: Bits>(&self, order: &[u8; 32]) -> Self {
        let mut found = [0; 32];
        for at in 0..32 {
            found[at] = self[usize::from(order[at]) & 31];
        }
        found
    }

    #[inline(always)]
    fn of_word<B: Bits, const N: usize>(word: &Word<N>) -> Self {
        let mut below = Self::EMPTY;
        for at in 0..MOST_EMPTY / 2 {
            let both = B::scatter(window(word, begin(2 * at)), TWO_ROWS[at]);
            below[2 * at] = both as u32;
            below[2 * at + 1] = (both >> 32) as u32;
        }
        below.or(&below.transposed::<B>())
    }

    #[inline(always)]
    fn word<B: Bits, const N: usize>(&self) -> Word<N> {
        let mut word = [0; N];
        for at in 0..MOST_EMPTY / 2 {
            let both = u64::from(self[2 * at]) | u64::from(self[2 * at + 1]) << 32;
            add_window(&mut word, begin(2 * at), B::gather(both, TWO_ROWS[at]));
        }
        word
    }

    #[inline(always)]
    fn put_rows<B: Bits>(&self, points: usize, words: &mut [u64]) {
        for at in 0..points.div_ceil(2) {
            let high = u64::from(self[2 * at + 1]) << points;
            add_long(words, 2 * at * points, u64::from(self[2 * at]) | high);
        }
    }
}

/// The triangle, two rows of 32 bits at a time.
const TWO_ROWS: [u64; MOST_EMPTY / 2] = {
    let mut masks = [0; MOST_EMPTY / 2];
    let mut at = 0;
    while at < masks.len() {
        masks[at] = triangle(2 * at, 2, 32);
        at += 1;
    }
    masks
};

/// Returns the numbers of a flock's empty points in the order of the mirror image's, and the other
/// way round: in each row of the board the order is reversed. `empty` has the number of empty
/// points of each row.
pub(crate) fn mirrored_order(empty: [u8; 7]) -> [u8; 32] {
    let mut order = std::array::from_fn(|at| at as u8);
    let mut first = 0;
    for count in empty {
        order[first..first + usize::from(count)].reverse();
        first += usize::from(count);
    }
    order
}

/// Returns the sets of foxes of a flock's mirror image, whose empty points have the order `order`.
#[inline(always)]
pub(crate) fn mirrored_word<B: Bits, S: Square, const N: usize>(
    word: &Word<N>,
    order: &[u8; 32],
) -> Word<N> {
    let rows = S::of_word::<B, N>(word).ordered::<B>(order).transposed::<B>();
    rows.ordered::<B>(order).word::<B, N>()
}

#[cfg(test)]
mod tests {
    use super::super::bits::Portable;
    use super::super::fox_sets::{Layout, get};
    use super::*;
    use crate::pairs::pair;
    use engine::split_mix;
    use foxgame::board::{BOARD, PointSet};
    use foxgame::endings::index::mirror;

    fn random_word<const N: usize>(layout: &Layout<N>, seed: u64) -> Word<N> {
        std::array::from_fn(|at| split_mix(seed * 5 + at as u64) & layout.full[at])
    }

    fn words_and_squares_are_the_same_sets<S: Square, const N: usize>(points: usize) {
        let layout = Layout::<N>::new(points);
        for seed in 0..50 {
            let word = random_word(&layout, seed);
            let square = S::of_word::<Portable, N>(&word);
            assert_eq!(square.word::<Portable, N>(), word);
            for (x, y) in (0..points).flat_map(|x| (0..points).map(move |y| (x, y))) {
                assert_eq!(square.row(x) >> y & 1 != 0, get(&word, pair(x, y)));
            }
        }
    }

    #[test]
    fn words_and_squares_are_the_same_sets_in_both_sizes() {
        words_and_squares_are_the_same_sets::<[u16; 16], 2>(13);
        words_and_squares_are_the_same_sets::<[u16; 16], 3>(16);
        words_and_squares_are_the_same_sets::<[u32; 32], 3>(17);
        words_and_squares_are_the_same_sets::<[u32; 32], 5>(24);
    }

    #[test]
    fn foxes_of_a_mirror_image_are_mirrored() {
        let points: Vec<u64> = BOARD.into_iter().map(|point| 1 << point.index()).collect();
        let image = |set: u64| mirror(PointSet::from_bits(set)).bits();
        let layout = Layout::<2>::new(13);
        for seed in 0..33 {
            let chosen = |at: usize| (at * 7 + seed) % 33 < 13;
            let own: Vec<u64> = (0..33).filter(|&at| chosen(at)).map(|at| points[at]).collect();
            let empty: u64 = own.iter().sum();
            let other: Vec<u64> =
                points.iter().copied().filter(|&point| image(empty) & point != 0).collect();
            let place = |x: usize| other.iter().position(|&point| point == image(own[x])).unwrap();
            let word = random_word(&layout, seed as u64);
            let order = mirrored_order(std::array::from_fn(|row| {
                (empty >> (8 * row) & 0x7F).count_ones() as u8
            }));
            let found = mirrored_word::<Portable, [u16; 16], 2>(&word, &order);
            for (x, y) in (0..13).flat_map(|x| (0..=x).map(move |y| (x, y))) {
                assert_eq!(get(&found, pair(x, y)), get(&word, pair(place(x), place(y))));
            }
        }
    }
}
