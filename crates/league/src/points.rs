//! Points of a class for the exports: for a place above baselines, and for one in the best part of
//! the class. A program with a provisional rating has no place: it gets no points, and standing
//! above it gives none.

use crate::store::LadderRow;
use anyhow::{Result, bail};
use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub(crate) struct Points {
    /// Points for a place above a baseline, by its name, with or without `baseline: ` before it.
    /// They add up.
    above: BTreeMap<String, f64>,
    /// Parts of the class, from 0 to 1, and the points for a place in them. The most count.
    best: Vec<(f64, f64)>,
}

fn bare(name: &str) -> &str {
    name.strip_prefix("baseline: ").unwrap_or(name)
}

impl Points {
    /// Checks that the points can be given.
    ///
    /// # Errors
    /// A baseline is unknown, or a number makes no sense.
    pub(crate) fn check(&self, baselines: &[&str]) -> Result<()> {
        let known: Vec<&str> = baselines.iter().map(|baseline| bare(baseline)).collect();
        if let Some(name) = self.above.keys().find(|name| !known.contains(&bare(name))) {
            bail!("above: no baseline '{name}'; there are: {}", known.join(", "));
        }
        if let Some((share, _)) = self.best.iter().find(|(share, _)| !(0.0..=1.0).contains(share)) {
            bail!("best: expected a part from 0 to 1, found {share}");
        }
        let mut points =
            self.above.values().copied().chain(self.best.iter().map(|&(_, points)| points));
        if points.any(|points| !points.is_finite() || points < 0.0) {
            bail!("expected points of 0 or more");
        }
        Ok(())
    }

    pub(crate) fn are_given(&self) -> bool {
        !self.above.is_empty() || !self.best.is_empty()
    }

    /// `class` is the number of entrants that hand in.
    pub(crate) fn of(&self, entrant: Option<i64>, ladder: &[LadderRow], class: usize) -> f64 {
        let places = || ladder.iter().filter(|row| !row.provisional);
        let own = places().find(|row| Some(row.entrant) == entrant);
        let Some(own) = own.map(|row| row.place) else { return 0.0 };
        let below = places().filter(|row| row.place > own && row.kind == "baseline");
        let points_for =
            |row: &LadderRow| self.above.iter().find(|(name, _)| bare(name) == bare(&row.name));
        let above: f64 = below.filter_map(points_for).map(|(_, points)| points).sum();
        let ahead = places().filter(|row| row.place < own && row.kind != "baseline");
        let place = 1 + ahead.count();
        let within = |share: f64| place as f64 <= (share * class as f64).ceil();
        let best = self.best.iter().filter(|(share, _)| within(*share)).map(|&(_, points)| points);
        above + best.fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(entrant: i64, name: &str, kind: &str) -> LadderRow {
        LadderRow { entrant, name: name.into(), kind: kind.into(), ..LadderRow::default() }
    }

    #[test]
    fn points_are_those_for_baselines_below_and_for_the_best_part_of_the_class() {
        let points: Points =
            toml::from_str("above = { greedy = 5, random = 2 }\nbest = [[0.1, 4], [0.5, 1.5]]")
                .unwrap();
        points.check(&["random", "baseline: greedy"]).unwrap();
        let ladder = [
            row(1, "Ann", "student"),
            row(9, "baseline: greedy", "baseline"),
            row(2, "Bea", "team"),
            row(8, "random", "baseline"),
            row(3, "Cem", "student"),
        ];
        let placed = |places: [usize; 5]| {
            let mut rows = ladder.clone();
            rows.iter_mut().zip(places).for_each(|(row, place)| row.place = place);
            rows
        };
        // Equal ratings have equal points.
        let ladder_of_equals = placed([1, 2, 1, 4, 4]);
        let all = [Some(1), Some(2), Some(3)];
        assert_eq!(all.map(|who| points.of(who, &ladder_of_equals, 4)), [11.0, 11.0, 0.0]);
        let ladder = placed([1, 2, 3, 4, 5]);
        let all = [Some(1), Some(2), Some(3), Some(4), None];
        assert_eq!(all.map(|who| points.of(who, &ladder, 4)), [11.0, 3.5, 0.0, 0.0, 0.0]);
        let [ann, greedy, bea, random, cem] = ladder;
        let unplaced = |row| LadderRow { provisional: true, ..row };
        let ladder = [ann, bea, random, unplaced(greedy), unplaced(cem)];
        let placed = [Some(1), Some(2), Some(3)];
        assert_eq!(placed.map(|who| points.of(who, &ladder, 6)), [6.0, 3.5, 0.0]);
        let error = points.check(&["random"]).unwrap_err().to_string();
        assert!(error.contains("no baseline 'greedy'; there are: random"), "{error}");
        for wrong in ["best = [[1.5, 1]]", "above = { random = -1 }", "best = [[0.5, nan]]"] {
            let points: Points = toml::from_str(wrong).unwrap();
            assert!(points.check(&["random"]).is_err(), "{wrong}");
        }
        assert!(points.are_given() && !Points::default().are_given());
    }
}
