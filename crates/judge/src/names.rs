//! The names of the games that this judge knows, for its command line.

use clap::builder::PossibleValuesParser;
use std::sync::OnceLock;

static NAMES: OnceLock<Vec<&'static str>> = OnceLock::new();

/// Sets the names, once, before a command line is read.
pub(crate) fn set(names: Vec<&'static str>) {
    let _ = NAMES.set(names);
}

/// Takes a game's name.
#[must_use]
pub(crate) fn name_parser() -> PossibleValuesParser {
    PossibleValuesParser::new(NAMES.get().cloned().unwrap_or_default())
}
