//! Squirrels for a judge that examines programs: starting positions, advice, adapters.

use crate::rules::Position;
use engine::Examine;

impl Examine for Position {
    const RULES_PAGE: Option<&'static str> = Some(include_str!("../examine/rules.md"));
    const SCHEME: Option<&'static str> = Some(include_str!("../examine/scheme.toml"));
    const STARTERS: &'static [(&'static str, &'static str)] = engine::starters!();
    const TEST_POSITIONS: &'static [(&'static str, &'static str)] = &TEST_POSITIONS;
}

const TEST_POSITIONS: [(&str, &str); 3] = [
    ("values to 10,000", include_str!("../examine/competition-values-to-10000-7-left.txt")),
    ("eight squares left", include_str!("../examine/competition-single-8-left.txt")),
    ("one square left", include_str!("../examine/competition-one-left.txt")),
];
