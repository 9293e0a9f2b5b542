//! Wolves and Sheep for a judge that examines programs: starting positions, advice, adapters.

use crate::rules::Position;
use engine::{Adapter, Examine};

impl Examine for Position {
    const RULES_PAGE: Option<&'static str> = Some(include_str!("../examine/rules.md"));
    const SCHEME: Option<&'static str> = Some(include_str!("../examine/scheme.toml"));
    const STARTERS: &'static [(&'static str, &'static str)] = engine::starters!();
    const TEST_POSITIONS: &'static [(&'static str, &'static str)] = &TEST_POSITIONS;
    const ADAPTERS: &'static [Adapter] = &ADAPTERS;
}

const TEST_POSITIONS: [(&str, &str); 4] = [
    ("three wolves, fifteen sheep", include_str!("../examine/question-2a.txt")),
    ("one wolf", include_str!("../examine/one-wolf.txt")),
    ("much to eat", include_str!("../examine/feast.txt")),
    ("hardly room to move", include_str!("../examine/trap.txt")),
];

/// Programs for submissions that have the `AIAlgorithm` of the course's engine (docs/wolves.md).
const ADAPTERS: [Adapter; 3] = [
    Adapter {
        words: "def AIAlgorithm (",
        extension: "py",
        source: include_str!("../data/adapter.py"),
    },
    Adapter {
        words: "AIAlgorithm (",
        extension: "cpp",
        source: include_str!("../data/adapter.cpp"),
    },
    Adapter {
        words: "int[] AIAlgorithm (",
        extension: "java",
        source: include_str!("../data/adapter.java"),
    },
];
