//! Code that is compiled once for any processor and once for the instructions that 64-bit PC
//! processors have had since 2013. Both versions give the same results.

use super::zeroed::LINE_WORDS;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

pub(super) type Line = [AtomicU64; LINE_WORDS];

/// A task that is compiled once for each [`Machine`]. `run` has to be `#[inline(always)]`, so that
/// it is compiled as part of its caller.
pub(super) trait Work {
    type Output;

    fn run(self) -> Self::Output;
}

/// A kind of processor.
pub(super) trait Machine {
    /// Runs a task, compiled with all instructions of this kind of processor.
    fn run<W: Work>(work: W) -> W::Output;

    /// Gathers the bits of a number at the places of a mask into the lowest bits, in order (PEXT).
    fn compress(bits: u32, mask: u32) -> u32;

    /// The largest value among the allowed entries of 32 bits of each half of a line, or 0. The
    /// lowest `value_bits` (at most 16) are a value. An entry is allowed if the bits above do not
    /// meet `forbidden` (first half) or `!forbidden` (second half).
    fn largest(line: &Line, value_bits: u32, forbidden: u32) -> [u32; 2];
}

/// Any processor.
pub(super) struct Portable;

impl Machine for Portable {
    #[inline(always)]
    fn run<W: Work>(work: W) -> W::Output {
        work.run()
    }

    #[inline]
    fn compress(bits: u32, mut mask: u32) -> u32 {
        let (mut compressed, mut place) = (0, 1);
        while mask != 0 {
            if bits & mask & mask.wrapping_neg() != 0 {
                compressed |= place;
            }
            mask &= mask - 1;
            place <<= 1;
        }
        compressed
    }

    #[inline]
    fn largest(line: &Line, value_bits: u32, forbidden: u32) -> [u32; 2] {
        let mask = (1 << value_bits) - 1;
        let (first, second) = line.split_at(LINE_WORDS / 2);
        [(first, forbidden << value_bits), (second, !(forbidden << value_bits) & !mask)].map(
            |(words, forbidden)| {
                let halves = words
                    .iter()
                    .map(|word| word.load(Relaxed))
                    .flat_map(|word| [word as u32, (word >> 32) as u32]);
                halves
                    .map(|entry| if entry & forbidden == 0 { entry & mask } else { 0 })
                    .fold(0, u32::max)
            },
        )
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) use avx2::Avx2;

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::{Line, Machine, Work};
    use std::arch::x86_64::*;
    use std::arch::{asm, is_x86_feature_detected};

    /// An x86-64 processor with AVX2 and fast BMI2.
    pub(in super::super) struct Avx2(());

    impl Avx2 {
        pub(in super::super) fn is_supported() -> bool {
            is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("popcnt")
                && !compresses_slowly()
        }
    }

