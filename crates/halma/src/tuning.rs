//! The options of an agent whose numbers and tables can be set.

use crate::learned::{self, Tables};
use crate::tunable::{self, Tunables};

/// Options of an agent whose numbers can be set.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct Tuning {
    /// Plays with another number than the chosen one; several are separated by commas
    #[arg(long, value_name = "NAME=VALUE,...", value_parser = tunable::set)]
    set: Option<Tunables>,

    /// Plays with the tables of this file
    #[arg(long, value_name = "FILE", value_parser = learned::set)]
    tables: Option<Tables>,
}
