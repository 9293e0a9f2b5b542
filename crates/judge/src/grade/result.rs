//! What a grading found.

use super::scheme::file::Visibility;
use arena::record::{End, FaultRecord};
use arena::result::Termination;
use engine::Side;
use std::collections::BTreeMap;

/// One test.
pub(crate) struct Item {
    /// The number of the test, from 1.
    pub number: u32,
    /// The number of its game in the record.
    pub game: u32,
    /// What the test is, for people.
    pub name: String,
    /// Points given.
    pub points: f64,
    /// Points to be had.
    pub most: f64,
    /// How it came out.
    pub outcome: Outcome,
    /// The side that the agent played.
    pub side: Side,
    /// Wall seconds.
    pub wall: f64,
    /// Where to read the rule that the agent broke, a line with its end; empty if it broke none.
    pub rule: String,
    /// What an analysis says of a lost game, if one was asked for.
    pub analysis: Option<String>,
    /// Who sees the result.
    pub visibility: Visibility,
}

/// How a test came out.
#[derive(Clone, Debug)]
pub(crate) enum Outcome {
    /// It was played to its end.
    Over(Box<End>),
    /// It was not played, or never to its end, and counts as lost.
    Unplayed {
        /// A word for it, such as `not played`.
        word: &'static str,
        /// Why.
        reason: String,
    },
}

/// The word for tests that were left out after several crashes.
pub(crate) const LEFT_OUT: &str = "not played";

impl Item {
    /// The end of the test's game, if it was played.
    pub(crate) fn end(&self) -> Option<&End> {
        match &self.outcome {
            Outcome::Over(end) => Some(end),
            Outcome::Unplayed { .. } => None,
        }
    }

    /// The evidence of the agent's own fault.
    pub(crate) fn fault(&self) -> Option<&FaultRecord> {
        self.end()?.fault.as_ref().filter(|fault| fault.player == self.side.index())
    }

    /// The reason of the end, on one line.
    pub(crate) fn reason(&self) -> &str {
        match &self.outcome {
            Outcome::Over(end) => &end.reason,
            Outcome::Unplayed { reason, .. } => reason,
        }
    }

    /// CPU seconds that the agent used.
    pub(crate) fn cpu(&self) -> f64 {
        self.end().map_or(0.0, |end| end.cpu[self.side.index()])
    }

    /// Moves made after the opening.
    pub(crate) fn plies(&self) -> u32 {
        self.end().map_or(0, |end| end.plies)
    }

    /// The word for how the test ended.
    pub(crate) fn word(&self) -> &str {
        match &self.outcome {
            Outcome::Over(end) => end.termination.word(),
            Outcome::Unplayed { word, .. } => word,
        }
    }

    /// What a lost test is called in reports: a fault's own word, or how the game went.
    pub(crate) fn verdict(&self) -> String {
        match &self.outcome {
            Outcome::Unplayed { word, .. } => (*word).to_string(),
            Outcome::Over(end) => match end.termination {
                Termination::Normal if end.winner == Some(self.side.index()) => "won the game".to_string(),
                Termination::Normal if end.winner.is_some() => "lost the game".to_string(),
                Termination::Normal => "drew the game".to_string(),
                other => other.to_string(),
            },
        }
    }

    /// Whether all points were given.
    pub(crate) fn is_full(&self) -> bool {
        self.points >= self.most
    }
}

/// A grading.
pub(crate) struct Grade {
    /// The game, for people.
    pub title: &'static str,
    /// The agent's name.
    pub agent: String,
    /// The walls around the agent's processes; none if it is not a process.
    pub walls: Option<String>,
    /// All tests, by number; none of an agent that cannot be run.
    pub items: Vec<Item>,
    /// Points to be had.
    pub most: f64,
    /// What a place among the best gives, if it has one.
    pub bonus: Option<Bonus>,
    /// Why the agent cannot be run at all, if so, and what to do about it.
    pub not_run: Option<NotRun>,
    /// What else is to be told, such as what was mended.
    pub notes: Vec<String>,
    /// Wall seconds of the whole.
    pub wall: f64,
}

/// What a place in the tournament of the best gives.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Bonus {
    /// Points.
    pub points: f64,
    /// The place, in words.
    pub told: String,
}

/// Why an agent cannot be run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NotRun {
    /// What is missing or wrong.
    pub why: String,
    /// How to mend it.
    pub remedy: String,
}

impl Grade {
    /// Points given, and points to be had.
    pub(crate) fn points(&self) -> (f64, f64) {
        let bonus = self.bonus.as_ref().map_or(0.0, |bonus| bonus.points);
        (self.items.iter().map(|item| item.points).sum::<f64>() + bonus, self.most)
    }

    /// CPU seconds that the agent used.
    pub(crate) fn cpu(&self) -> f64 {
        self.items.iter().map(Item::cpu).sum::<f64>() + 0.0
    }

    /// The tests that did not give all their points.
    pub(crate) fn lost(&self) -> impl Iterator<Item = &Item> {
        self.items.iter().filter(|item| !item.is_full())
    }

    /// The numbers of lost tests by verdict: `2 crash, 1 stall`.
    pub(crate) fn lost_by(&self) -> String {
        let mut lost: BTreeMap<String, u32> = BTreeMap::new();
        self.lost().for_each(|item| *lost.entry(item.verdict()).or_default() += 1);
        let lost: Vec<String> = lost.into_iter().map(|(word, count)| format!("{count} {word}")).collect();
        lost.join(", ")
    }

    /// The one reason that cost most, on a line; none if nothing was lost.
    pub(crate) fn costliest(&self) -> Option<String> {
        if let Some(NotRun { why, .. }) = &self.not_run {
            return Some(format!("it was not run: {}", why.lines().next().unwrap_or_default()));
        }
        let mut groups: BTreeMap<String, (f64, Vec<&Item>)> = BTreeMap::new();
        for item in self.lost() {
            // What was left out after crashes is lost by them.
            let left_out = item.verdict() == LEFT_OUT;
            let cause = self
                .items
                .iter()
                .rev()
                .find(|before| left_out && before.number < item.number && before.verdict() != LEFT_OUT);
            let group = groups.entry(cause.unwrap_or(item).verdict()).or_default();
            group.0 += item.most - item.points;
            group.1.push(item);
        }
        // The first of those that cost alike, by their names.
        let (word, (points, items)) = groups.into_iter().rev().max_by(|one, other| one.1.0.total_cmp(&other.1.0))?;
        let first = items.iter().find(|item| item.verdict() == word).or(items.first())?;
        let tests = if items.len() == 1 { "test" } else { "tests" };
        Some(format!("{word}, {} points in {} {tests} ({})", number(points), items.len(), first.reason()))
    }

    /// The grade, and the one reason that cost most, on a line.
    pub(crate) fn headline(&self) -> String {
        let (points, most) = self.points();
        let why = match (&self.not_run, self.costliest()) {
            (Some(_), Some(why)) => format!("; {why}"),
            (None, Some(why)) => format!("; most was lost by {why}"),
            _ => String::new(),
        };
        format!("{}: {}: {} of {} points{why}", self.title, self.agent, number(points), number(most))
    }
}

/// Points without more digits than they have.
pub(crate) fn number(points: f64) -> String {
    ((points * 1e6).round() / 1e6).to_string()
}
