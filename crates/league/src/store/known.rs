//! What a process keeps of the games in memory.

use crate::clock::Millis;
use crate::rating::{Results, Standings};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

/// The games that a process has seen, and the standings after them.
#[derive(Default)]
pub(super) struct Known {
    pub last: i64,
    /// The last game that counts, and the time before which games count.
    pub until: (i64, Millis),
    pub results: Results,
    pub standings: Option<Arc<Standings>>,
}

/// The deviations of all ratings, which take longer than the ratings in a league of many programs.
pub(super) struct Deviations {
    pub of: HashMap<i64, f64>,
    pub standings: Arc<Standings>,
    /// When they may be computed anew.
    pub due: Instant,
}
