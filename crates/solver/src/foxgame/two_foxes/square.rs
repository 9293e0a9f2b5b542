//! The sets of one or two foxes as symmetric matrices of bits, so that one instruction works on many of them.

use super::bits::Bits;
use super::words::Word;

/// A square matrix of bits with as many rows as [`Square::ROWS`], at least the number of empty points: bit `y` of row `x` is
/// the pair of `x` and `y`, bit `x` of row `x` a single fox.
pub(crate) trait Square: Copy + Sync {
    /// The number of rows, a power of two.
    const ROWS: usize;
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

    /// Returns the bits of the diagonal.
    #[inline(always)]
    fn diagonal(&self) -> u32 {
        let mut found = 0;
        for x in 0..Self::ROWS {
            found |= self.row(x) & 1 << x;
        }
        found
    }

    /// Returns the matrix of a word.
    #[inline(always)]
    fn of_word<B: Bits, const N: usize>(word: &Word<N>) -> Self {
        let mut below = Self::EMPTY;
        for at in 0..Self::ROWS / 2 {
            let (place, shift) = (begin(2 * at) / 64, begin(2 * at) % 64);
            if place < N {
                let high = if shift > 0 && place + 1 < N { word[place + 1] << (64 - shift) } else { 0 };
                let both = B::scatter(word[place] >> shift | high, TRIANGLE[at]);
                below.set_row(2 * at, both as u32);
                below.set_row(2 * at + 1, (both >> 32) as u32);
            }
        }
        below.or(&below.transposed::<B>())
    }

    /// Returns the word of a matrix, of which only the bits up to the diagonal are looked at.
    #[inline(always)]
    fn word<B: Bits, const N: usize>(&self) -> Word<N> {
        let mut word = [0; N];
        for at in 0..Self::ROWS / 2 {
            let (place, shift) = (begin(2 * at) / 64, begin(2 * at) % 64);
            if place < N {
                let both = u64::from(self.row(2 * at)) | u64::from(self.row(2 * at + 1)) << 32;
                let both = B::gather(both, TRIANGLE[at]);
                word[place] |= both << shift;
                if shift > 0 && place + 1 < N {
                    word[place + 1] |= both >> (64 - shift);
                }
            }
        }
        word
    }
}

/// For each two rows, the bits of a triangle with its diagonal: those of the first row in the lower half.
const TRIANGLE: [u64; 16] = {
    let mut masks = [0; 16];
    let mut at = 0;
    while at < 16 {
        masks[at] = ((1 << (2 * at + 1)) - 1) | ((1 << (2 * at + 2)) - 1) << 32;
        at += 1;
    }
    masks
};

/// The bit of a word at which a row of the triangle begins.
const fn begin(row: usize) -> usize {
    row * (row + 1) / 2
}

/// Implements [`Square`] for an array of rows.
macro_rules! square {
    ($lane:ty, $rows:expr, $transposed:ident) => {
        impl Square for [$lane; $rows] {
            const ROWS: usize = $rows;
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
                let mut found = 0;
                for x in 0..$rows {
                    found |= if self[x] & bits as $lane != 0 { 1 << x } else { 0 };
                }
                found
            }

            #[inline(always)]
            fn transposed<B: Bits>(&self) -> Self {
                B::$transposed(self)
            }
        }
    };
}

square!(u16, 16, transposed_16);
square!(u32, 32, transposed_32);

/// Returns the sets of foxes of a flock's mirror image. `empty` has the bits of the flock's own empty points.
#[inline(always)]
pub(crate) fn mirrored_word<B: Bits, S: Square, const N: usize>(word: &Word<N>, empty: u64) -> Word<N> {
    // In each row of the board the order of the empty points is reversed.
    let mut image = [0u8; 32];
    let (mut first, mut points) = (0, 0);
    for row in 0..7 {
        let count = (empty >> (8 * row) & 0x7F).count_ones() as usize;
        for place in 0..count {
            image[points & 31] = (first + count - 1 - place) as u8;
            points += 1;
        }
        first += count;
    }
    let mut found = S::of_word::<B, N>(word);
    for _ in 0..2 {
        let mut moved = S::EMPTY;
        for x in 0..points {
            moved.set_row(x, found.row(usize::from(image[x & 31])));
        }
        found = moved.transposed::<B>();
    }
    found.word::<B, N>()
}

#[cfg(test)]
mod tests {
    use super::super::bits::Portable;
    use super::super::words::{Layout, get, pair};
    use super::*;
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
            let other: Vec<u64> = points.iter().copied().filter(|&point| image(empty) & point != 0).collect();
            let place = |x: usize| other.iter().position(|&point| point == image(own[x])).unwrap();
            let word = random_word(&layout, seed as u64);
            let found = mirrored_word::<Portable, [u16; 16], 2>(&word, empty);
            for (x, y) in (0..13).flat_map(|x| (0..=x).map(move |y| (x, y))) {
                assert_eq!(get(&found, pair(x, y)), get(&word, pair(place(x), place(y))));
            }
        }
    }
}
