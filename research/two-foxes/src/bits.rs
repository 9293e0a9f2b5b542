//! Gathering and scattering of bits (`pext`, `pdep`) and the exchange of rows and columns: by
//! instructions of the processor (BMI2, AVX2) where it has them, else by loops with the same
//! results.

/// The operations, and the way to run code that uses them.
pub(crate) trait Bits {
    /// Returns the bits of `word` at the places of `mask`, packed to the right.
    fn gather(word: u64, mask: u64) -> u64;

    /// Returns the lowest bits of `word`, spread over the places of `mask`.
    fn scatter(word: u64, mask: u64) -> u64;

    /// Returns a matrix of bits with rows and columns exchanged.
    fn transposed_16(rows: &[u16; 16]) -> [u16; 16];

    /// Returns a matrix of bits with rows and columns exchanged.
    fn transposed_32(rows: &[u32; 32]) -> [u32; 32];

    /// Returns the rows in another order: at each place the row with the number that the order has
    /// there, below 16.
    fn ordered_16(rows: &[u16; 16], order: &[u8; 16]) -> [u16; 16] {
        std::array::from_fn(|at| rows[usize::from(order[at]) & 15])
    }

    /// Returns the rows that words consist of, the first one in the lowest bits.
    fn rows_16(words: [u64; 4]) -> [u16; 16] {
        std::array::from_fn(|x| (words[x / 4] >> (16 * (x % 4))) as u16)
    }

    /// The inverse of [`Bits::rows_16`].
    fn words_16(rows: &[u16; 16]) -> [u64; 4] {
        std::array::from_fn(|at| {
            (0..4).fold(0, |word, row| word | u64::from(rows[4 * at + row]) << (16 * row))
        })
    }
}

/// Loops, for any processor.
pub(crate) struct Portable;

impl Bits for Portable {
    #[inline(always)]
    fn gather(word: u64, mut mask: u64) -> u64 {
        let (mut found, mut place) = (0, 0);
        while mask != 0 {
            found |= (word >> mask.trailing_zeros() & 1) << place;
            place += 1;
            mask &= mask - 1;
        }
        found
    }

    #[inline(always)]
    fn scatter(mut word: u64, mut mask: u64) -> u64 {
        let mut found = 0;
        while mask != 0 {
            found |= (word & 1) << mask.trailing_zeros();
            word >>= 1;
            mask &= mask - 1;
        }
        found
    }

    fn transposed_16(rows: &[u16; 16]) -> [u16; 16] {
        std::array::from_fn(|y| (0..16).fold(0, |found, x| found | (rows[x] >> y & 1) << x))
    }

    fn transposed_32(rows: &[u32; 32]) -> [u32; 32] {
        std::array::from_fn(|y| (0..32).fold(0, |found, x| found | (rows[x] >> y & 1) << x))
    }
}

/// The instructions of x86-64 with BMI2 and AVX2. Only [`with_instructions`] uses it.
#[cfg(target_arch = "x86_64")]
struct Instructions;

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
impl Bits for Instructions {
    #[inline(always)]
    fn gather(word: u64, mask: u64) -> u64 {
        // SAFETY: the type is private, and named only in `with_instructions`, whose caller has
        // looked for the instructions.
        unsafe { std::arch::x86_64::_pext_u64(word, mask) }
    }

    #[inline(always)]
    fn scatter(word: u64, mask: u64) -> u64 {
        // SAFETY: as above.
        unsafe { std::arch::x86_64::_pdep_u64(word, mask) }
    }

    #[inline(always)]
    fn transposed_16(rows: &[u16; 16]) -> [u16; 16] {
        let mut found = [0; 16];
        // SAFETY: as above; an array of 16 numbers of 16 bits is read as one of 256 bits.
        unsafe {
            use std::arch::x86_64::*;
            // The lower bytes of all rows, then the upper ones: the instruction gathers the highest
            // bit of each byte.
            let rows = _mm256_loadu_si256(rows.as_ptr().cast());
            let low = _mm256_and_si256(rows, _mm256_set1_epi16(0xFF));
            let bytes = _mm256_packus_epi16(low, _mm256_srli_epi16::<8>(rows));
            let mut bytes = _mm256_permute4x64_epi64::<0b11_01_10_00>(bytes);
            for y in (0..8).rev() {
                let both = _mm256_movemask_epi8(bytes) as u32;
                found[y] = both as u16;
                found[y + 8] = (both >> 16) as u16;
                bytes = _mm256_add_epi8(bytes, bytes);
            }
        }
        found
    }

    #[inline(always)]
    fn ordered_16(rows: &[u16; 16], order: &[u8; 16]) -> [u16; 16] {
        // SAFETY: as above; the arrays have the sizes of what is read and written.
        unsafe {
            use std::arch::x86_64::*;
            let order = _mm256_cvtepu8_epi16(_mm_loadu_si128(order.as_ptr().cast()));
            // The numbers of both bytes of a row, below 16 as bytes are moved within each half of
            // the rows.
            let bytes = _mm256_add_epi16(
                _mm256_mullo_epi16(order, _mm256_set1_epi16(0x202)),
                _mm256_set1_epi16(0x100),
            );
            let bytes = _mm256_and_si256(bytes, _mm256_set1_epi16(0xF0F));
            let rows = _mm256_loadu_si256(rows.as_ptr().cast());
            let low = _mm256_shuffle_epi8(_mm256_permute2x128_si256::<0x00>(rows, rows), bytes);
            let high = _mm256_shuffle_epi8(_mm256_permute2x128_si256::<0x11>(rows, rows), bytes);
            let is_high = _mm256_cmpgt_epi16(order, _mm256_set1_epi16(7));
            std::mem::transmute(_mm256_blendv_epi8(low, high, is_high))
        }
    }

