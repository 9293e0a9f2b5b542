//! Random numbers that depend on a seed alone: equal on every machine and in resumed runs. The seed
//! of a record is drawn from the operating system when the record begins, unless it is given.

use rand::rngs::{ChaCha8Rng, SysRng};
use rand::{Rng, SeedableRng, TryRng};

/// Numbers for different purposes are independent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The opening of a round.
    Opening,
    /// The choices of random players in a game.
    Players,
    /// A position from the middle of a game.
    Position,
    /// A question of a soak test.
    Question,
    /// A game of an agent against itself.
    SelfPlay,
    /// A retry.
    Attempt,
    /// A position with a proven result.
    Proof,
}

/// The generator for a purpose and a number below 2^56: ChaCha with 8 rounds, the seed as the first
/// eight bytes of the key.
pub fn generator(seed: u64, purpose: Purpose, number: u64) -> ChaCha8Rng {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    let mut random = ChaCha8Rng::from_seed(key);
    random.set_stream((purpose as u64) << 56 | number);
    random
}

/// A seed that nobody can know before, below 2^53, so that every reader of JSON keeps it whole.
///
/// # Panics
/// The operating system has no random bytes.
pub fn drawn() -> u64 {
    SysRng.try_next_u64().expect("the operating system has random bytes") >> 11
}

/// A seed derived from another one, for a purpose and a number.
pub fn derived(seed: u64, purpose: Purpose, number: impl Into<u64>) -> u64 {
    generator(seed, purpose, number.into()).next_u64()
}

#[cfg(test)]
mod tests {
    use super::*;

    // Records hold seeds, so a seed must always give the same numbers.
    #[test]
    fn a_seed_stands_for_the_same_numbers_for_ever() {
        assert_eq!(derived(0, Purpose::Opening, 0u32), 0xD640_5F89_2FEF_003E);
        assert_ne!(derived(0, Purpose::Opening, 1u32), derived(0, Purpose::Opening, 0u32));
        assert_ne!(derived(0, Purpose::Players, 0u32), derived(0, Purpose::Opening, 0u32));
    }
}
