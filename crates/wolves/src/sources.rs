//! The settings of Wolves and Sheep: the sources of exact values.

use crate::oracle::Oracle;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

/// The settings that only this game has ([`engine::Playable::Own`]). Clones share the oracle once
/// it is created.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// The directory of the exact tables; the default directory if `None`.
    pub tables: Option<PathBuf>,
    /// Whether exact values are used even if a depth or a number of nodes is given.
    pub always: bool,
    /// The oracle, created on first use by [`Sources::oracle`].
    pub oracle_cell: Arc<OnceLock<Oracle>>,
}

impl Sources {
    /// The oracle of these settings, and creates it on first use.
    pub fn oracle(&self) -> &Oracle {
        self.oracle_cell.get_or_init(|| Oracle::new(self.tables.as_deref()))
    }
}
