//! Foxes and Geese for a judge that examines programs: starting positions, advice, adapters.

use crate::rules::Position;
use engine::{Examine, Remedy};

impl Examine for Position {
    const RULES_PAGE: Option<&'static str> = Some(include_str!("../examine/rules.md"));
    const SCHEME: Option<&'static str> = Some(include_str!("../examine/scheme.toml"));
    const STARTERS: &'static [(&'static str, &'static str)] = engine::starters!();
    const TEST_POSITIONS: &'static [(&'static str, &'static str)] = &TEST_POSITIONS;
    const REMEDIES: &'static [Remedy] = &REMEDIES;
}

const TEST_POSITIONS: [(&str, &str); 4] = [
    ("one capture takes the most", include_str!("../positions/longest.txt")),
    ("captures of both foxes", include_str!("../examine/foxes-11.txt")),
    ("geese with gaps", include_str!("../examine/geese-16.txt")),
    ("the last moves of the geese", include_str!("../examine/geese-95.txt")),
];

const REMEDIES: [Remedy; 2] = [
    Remedy {
        reason: "must be taken",
        advice: "list the chains of both foxes, and keep only those that take the most geese",
        names_rule: true,
    },
    Remedy {
        reason: "geese never step down",
        advice: "leave out steps of geese downwards",
        names_rule: false,
    },
];
