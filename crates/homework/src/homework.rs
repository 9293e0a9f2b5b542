//! A homework: its cases and groups, and what is right.

use crate::case::{Case, CaseResult};
use crate::late::LateRule;
use crate::points::Points;
use crate::right::{Compared, Right};
use crate::staying::Staying;
use anygame::AnyGame;
use anygame::game::Interface;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// As in packages of Kattis.
pub(crate) const OUTPUT_LIMIT_MIB: u64 = 8;
pub(crate) const MOST_OUTPUT_MIB: u64 = 512;

/// A homework.
#[derive(Debug, Default)]
pub struct Homework {
    /// The name in tables and in the mark of an intake.
    pub name: String,
    /// The name for people.
    pub title: String,
    /// The folder.
    pub folder: PathBuf,
    /// The cases, in the order of their names.
    pub cases: Vec<Case>,
    /// The groups of cases.
    pub groups: Vec<Group>,
    pub(crate) right: Right,
    /// Processes of the checker that stay for many answers.
    pub(crate) staying: Staying,
    /// How cases are compared that have a way of their own.
    pub(crate) compared: Vec<Compared>,
    /// The names of the files that programs leave.
    pub leaves: Vec<String>,
    /// What it asks of programs. Its files are the input and the first that is left.
    pub interface: Interface,
    /// CPU seconds for all cases together; what comes later is not run.
    pub time_of_all: Option<f64>,
    /// Programs read the input at standard input, and print what they leave.
    pub(crate) standard: bool,
    /// The most bytes of a file that a program leaves.
    pub output_limit: u64,
    pub(crate) secret_tells: SecretTells,
    /// What a late submission costs; nothing if there is none.
    pub late: Option<LateRule>,
    /// The game whose own homework it is: a folder of cases without a `homework.toml`.
    pub game: Option<&'static AnyGame>,
    /// MiB of memory of a program; those of the command line if there is none.
    pub(crate) memory_limit: Option<u64>,
    /// What is kept of a package of Kattis, if it is one.
    pub(crate) package: Option<Package>,
}

/// What students are told of a secret case beside its verdict, points, hint and time.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(crate) enum SecretTells {
    #[default]
    Verdict,
    /// The checker's words, too, and what the program wrote.
    Output,
}

impl Homework {
    /// Returns whether it is a folder of cases without a `homework.toml`.
    pub fn is_plain(&self) -> bool {
        self.game.is_some()
    }

    /// The most CPU seconds of a program in all cases; `case_time` is that of those without a time.
    pub fn most_time(&self, case_time: f64) -> f64 {
        let sum = self.cases.iter().map(|case| case.time.unwrap_or(case_time)).sum::<f64>();
        self.time_of_all.map_or(sum, |all| all.min(sum))
    }

    /// Returns whether students are told what their programs write in secret cases.
    pub fn tells_output(&self) -> bool {
        self.secret_tells == SecretTells::Output
    }

    /// Returns what students are told of a result. Of a secret case the words for the teacher get
    /// what is left out, and times are rounded up to a tenth of a second.
    pub fn told(&self, case: &Case, result: &CaseResult) -> CaseResult {
        let mut told = result.clone();
        if !case.is_secret || self.tells_output() {
            return told;
        }
        let round = |seconds: f64| (10.0 * seconds).ceil() / 10.0;
        (told.cpu, told.wall) = (round(result.cpu), round(result.wall));
        (told.memory, told.marked) = (0, None);
        (told.fault, told.said) = (None, String::new());
        told.conversation.clear();
        let CaseResult { wrong, unjudged, remark, for_teacher, .. } = result;
        let hidden = [wrong.as_ref(), unjudged.as_ref(), Some(remark), Some(for_teacher)];
        let hidden = hidden.into_iter().flatten().filter(|words| !words.is_empty());
        told.for_teacher = hidden.map(String::as_str).collect::<Vec<_>>().join("; ");
        let hide = |words: &Option<String>| words.as_ref().map(|_| "a secret case".to_string());
        (told.wrong, told.unjudged) = (hide(wrong), hide(unjudged));
        told.remark.clear();
        told
    }

