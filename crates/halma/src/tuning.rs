//! The command-line options of an agent built with the feature `tuning`.

use crate::learned::{self, Tables};
use crate::tunable::{self, Tunables};

/// Options that replace the parameters and tables of the agent.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct Tuning {
    /// Sets search parameters to other values than their defaults
    #[arg(long, value_name = "NAME=VALUE,...", value_parser = tunable::set)]
    set: Option<Tunables>,

    /// Uses the evaluation tables in this file
    #[arg(long, value_name = "FILE", value_parser = learned::set)]
    tables: Option<Tables>,
}
