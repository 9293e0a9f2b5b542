//! The names of the games that this judge knows, for its command line, and a word that several commands end with.

use clap::builder::PossibleValuesParser;
use std::sync::OnceLock;

/// Said at the end of games that were not recorded.
pub(crate) const NO_RECORD: &str =
    "the moves were not kept: with --record FILE they can be replayed (judge replay) and explained (judge analyse)";

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