    /// Returns the points of results, which are those of the first cases; the others were not run.
    pub fn points(&self, results: &[CaseResult]) -> Points {
        let score = |at: usize| results.get(at).map_or(0.0, |result| result.score);
        let members = |index: usize| {
            let is_in = move |at: &usize| self.cases[*at].group == Some(index);
            (0..self.cases.len()).filter(is_in)
        };
        let mut points = Points {
            cases: (0..self.cases.len())
                .map(|at| (self.cases[at].points * score(at), self.cases[at].points))
                .collect(),
            ..Points::default()
        };
        for (index, group) in self.groups.iter().enumerate() {
            let share = group.points / members(index).count().max(1) as f64;
            let least = members(index).map(score).fold(1.0, f64::min);
            let best = members(index).map(score).fold(0.0, f64::max);
            let is_right = |at: usize| results.get(at).is_some_and(|result| result.wrong.is_none());
            let are_right = members(index).all(is_right);
            let mut sum = 0.0;
            for at in members(index) {
                let part = match group.count {
                    Count::Sum => score(at),
                    Count::SumIfRight => f64::from(are_right) * score(at),
                    Count::Least => least,
                    Count::Most => best,
                    Count::AllOrNothing => f64::from(least >= 1.0),
                };
                points.cases[at] = (part * share, share);
                sum += part;
            }
            // The share of a third, three times, is not the whole.
            let part = sum / members(index).count().max(1) as f64;
            // A case of a package may have more than its share.
            points.groups.push(group.points * part.min(1.0));
        }
        let alone = self.cases.iter().zip(&points.cases).filter(|(case, _)| case.group.is_none());
        let (some, most) =
            alone.fold((0.0, 0.0), |(some, most), (_, (points, all))| (some + points, most + all));
        points.points = some + points.groups.iter().sum::<f64>();
        points.most = most + self.groups.iter().map(|group| group.points).sum::<f64>();
        points
    }
}

/// What a homework keeps of its package.
#[derive(Debug, Default)]
pub(crate) struct Package {
    /// Whether it has the format of 2025-09, and not an older one.
    pub is_new: bool,
    pub time: TimeRule,
    /// Whether it has no time limit, so that one follows by the rule.
    pub lacks_time: bool,
    /// The sequences that stand for constants, such as `{{name}}`, and their values.
    pub constants: Vec<(String, String)>,
}

/// The CPU seconds of a case follow from the slowest accepted program: times this, and rounded up
/// to a multiple of `resolution`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TimeRule {
    pub multiplier: f64,
    pub resolution: f64,
}

impl TimeRule {
    pub(crate) const LEGACY: TimeRule = TimeRule { multiplier: 5.0, resolution: 1.0 };
}

impl Default for TimeRule {
    fn default() -> TimeRule {
        TimeRule::LEGACY
    }
}

/// A group of cases.
#[derive(Clone, Debug)]
pub struct Group {
    /// The name.
    pub name: String,
    /// The points.
    pub points: f64,
    /// How they are counted.
    pub count: Count,
    /// What students are told about it.
    pub hint: Option<String>,
}

