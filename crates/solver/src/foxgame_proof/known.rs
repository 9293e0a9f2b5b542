//! The memory of the search for the strategy: positions won and given up.

use super::won::Wins;
use std::collections::HashMap;

/// Won positions, and positions that the search has given up.
#[derive(Default)]
pub(crate) struct Known {
    /// The positions that are won, with SHEEP to move.
    pub wins: Wins,
    /// The packed canonical boards from which no way to a win was found, with the level at which they were given up.
    pub dead: HashMap<u64, u8>,
}
