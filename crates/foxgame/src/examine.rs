//! FoxGame for a judge that examines programs: starting positions, advice, adapters.

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
    ("a chain of captures", include_str!("../positions/chain.txt")),
    ("many earlier boards", include_str!("../examine/middle-30.txt")),
    ("one fox left", include_str!("../examine/one-fox.txt")),
    ("few sheep", include_str!("../examine/few-sheep.txt")),
];

const REMEDIES: [Remedy; 2] = [
    Remedy {
        reason: "sheep do not go back",
        advice: "leave out steps of sheep back down the board",
        names_rule: false,
    },
    Remedy {
        reason: "no line joins",
        advice: "diagonal lines are there only where x + y is even",
        names_rule: false,
    },
];