/// How the points of a group are counted.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Count {
    /// Each case has its share.
    #[default]
    Sum,
    /// The worst case decides.
    Least,
    /// The best case decides.
    #[serde(skip_deserializing)]
    Most,
    /// Each case has its share, if the answers to all are right.
    #[serde(skip_deserializing)]
    SumIfRight,
    /// All points if all cases are right, else none.
    AllOrNothing,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A case alone for 4 points, and a group of three for 9; the group's cases have these scores.
    fn counted(count: Count, scores: [f64; 3]) -> (f64, [f64; 3], Points) {
        let case = |group, points| Case { group, points, ..Case::default() };
        let (name, hint) = (String::new(), None);
        let of_group = case(Some(0), 1.0);
        let homework = Homework {
            cases: vec![case(None, 4.0), of_group.clone(), of_group.clone(), of_group],
            groups: vec![Group { name, points: 9.0, count, hint }],
            ..Homework::default()
        };
        let result = |&score: &f64| CaseResult {
            score,
            wrong: (score == 0.0).then(String::new),
            ..CaseResult::default()
        };
        let points = homework.points(&[0.5].iter().chain(&scores).map(result).collect::<Vec<_>>());
        (points.groups[0], [1, 2, 3].map(|at| points.cases[at].0), points)
    }

    #[test]
    fn points_are_those_of_groups_by_their_count_and_of_cases_alone() {
        for (count, scores, of_group, of_cases) in [
            (Count::Sum, [1.0, 0.5, 0.0], 4.5, [3.0, 1.5, 0.0]),
            // A validator may give a case more than its share, and the group no more than its own.
            (Count::Sum, [3.0, 1.0, 1.0], 9.0, [9.0, 3.0, 3.0]),
            (Count::SumIfRight, [1.0, 0.5, 0.5], 6.0, [3.0, 1.5, 1.5]),
            (Count::SumIfRight, [1.0, 1.0, 0.0], 0.0, [0.0; 3]),
            (Count::Least, [1.0, 0.5, 0.9], 4.5, [1.5; 3]),
            (Count::Least, [2.0; 3], 9.0, [3.0; 3]),
            (Count::AllOrNothing, [1.0; 3], 9.0, [3.0; 3]),
            (Count::AllOrNothing, [1.0, 1.0, 0.9], 0.0, [0.0; 3]),
        ] {
            let (group, cases, points) = counted(count, scores);
            assert_eq!((group, cases), (of_group, of_cases), "{count:?} {scores:?}");
            assert_eq!((points.points, points.most), (of_group + 2.0, 13.0));
            assert!(points.cases[1..].iter().all(|(_, most)| *most == 3.0));
        }
        // A case that was not run has no points, and is not right.
        let homework = Homework {
            cases: vec![Case { points: 4.0, ..Case::default() }],
            ..Homework::default()
        };
        assert_eq!(homework.points(&[]).points, 0.0);
    }

    #[test]
    fn of_a_secret_case_students_are_told_the_verdict_alone() {
        let result = CaseResult {
            cpu: 0.31,
            wall: 0.5,
            memory: 9,
            wrong: Some("w".to_string()),
            remark: "r".to_string(),
            for_teacher: "t".to_string(),
            fault: Some("f".to_string()),
            ..CaseResult::default()
        };
        let [shown, secret] = [false, true].map(|is_secret| Case { is_secret, ..Case::default() });
        let mut homework = Homework::default();
        let words = |told: CaseResult| (told.wrong.unwrap(), told.for_teacher, told.fault);
        let all = words(result.clone());
        assert_eq!(words(homework.told(&shown, &result)), all);
        let told = homework.told(&secret, &result);
        assert_eq!((told.cpu, told.wall, told.memory), (0.4, 0.5, 0));
        assert_eq!(words(told), ("a secret case".to_string(), "w; r; t".to_string(), None));
        homework.secret_tells = SecretTells::Output;
        assert_eq!(words(homework.told(&secret, &result)), all);
    }

    #[test]
    fn cases_have_their_time_or_the_usual_one_and_no_more_than_all_together() {
        let case = |time| Case { time, ..Case::default() };
        let cases = vec![case(Some(2.0)), case(None), case(None)];
        let mut homework = Homework { cases, ..Homework::default() };
        assert_eq!(homework.most_time(5.0), 12.0);
        for (all, most) in [(7.0, 7.0), (20.0, 12.0)] {
            homework.time_of_all = Some(all);
            assert_eq!(homework.most_time(5.0), most);
        }
        assert!(!homework.is_plain());
    }
}
