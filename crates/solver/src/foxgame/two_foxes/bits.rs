//! Gathering and scattering of bits (`pext`, `pdep`): by instructions of the processor (BMI2) where it has them, else by
//! loops with the same results.

/// The two operations, and the way to run code that uses them.
pub(crate) trait Bits {
    /// Returns the bits of `word` at the places of `mask`, packed to the right.
    fn gather(word: u64, mask: u64) -> u64;

    /// Returns the lowest bits of `word`, spread over the places of `mask`.
    fn scatter(word: u64, mask: u64) -> u64;
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
}

/// The instructions of x86-64 with BMI2. Only [`with_instructions`] uses it.
#[cfg(target_arch = "x86_64")]
struct Instructions;

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
impl Bits for Instructions {
    #[inline(always)]
    fn gather(word: u64, mask: u64) -> u64 {
        // SAFETY: the type is private, and named only in `with_instructions`, whose caller has looked for BMI2.
        unsafe { std::arch::x86_64::_pext_u64(word, mask) }
    }

    #[inline(always)]
    fn scatter(word: u64, mask: u64) -> u64 {
        // SAFETY: as above.
        unsafe { std::arch::x86_64::_pdep_u64(word, mask) }
    }
}

/// Work that gathers and scatters bits.
pub(crate) trait Work {
    /// The result.
    type Result;

    /// Does the work. Implementations are `#[inline(always)]`, as are the functions they call: only then are the
    /// instructions used in place.
    fn run<B: Bits>(self) -> Self::Result;
}

/// Does the work with the processor's instructions if it has them and `portable` is false, else with loops.
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
            let words = (0..1000).map(|seed| (split_mix(seed), split_mix(seed ^ 0xF0C5) & split_mix(seed + 7)));
            words.flat_map(|(word, mask)| [B::gather(word, mask), B::scatter(word, mask)]).collect()
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