    /// Whether PEXT takes hundreds of cycles, as on AMD's family 17h (Agner Fog, "Instruction
    /// tables": PEXT on Zen 1 and 2).
    fn compresses_slowly() -> bool {
        let vendor = __cpuid(0);
        let model = __cpuid(1).eax;
        let family = (model >> 8 & 0xF) + (model >> 20 & 0xFF);
        [vendor.ebx, vendor.edx, vendor.ecx].map(u32::to_le_bytes).concat() == *b"AuthenticAMD"
            && family == 0x17
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn run<W: Work>(work: W) -> W::Output {
        work.run()
    }

    impl Machine for Avx2 {
        #[inline(always)]
        fn run<W: Work>(work: W) -> W::Output {
            // SAFETY: callers use `Avx2` only after `is_supported` has returned true.
            #[allow(unsafe_code)]
            unsafe {
                run(work)
            }
        }

        #[inline(always)]
        fn compress(bits: u32, mask: u32) -> u32 {
            // SAFETY: as above.
            #[allow(unsafe_code)]
            unsafe {
                _pext_u32(bits, mask)
            }
        }

        #[inline(always)]
        fn largest(line: &Line, value_bits: u32, forbidden: u32) -> [u32; 2] {
            // SAFETY: as above.
            #[allow(unsafe_code)]
            unsafe {
                largest(line, value_bits, forbidden)
            }
        }
    }

    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn largest(line: &Line, value_bits: u32, forbidden: u32) -> [u32; 2] {
        let (first, second): (__m256i, __m256i);
        // SAFETY: 64 bytes are read, the size of a line. Other threads may write meanwhile. Each
        // word is loaded as an atomic load would, by inline assembly, since no intrinsic guarantees
        // that.
        #[allow(unsafe_code)]
        unsafe {
            asm!(
                "vmovdqu {first}, [{line}]",
                "vmovdqu {second}, [{line} + 32]",
                line = in(reg) line.as_ptr(),
                first = out(ymm_reg) first,
                second = lateout(ymm_reg) second,
                options(pure, readonly, nostack, preserves_flags)
            );
        }
        let values = _mm256_set1_epi32(((1_u32 << value_bits) - 1) as i32);
        let forbidden = _mm256_set1_epi32((forbidden << value_bits) as i32);
        let none = _mm256_setzero_si256();
        let allowed = _mm256_cmpeq_epi32(_mm256_and_si256(first, forbidden), none);
        let first = _mm256_and_si256(_mm256_and_si256(first, values), allowed);
        let forbidden = _mm256_or_si256(forbidden, values);
        let allowed = _mm256_cmpeq_epi32(_mm256_andnot_si256(forbidden, second), none);
        let second = _mm256_and_si256(_mm256_and_si256(second, values), allowed);
        // A value has at most 16 bits, so the values of both halves fit into one number.
        let both = _mm256_or_si256(first, _mm256_slli_epi32::<16>(second));
        let four = _mm_max_epu16(_mm256_castsi256_si128(both), _mm256_extracti128_si256::<1>(both));
        let two = _mm_max_epu16(four, _mm_shuffle_epi32::<0b01_00_11_10>(four));
        let one = _mm_max_epu16(two, _mm_shuffle_epi32::<0b10_11_00_01>(two));
        let largest = _mm_cvtsi128_si32(one) as u32;
        [largest & 0xFFFF, largest >> 16]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    fn check<M: Machine>() {
        let mut random = StdRng::seed_from_u64(1);
        for _ in 0..2_000 {
            let (bits, mask) = (random.random::<u32>(), random.random::<u32>());
            let places = (0..32).filter(|place| mask >> place & 1 != 0);
            let expected =
                places.zip(0..).fold(0, |sum, (place, number)| sum | (bits >> place & 1) << number);
            assert_eq!(M::compress(bits, mask), expected);
            // Entries with few bits set, so that many are allowed.
            let entry = |random: &mut StdRng| {
                let set = random.random::<u32>()
                    & random.random::<u32>()
                    & random.random::<u32>()
                    & 0x7_FFFF;
                set << 13 | random.random::<u32>() & 0x1FFF
            };
            let entries: [u32; 2 * LINE_WORDS] = std::array::from_fn(|_| entry(&mut random));
            let line: Line = std::array::from_fn(|word| {
                AtomicU64::new(
                    u64::from(entries[2 * word + 1]) << 32 | u64::from(entries[2 * word]),
                )
            });
            let forbidden = random.random::<u32>() & 0x7_FFFF;
            let best = |entries: &[u32], forbidden: u32| {
                let allowed = entries.iter().filter(|&entry| entry >> 13 & forbidden == 0);
                allowed.map(|entry| entry & 0x1FFF).max().unwrap_or(0)
            };
            let (first, second) = entries.split_at(LINE_WORDS);
            assert_eq!(
                M::largest(&line, 13, forbidden),
                [best(first, forbidden), best(second, !forbidden)]
            );
        }
    }

    #[test]
    fn bits_are_compressed_and_the_largest_entries_found_alike_on_any_processor() {
        check::<Portable>();
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        if Avx2::is_supported() {
            check::<Avx2>();
        }
    }
}
