//! The settings of this game: what a move may be chosen by beside the search.

use crate::oracle::Oracle;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

/// The settings of this game alone ([`engine::Playable::Own`]). Copies share the oracle once it is made.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// The directory of the exact tables; the usual places unless given.
    pub tables: Option<PathBuf>,
    /// Moves are chosen by search alone, without the tables and without what is stored in the program.
    pub search_only: bool,
    /// Known values are used also where a depth or a number of nodes is asked for.
    pub always: bool,
    /// The seed of the algorithm `paper`.
    pub seed: u64,
    /// The oracle, made when it is first asked for ([`Sources::oracle`]).
    pub made: Arc<OnceLock<Oracle>>,
}

impl Sources {
    /// The oracle of these settings.
    #[must_use]
    pub fn oracle(&self) -> &Oracle {
        self.made
            .get_or_init(|| if self.search_only { Oracle::ignorant() } else { Oracle::new(self.tables.as_deref()) })
    }
}
