//! The memory of the search for the strategy: positions won and given up.

use super::won::Wins;
use std::collections::HashMap;

/// Won positions, and positions that the search has given up.
#[derive(Default)]
pub(crate) struct Known {
    /// The positions that are won, with the geese to move.
    pub wins: Wins,
    /// The packed canonical boards from which no way to a win was found, with the level at which they were given up.
    pub dead: HashMap<u64, u8>,
}

impl Known {
    /// Whether a packed canonical board was given up at this level or at one with more effort.
    #[must_use]
    pub(crate) fn is_dead(&self, packed: u64, level: u8) -> bool {
        self.dead.get(&packed).is_some_and(|&given_up| given_up >= level)
    }
}
