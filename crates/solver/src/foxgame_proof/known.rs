//! The memory of the search for the strategy: positions won and given up.

use super::board::code_of_step;
use super::won::Wins;
use foxgame::rules::Move;
use std::collections::{HashMap, HashSet};

/// Won positions, and positions that the search has given up.
#[derive(Default)]
pub(crate) struct Known {
    /// The positions that are won, with SHEEP to move.
    pub wins: Wins,
    /// The packed canonical boards from which no way to a win was found, with the level at which they were given up.
    pub dead: HashMap<u64, u8>,
    /// Steps that would let a line bring back one of its own boards, each with the packed canonical board in the lower
    /// bits: see [`step_key`].
    pub banned: HashSet<u64>,
}

/// The key of a step, as on the canonical board, in [`Known::banned`].
#[must_use]
pub(crate) fn step_key(packed: u64, step: Move) -> u64 {
    packed | u64::from(code_of_step(step)) << 43
}
