//! What a grading found.

use arena::record::End;
use arena::result::Termination;
use engine::Side;

/// One test.
pub(crate) struct Item {
    /// The number of the test, from 1.
    pub number: u32,
    /// What the test is, for people.
    pub name: String,
    /// Points given.
    pub points: f64,
    /// Points to be had.
    pub most: f64,
    /// How the test ended.
    pub end: End,
    /// The side that the agent played.
    pub side: Side,
    /// Wall seconds.
    pub wall: f64,
    /// Where to read the rule that the agent broke, a line with its end; empty if it broke none.
    pub rule: String,
    /// What an analysis says of a lost game, if one was asked for.
    pub analysis: Option<String>,
}

/// A grading.
pub(crate) struct Grade {
    /// The game, for people.
    pub title: &'static str,
    /// The agent's name.
    pub agent: String,
    /// The walls around the agent's processes; none if it is not a process.
    pub(crate) walls: Option<String>,
    /// All tests, by number.
    pub items: Vec<Item>,
    /// Wall seconds of the whole.
    pub wall: f64,
}

impl Grade {
    /// Points given, and points to be had.
    pub(crate) fn points(&self) -> (f64, f64) {
        (self.items.iter().map(|item| item.points).sum(), self.items.iter().map(|item| item.most).sum())
    }

    /// CPU seconds that the agent used.
    pub(crate) fn cpu(&self) -> f64 {
        self.items.iter().map(|item| item.end.cpu[item.side.index()]).sum()
    }
}

/// What a lost test is called in reports: a fault's own word, or how the game went.
pub(super) fn verdict(item: &Item) -> String {
    match item.end.termination {
        Termination::Normal if item.end.winner.is_some() => "lost the game".to_string(),
        Termination::Normal => "drew the game".to_string(),
        other => other.to_string(),
    }
}
