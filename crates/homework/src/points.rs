//! Points of cases and of groups of cases.

use crate::case::CaseResult;
use crate::homework::{Count, Homework};
use anyhow::{Result, ensure};

pub(crate) const MOST_POINTS: f64 = 1e6;

/// Refuses points of a key that are negative or too many.
pub fn check_points(key: &str, points: f64) -> Result<()> {
    let is_good = (0.0..=MOST_POINTS).contains(&points);
    ensure!(is_good, "{key}: expected points from 0 to {MOST_POINTS}, found {points}");
    Ok(())
}

/// Writes points with as few digits as needed.
pub fn number(points: f64) -> String {
    ((points * 1e6).round() / 1e6).to_string()
}

/// The points of a program.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Points {
    /// The points.
    pub points: f64,
    /// The most that can be had.
    pub most: f64,
    /// The points of each case, and the most that it can have: a case has its share of its group.
    pub cases: Vec<(f64, f64)>,
    /// The points of each group.
    pub groups: Vec<f64>,
}

impl Homework {
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
            let mut sum = 0.0;
            for at in members(index) {
                let part = match group.count {
                    Count::Sum => score(at),
                    Count::Least => least,
                    Count::AllOrNothing => f64::from(u8::from(least >= 1.0)),
                };
                points.cases[at] = (part * share, share);
                sum += part;
            }
            // The share of a third, three times, is not the whole.
            points.groups.push(group.points * sum / members(index).count().max(1) as f64);
        }
        let alone = self.cases.iter().zip(&points.cases).filter(|(case, _)| case.group.is_none());
        let (some, most) =
            alone.fold((0.0, 0.0), |(some, most), (_, (points, all))| (some + points, most + all));
        points.points = some + points.groups.iter().sum::<f64>();
        points.most = most + self.groups.iter().map(|group| group.points).sum::<f64>();
        points
    }
}
