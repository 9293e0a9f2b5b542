//! What the search for the strategy has learned so far.

use super::won::Wins;
use std::collections::HashSet;

/// Won positions, and positions that the search has given up.
#[derive(Default)]
pub struct Known {
    /// Won, with the geese to move.
    pub wins: Wins,
    /// Given up: packed canonical boards from which no next stage was found.
    pub dead: HashSet<u64>,
}
