//! What a process keeps of the games in memory.

use crate::clock::Millis;
use crate::rating::{Results, Standings};
use clock::unpoisoned;
use std::collections::HashMap;
use std::sync::{Arc, RwLock};
use std::time::Instant;
use tokio::sync::Mutex;

/// The games that a process has seen, and the standings after them.
#[derive(Default)]
pub(super) struct Known {
    pub last: i64,
    pub frozen: Option<Millis>,
    pub results: Results,
    pub standings: Option<Arc<Standings>>,
}

/// The deviations of all ratings, which take longer than the ratings in a league of many programs.
#[derive(Default)]
pub(super) struct Deviations {
    pub made: RwLock<Arc<Made>>,
    pub work: Mutex<()>,
}

/// Deviations that were computed.
#[derive(Default)]
pub(super) struct Made {
    pub of: HashMap<i64, f64>,
    /// The standings that they belong to, and when they may be computed anew.
    pub standings: Option<(Arc<Standings>, Instant)>,
}

impl Deviations {
    pub(super) fn made(&self) -> Arc<Made> {
        Arc::clone(&*unpoisoned(self.made.read()))
    }
}
