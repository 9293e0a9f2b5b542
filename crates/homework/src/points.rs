//! Points of cases and of groups of cases.

use crate::case::{Case, CaseResult};
use crate::group::Count;
use crate::homework::Homework;

/// The points of a program.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Points {
    /// The points.
    pub points: f64,
    /// The most that can be had.
    pub most: f64,
    /// The points of each group.
    pub groups: Vec<f64>,
}

impl Homework {
    /// Returns the points of results, which are those of the first cases; the others were not run.
    pub fn points(&self, results: &[CaseResult]) -> Points {
        let score = |at: usize| results.get(at).map_or(0.0, |result| result.score);
        let alone = |(at, case): (usize, &Case)| match case.group {
            None => Some((case.points * score(at), case.points)),
            Some(_) => None,
        };
        let cases = || self.cases.iter().enumerate();
        let (mut points, mut most) = cases()
            .filter_map(alone)
            .fold((0.0, 0.0), |(points, most), (some, all)| (points + some, most + all));
        let mut groups = Vec::new();
        for (index, group) in self.groups.iter().enumerate() {
            let scores: Vec<f64> = cases()
                .filter(|(_, case)| case.group == Some(index))
                .map(|(at, _)| score(at))
                .collect();
            let least = scores.iter().copied().fold(1.0, f64::min);
            let part = match group.count {
                Count::Sum => scores.iter().sum::<f64>() / scores.len().max(1) as f64,
                Count::Least => least,
                Count::AllOrNothing => f64::from(u8::from(least >= 1.0)),
            };
            groups.push(part * group.points);
            points += part * group.points;
            most += group.points;
        }
        Points { points, most, groups }
    }

    /// Returns the points of a case, of the most that it can have, without its group's way to count.
    pub fn points_of(&self, case: &Case, result: &CaseResult) -> (f64, f64) {
        let most = match case.group {
            None => case.points,
            Some(group) => {
                let size = self.cases.iter().filter(|other| other.group == case.group).count();
                self.groups[group].points / size as f64
            }
        };
        (result.score * most, most)
    }
}
