//! The memory of the search for the strategy: positions won and given up.

use super::won::Wins;
use std::collections::HashSet;

/// Won positions, and positions that the search has given up.
#[derive(Default)]
pub(crate) struct Known {
    /// The positions that are won, with the geese to move.
    pub wins: Wins,
    /// The packed canonical boards from which no next stage was found.
    pub dead: HashSet<u64>,
}
