//! Random numbers that follow from a seed alone: the same on every machine, for every number of workers, and when a run
//! goes on where it was ended.

use rand::rngs::ChaCha8Rng;
use rand::{Rng, SeedableRng};

/// What random numbers are for. Numbers for one purpose say nothing about those for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The opening of a round.
    Opening,
    /// The players of a game.
    Players,
    /// A position from the middle of a game.
    Position,
    /// A question of a soak.
    Question,
    /// A game of an agent against itself.
    SelfPlay,
    /// One of several tries for the same thing.
    Attempt,
}

/// The generator for a purpose, one for each number below 2^56. Its stream is fixed: ChaCha with 8 rounds, the seed as
/// the first eight bytes of the key.
#[must_use]
pub fn generator(seed: u64, purpose: Purpose, number: u64) -> ChaCha8Rng {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    let mut random = ChaCha8Rng::from_seed(key);
    random.set_stream((purpose as u64) << 56 | number);
    random
}

/// A seed that follows from another one, for a purpose and a number.
#[must_use]
pub fn derived(seed: u64, purpose: Purpose, number: impl Into<u64>) -> u64 {
    generator(seed, purpose, number.into()).next_u64()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Records name a seed: what it stood for when they were written has to be what it stands for when they are read.
    #[test]
    fn a_seed_stands_for_the_same_numbers_for_ever() {
        assert_eq!(derived(0, Purpose::Opening, 0u32), 0xD640_5F89_2FEF_003E);
        assert_ne!(derived(0, Purpose::Opening, 1u32), derived(0, Purpose::Opening, 0u32));
        assert_ne!(derived(0, Purpose::Players, 0u32), derived(0, Purpose::Opening, 0u32));
    }
}
