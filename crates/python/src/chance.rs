//! Random numbers that are the same on every machine.

use engine::split_mix;

/// A generator of random numbers: SplitMix64 with a counter.
#[derive(Clone)]
pub(crate) struct Chance {
    counter: u64,
}

impl Chance {
    /// The generator of one of many independent streams of a seed.
    pub(crate) fn new(seed: u64, stream: u64) -> Chance {
        Chance { counter: split_mix(seed ^ split_mix(stream)) }
    }

    /// A random number from 0 to 2^64 - 1.
    #[inline]
    pub(crate) fn next(&mut self) -> u64 {
        self.counter = self.counter.wrapping_add(1);
        split_mix(self.counter)
    }

    /// A random number below a bound, which must not be 0. Its bias is below 2^-32 times the bound.
    #[inline]
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (((self.next() >> 32) * bound as u64) >> 32) as usize
    }

    /// Whether an event of this probability happens.
    pub(crate) fn is_below(&mut self, probability: f64) -> bool {
        const STEPS: usize = 1 << 20;
        self.below(STEPS) < (probability * STEPS as f64) as usize
    }
}
