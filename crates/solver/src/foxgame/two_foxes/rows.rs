//! The sets of one or two foxes as the rows of a symmetric matrix.

use super::bits::Bits;
use super::words::Word;

/// A matrix: bit `y` of row `x` is the pair of `x` and `y`, bit `x` of row `x` a single fox. `R` is 16 or 32, at least the
/// number of empty points.
pub(crate) type Rows<const R: usize> = [u32; R];

/// For each pair of rows, the bits of a triangle with its diagonal in both: the first row in the lower half.
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

/// Returns the triangle of a word, without the bits above the diagonal.
#[inline(always)]
fn triangle<B: Bits, const N: usize, const R: usize>(word: &Word<N>) -> Rows<R> {
    let mut rows = [0; R];
    for at in 0..R / 2 {
        let (place, shift) = (begin(2 * at) / 64, begin(2 * at) % 64);
        if place < N {
            let high = if shift > 0 && place + 1 < N { word[place + 1] << (64 - shift) } else { 0 };
            let both = B::scatter(word[place] >> shift | high, TRIANGLE[at]);
            rows[2 * at] = both as u32;
            rows[2 * at + 1] = (both >> 32) as u32;
        }
    }
    rows
}

/// Returns the matrix of a word.
#[inline(always)]
pub(crate) fn rows<B: Bits, const N: usize, const R: usize>(word: &Word<N>) -> Rows<R> {
    let below = triangle::<B, N, R>(word);
    let mut found = transposed(&below);
    for x in 0..R {
        found[x] |= below[x];
    }
    found
}

/// Returns the word of a matrix, of which only the bits up to the diagonal are looked at.
#[inline(always)]
pub(crate) fn word<B: Bits, const N: usize, const R: usize>(rows: &Rows<R>) -> Word<N> {
    let mut word = [0; N];
    for at in 0..R / 2 {
        let (place, shift) = (begin(2 * at) / 64, begin(2 * at) % 64);
        if place < N {
            let both = B::gather(u64::from(rows[2 * at]) | u64::from(rows[2 * at + 1]) << 32, TRIANGLE[at]);
            word[place] |= both << shift;
            if shift > 0 && place + 1 < N {
                word[place + 1] |= both >> (64 - shift);
            }
        }
    }
    word
}

/// Returns the single foxes.
#[inline(always)]
pub(crate) fn diagonal<const R: usize>(rows: &Rows<R>) -> u32 {
    let mut found = 0;
    for x in 0..R {
        found |= rows[x] & 1 << x;
    }
    found
}

/// Returns the matrix with rows and columns exchanged.
#[inline(always)]
pub(crate) fn transposed<const R: usize>(rows: &Rows<R>) -> Rows<R> {
    // Halves of ever smaller squares are exchanged.
    let mut rows = *rows;
    let mut half = R / 2;
    let mut low = u32::MAX >> (32 - R / 2);
    while half > 0 {
        for x in 0..R {
            if x & half == 0 {
                let changed = (rows[x] >> half ^ rows[x + half]) & low;
                rows[x + half] ^= changed;
                rows[x] ^= changed << half;
            }
        }
        half /= 2;
        low ^= low << half;
    }
    rows
}

/// Returns the sets of foxes of a flock's mirror image. `empty` has the bits of the flock's own empty points.
#[inline(always)]
pub(crate) fn mirrored_word<B: Bits, const N: usize, const R: usize>(word_: &Word<N>, empty: u64) -> Word<N> {
    // In each row of the board the order of the empty points is reversed.
    let mut image = [0u8; R];
    let (mut first, mut x) = (0, 0);
    for row in 0..7 {
        let count = (empty >> (8 * row) & 0x7F).count_ones() as usize;
        for place in 0..count {
            image[x & (R - 1)] = (first + count - 1 - place) as u8;
            x += 1;
        }
        first += count;
    }
    let mut found = rows::<B, N, R>(word_);
    for _ in 0..2 {
        let mut moved = [0; R];
        for place in 0..x {
            moved[place & (R - 1)] = found[usize::from(image[place & (R - 1)]) & (R - 1)];
        }
        found = transposed(&moved);
    }
    word::<B, N, R>(&found)
}

#[cfg(test)]
mod tests {
    use super::super::bits::Portable;
    use super::super::words::{Layout, get, pair};
    use super::*;
    use engine::split_mix;
    use foxgame::board::{BOARD, PointSet};

    fn words_and_rows_are_the_same_sets<const N: usize, const R: usize>(points: usize) {
        let layout = Layout::<N>::new(points);
        for seed in 0..50 {
            let word_: Word<N> = std::array::from_fn(|at| split_mix(seed * 5 + at as u64) & layout.full[at]);
            let rows = rows::<Portable, N, R>(&word_);
            assert_eq!(word::<Portable, N, R>(&rows), word_);
            for (x, y) in (0..points).flat_map(|x| (0..points).map(move |y| (x, y))) {
                assert_eq!(rows[x] >> y & 1 != 0, get(&word_, pair(x, y)));
            }
        }
    }

    #[test]
    fn words_and_rows_are_the_same_sets_in_both_sizes() {
        words_and_rows_are_the_same_sets::<2, 16>(13);
        words_and_rows_are_the_same_sets::<3, 16>(16);
        words_and_rows_are_the_same_sets::<3, 32>(17);
        words_and_rows_are_the_same_sets::<5, 32>(24);
    }

    #[test]
    fn foxes_of_a_mirror_image_are_mirrored() {
        let points: Vec<u64> = BOARD.into_iter().map(|point| 1 << point.index()).collect();
        for seed in 0..50 {
            let empty: u64 = points.iter().enumerate().filter(|(at, _)| (at * 7 + seed) % 33 < 13).map(|(_, bit)| bit).sum();
            let image = foxgame::endings::index::mirror(PointSet::from_bits(empty)).bits();
            let layout = Layout::<2>::new(13);
            let word_: Word<2> =
                std::array::from_fn(|at| split_mix((seed * 5 + at) as u64) & layout.full[at]);
            let found = mirrored_word::<Portable, 2, 16>(&word_, empty);
            let numbered = |set: u64| -> Vec<u64> { points.iter().copied().filter(|bit| set & bit != 0).collect() };
            let (own, other) = (numbered(empty), numbered(image));
            let place = |x: usize| {
                let bit = foxgame::endings::index::mirror(PointSet::from_bits(own[x])).bits();
                other.iter().position(|&point| point == bit).unwrap()
            };
            for (x, y) in (0..13).flat_map(|x| (0..=x).map(move |y| (x, y))) {
                assert_eq!(get(&found, pair(place(x), place(y))), get(&word_, pair(x, y)));
            }
        }
    }
}
