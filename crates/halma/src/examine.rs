//! The parts of the game that a judge needs to examine programs that play it.

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
    ("the camp has to be left", include_str!("../positions/leave-camp.txt")),
    ("no way out of the camp yet", include_str!("../positions/deep-in-camp.txt")),
    ("long chains", include_str!("../positions/long-chains.txt")),
    ("one piece outside a full camp", include_str!("../positions/nearly-full.txt")),
];

const REMEDIES: [Remedy; 4] = [
    Remedy {
        reason: "addendum, rule 2",
        advice: "while a piece is in your camp, look for moves out of it first, and allow only those if there are any",
        names_rule: true,
    },
    Remedy {
        reason: "addendum, rule 1",
        advice: "leave out moves that begin outside your camp and end inside it",
        names_rule: true,
    },
    Remedy {
        reason: "may not leave the opposing camp",
        advice: "leave out moves that begin in the opposing camp and end outside it",
        names_rule: true,
    },
    Remedy {
        reason: "where it began",
        advice: "leave out chains that end where they began",
        names_rule: true,
    },
];