    #[inline(always)]
    fn rows_16(words: [u64; 4]) -> [u16; 16] {
        // SAFETY: these processors keep the lowest bits first.
        unsafe { std::mem::transmute(words) }
    }

    #[inline(always)]
    fn words_16(rows: &[u16; 16]) -> [u64; 4] {
        // SAFETY: as above.
        unsafe { std::mem::transmute(*rows) }
    }

    #[inline(always)]
    fn transposed_32(rows: &[u32; 32]) -> [u32; 32] {
        let mut found = [0; 32];
        // SAFETY: as above, four times eight numbers of 32 bits.
        unsafe {
            use std::arch::x86_64::*;
            let load = |at: usize| _mm256_loadu_si256(rows[8 * at..].as_ptr().cast());
            let [a, b, c, d] = [load(0), load(1), load(2), load(3)];
            let mask = _mm256_set1_epi32(0xFF);
            // Packing works on halves of 128 bits: the order of the rows is put right afterwards.
            let order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
            for byte in 0..4 {
                let shift = _mm_cvtsi32_si128(8 * byte);
                let lane = |rows| _mm256_and_si256(_mm256_srl_epi32(rows, shift), mask);
                let low = _mm256_packus_epi32(lane(a), lane(b));
                let high = _mm256_packus_epi32(lane(c), lane(d));
                let mut bytes = _mm256_permutevar8x32_epi32(_mm256_packus_epi16(low, high), order);
                for y in (0..8).rev() {
                    found[8 * byte as usize + y] = _mm256_movemask_epi8(bytes) as u32;
                    bytes = _mm256_add_epi8(bytes, bytes);
                }
            }
        }
        found
    }
}

/// Work that gathers and scatters bits.
pub(crate) trait Work {
    /// The result.
    type Result;

    /// Does the work. Implementations are `#[inline(always)]`, as are the functions they call: only
    /// then are the instructions used in place.
    fn run<B: Bits>(self) -> Self::Result;
}

/// Does the work with the processor's instructions if it has them and `portable` is false, else
/// with loops.
pub(crate) fn run<W: Work>(work: W, portable: bool) -> W::Result {
    #[cfg(target_arch = "x86_64")]
    if !portable && has_instructions() {
        // SAFETY: the processor has these instructions.
        #[allow(unsafe_code)]
        return unsafe { with_instructions(work) };
    }
    let _ = portable;
    work.run::<Portable>()
}

#[cfg(target_arch = "x86_64")]
fn has_instructions() -> bool {
    is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("popcnt")
        && is_x86_feature_detected!("avx2")
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi1,bmi2,popcnt,avx2")]
fn with_instructions<W: Work>(work: W) -> W::Result {
    work.run::<Instructions>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::split_mix;

    struct Sums;

    impl Work for Sums {
        type Result = Vec<u64>;

        #[inline(always)]
        fn run<B: Bits>(self) -> Vec<u64> {
            let words = (0..1000)
                .map(|seed| (split_mix(seed), split_mix(seed ^ 0xF0C5) & split_mix(seed + 7)));
            words.flat_map(|(word, mask)| [B::gather(word, mask), B::scatter(word, mask)]).collect()
        }
    }

    struct Transposed;

    impl Work for Transposed {
        type Result = ([u16; 16], [u32; 32], [u16; 16], [u64; 4]);

        #[inline(always)]
        fn run<B: Bits>(self) -> Self::Result {
            let rows = std::array::from_fn(|x| split_mix(x as u64) as u16);
            let longer = std::array::from_fn(|x| split_mix(x as u64) as u32);
            let order = std::array::from_fn(|at| 15 - at as u8 * 7 % 16);
            let ordered = B::rows_16(B::words_16(&B::ordered_16(&rows, &order)));
            (B::transposed_16(&rows), B::transposed_32(&longer), ordered, B::words_16(&rows))
        }
    }

    #[test]
    fn rows_and_columns_are_exchanged() {
        let (rows, longer, ordered, words) = run(Transposed, true);
        assert_eq!(run(Transposed, false), (rows, longer, ordered, words));
        assert_eq!(ordered[1], split_mix(8) as u16);
        for (x, y) in (0..32).flat_map(|x| (0..32).map(move |y| (x, y))) {
            let bit = split_mix(x) >> y & 1;
            assert_eq!(u64::from(longer[y] >> x & 1), bit);
            assert!(x >= 16 || y >= 16 || u64::from(rows[y] >> x & 1) == bit);
        }
    }

    #[test]
    fn both_ways_have_the_same_results() {
        let loops = run(Sums, true);
        assert_eq!(run(Sums, false), loops);
        for (pair, seed) in loops.chunks(2).zip(0..) {
            let (word, mask) = (split_mix(seed), split_mix(seed ^ 0xF0C5) & split_mix(seed + 7));
            assert_eq!(Portable::scatter(pair[0], mask), word & mask);
            assert_eq!(Portable::gather(pair[1], mask), word & ((1u64 << mask.count_ones()) - 1));
        }
    }
}
