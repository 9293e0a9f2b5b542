//! Points taken off late submissions: the rule of a scheme, and how late a submission came.

use crate::grade::points::{check_points, number};
use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};

/// The points taken off a late submission. A day counts from its beginning.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct LateRule {
    /// Points taken off for each day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<f64>,
    /// Per cent of the points reached, taken off for each day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub percent: Option<f64>,
    /// Hours after the deadline that cost nothing; the days are counted from their end.
    #[serde(default)]
    pub grace: f64,
    /// The most that is taken off, in points or per cent as above.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most: Option<f64>,
}

/// How late a submission came.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Lateness {
    /// Hours after the deadline.
    Hours(f64),
    /// The course system has marked it as late, and has not said by how much.
    Marked,
}

/// The points taken off a submission.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LateCut {
    /// The points.
    pub points: f64,
    /// The points and the reason, in words.
    pub words: String,
}

impl LateRule {
    /// Checks all values of the rule.
    pub(super) fn check(&self) -> Result<()> {
        if self.points.is_some() == self.percent.is_some() {
            bail!("late: expected either points or percent, for each day");
        }
        for (key, value) in [("points", self.points), ("percent", self.percent), ("most", self.most)] {
            value.map_or(Ok(()), |value| check_points(key, value))?;
        }
        check_points("grace", self.grace)
    }

    /// Returns what is taken off a submission that has reached some points.
    pub(crate) fn cut(&self, lateness: Lateness, reached: f64) -> LateCut {
        let (days, when) = match lateness {
            Lateness::Hours(hours) => (((hours - self.grace) / 24.0).ceil().max(0.0), format!("{hours:.1} h late")),
            Lateness::Marked => (1.0, "marked late, which counts as one day".to_string()),
        };
        let capped = |each: f64| (days * each).min(self.most.unwrap_or(f64::INFINITY));
        let (off, rate, unit) = match (self.points, self.percent) {
            (Some(points), _) => (capped(points), points, " points"),
            (None, percent) => {
                let percent = percent.unwrap_or_default();
                (reached * capped(percent) / 100.0, percent, " %")
            }
        };
        let off = (off.min(reached).max(0.0) * 100.0).round() / 100.0;
        let grace = if self.grace > 0.0 { format!(", {} h of grace", number(self.grace)) } else { String::new() };
        let most = self.most.map_or(String::new(), |most| format!(", at most {}{unit}", number(most)));
        let days = if days == 1.0 { "1 day".to_string() } else { format!("{days} days") };
        let words = format!("{} points off: {when}{grace}: {days} at {}{unit} each{most}", number(off), number(rate));
        LateCut { points: off, words }
    }
}

impl Lateness {
    /// Reads how late a submission came: `26:14:03`, `1 day 2 hours late`, a number of days, or `late`. `None` if it was in
    /// time. Errors: nothing of that.
    pub(crate) fn parse(text: &str) -> Result<Option<Lateness>> {
        let text = text.trim().to_lowercase();
        if ["", "no", "false", "-"].contains(&text.as_str()) {
            return Ok(None);
        }
        if ["late", "yes", "true", "x"].contains(&text.as_str()) {
            return Ok(Some(Lateness::Marked));
        }
        let parts: Option<Vec<f64>> = text.split(':').map(|part| part.trim().parse().ok()).collect();
        let hours = match parts.as_deref() {
            Some([days]) => Some(days * 24.0),
            Some([hours, minutes]) => Some(hours + minutes / 60.0),
            Some([hours, minutes, seconds]) => Some(hours + minutes / 60.0 + seconds / 3600.0),
            _ => durations(&text),
        };
        match hours {
            Some(hours) if hours.is_finite() && hours >= 0.0 => Ok((hours > 0.0).then_some(Lateness::Hours(hours))),
            _ => bail!("expected how late it was, such as 26:14:03, `1 day 2 hours`, 2 (days) or late, found '{text}'"),
        }
    }
}

/// Returns the hours of all durations in a text, such as `1 day 2 hours`; `None` if it has none.
fn durations(text: &str) -> Option<f64> {
    let mut sum = None;
    let mut rest = text;
    while let Some(start) = rest.find(|character: char| character.is_ascii_digit()) {
        rest = &rest[start..];
        let end = rest.find(|character: char| !character.is_ascii_digit() && character != '.').unwrap_or(rest.len());
        let (digits, after) = rest.split_at(end);
        let unit = after.trim_start();
        let hours = [("d", 24.0), ("h", 1.0), ("m", 1.0 / 60.0), ("s", 1.0 / 3600.0)];
        let (_, hours) = hours.into_iter().find(|(word, _)| unit.starts_with(word))?;
        sum = Some(sum.unwrap_or(0.0) + digits.parse::<f64>().ok()? * hours);
        rest = after;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lateness_is_read_as_course_systems_write_it() {
        let hours = |text: &str| match Lateness::parse(text).unwrap() {
            Some(Lateness::Hours(hours)) => hours,
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(hours("26:30:00"), 26.5);
        assert_eq!(hours("Submitted for grading - 1 day 2 hours late"), 26.0);
        assert_eq!((hours("2"), hours("90 min"), hours("1.5d")), (48.0, 1.5, 36.0));
        assert_eq!(Lateness::parse("LATE").unwrap(), Some(Lateness::Marked));
        assert_eq!((Lateness::parse(" ").unwrap(), Lateness::parse("00:00:00").unwrap()), (None, None));
        assert!(Lateness::parse("soon").is_err() && Lateness::parse("3 weeks").is_err());
    }

    #[test]
    fn each_reduction_has_its_reason() {
        let rule = LateRule { points: None, percent: Some(10.0), grace: 0.5, most: Some(25.0) };
        let cut = |hours| rule.cut(Lateness::Hours(hours), 20.0);
        assert_eq!((cut(0.4).points, cut(0.6).points, cut(24.5).points, cut(24.6).points), (0.0, 2.0, 2.0, 4.0));
        assert_eq!(cut(500.0).points, 5.0, "a quarter at most");
        assert_eq!(cut(26.0).words, "4 points off: 26.0 h late, 0.5 h of grace: 2 days at 10 % each, at most 25 %");
        let points = LateRule { points: Some(3.0), percent: None, grace: 0.0, most: None };
        assert_eq!(
            points.cut(Lateness::Marked, 20.0).words,
            "3 points off: marked late, which counts as one day: 1 day at 3 points each"
        );
        assert_eq!(points.cut(Lateness::Hours(480.0), 20.0).points, 20.0, "never more than there is");
        assert!(LateRule { percent: Some(1.0), ..points }.check().is_err());
    }
}
