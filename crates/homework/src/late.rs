//! Points taken off late submissions: the rule of a scheme or homework, and how late one came.

use crate::points::{check_points, number};
use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};

/// The table `[late]`: what is taken off for each day that a submission is late.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", expecting = "a table [late]")]
pub struct LateRule {
    /// Points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<f64>,
    /// Per cent of the points reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub percent: Option<f64>,
    /// Hours that cost nothing; the days are counted from their end.
    #[serde(default)]
    pub grace: f64,
    /// In points or per cent as above.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub most: Option<f64>,
}

/// How late a submission came.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Lateness {
    /// Above 0.
    Hours(f64),
    /// Marked as late by the course system, without a time.
    Marked,
}

/// What is taken off a submission.
#[derive(Clone, Debug, PartialEq)]
pub struct LateCut {
    /// Points.
    pub points: f64,
    /// How many, and why.
    pub words: String,
}

impl LateRule {
    /// Refuses a rule without a cost, with two, and with values out of range.
    pub fn check(&self) -> Result<()> {
        if self.points.is_some() == self.percent.is_some() {
            bail!("late: expected either points or percent, for each day");
        }
        for (key, value) in
            [("points", self.points), ("percent", self.percent), ("most", self.most)]
        {
            value.map_or(Ok(()), |value| check_points(key, value))?;
        }
        check_points("grace", self.grace)
    }

    /// What is taken off `reached` points. A day counts from its beginning.
    pub fn cut(&self, lateness: Lateness, reached: f64) -> LateCut {
        let (days, when) = match lateness {
            Lateness::Hours(hours) => {
                (((hours - self.grace) / 24.0).ceil().max(0.0), format!("{hours:.1} h late"))
            }
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
        let grace = if self.grace > 0.0 {
            format!(", {} h of grace", number(self.grace))
        } else {
            String::new()
        };
        let most =
            self.most.map_or(String::new(), |most| format!(", at most {}{unit}", number(most)));
        let days = if days == 1.0 { "1 day".to_string() } else { format!("{days} days") };
        let words = format!(
            "{} points off: {when}{grace}: {days} at {}{unit} each{most}",
            number(off),
            number(rate)
        );
        LateCut { points: off, words }
    }
}

impl Lateness {
    /// Reads `26:14:03`, `1 day 2 hours late`, a number of days, or `late`; `None` if in time.
    pub fn parse(text: &str) -> Result<Option<Lateness>> {
        let text = text.trim().to_lowercase();
        if ["", "no", "false", "-"].contains(&text.as_str()) {
            return Ok(None);
        }
        if ["late", "yes", "true", "x"].contains(&text.as_str()) {
            return Ok(Some(Lateness::Marked));
        }
        let parts: Option<Vec<f64>> =
            text.split(':').map(|part| part.trim().parse().ok()).collect();
        let hours = match parts.as_deref() {
            Some([days]) => Some(days * 24.0),
            Some([hours, minutes]) => Some(hours + minutes / 60.0),
            Some([hours, minutes, seconds]) => Some(hours + minutes / 60.0 + seconds / 3600.0),
            _ => durations(&text),
        };
        match hours {
            Some(hours) if hours.is_finite() && hours >= 0.0 => {
                Ok((hours > 0.0).then_some(Lateness::Hours(hours)))
            }
            _ => bail!(
                "expected how late it was, such as 26:14:03, `1 day 2 hours`, 2 (days) or late, found '{text}'"
            ),
        }
    }

    /// Reads Moodle's status, such as `Submitted for grading - 2 hours 5 mins late`. After a
    /// granted extension Moodle counts from there.
    pub fn of_status(text: &str) -> Result<Option<Lateness>> {
        let text = text.trim().to_lowercase();
        let mut found = None;
        for part in text.split(" - ").map(str::trim).filter(|part| !["", "-"].contains(part)) {
            // The date of an extension may have any words.
            if OTHER_WORDS.iter().any(|known| part.starts_with(known)) && !part.ends_with("late") {
                continue;
            }
            if !LATE_WORDS.iter().any(|late| part.contains(late)) {
                bail!("'{part}' is no status that is known");
            }
            let hours = durations(part).map_or(Lateness::Marked, Lateness::Hours);
            found = Some(hours);
        }
        Ok(found)
    }
}

/// In English and German.
const LATE_WORDS: [&str; 4] = ["late", "overdue", "verspät", "zu spät"];

/// The beginnings of what Moodle's status says besides.
const OTHER_WORDS: [&str; 30] = [
    "submitted for",
    "no submission",
    "not submitted",
    "nothing submitted",
    "draft",
    "reopened",
    "graded",
    "not graded",
    "mark",
    "not marked",
    "in marking",
    "in review",
    "ready for release",
    "released",
    "extension granted until",
    "submission changes not allowed",
    "this assignment does not require",
    // In German.
    "zur bewertung abgegeben",
    "keine abgabe",
    "nicht abgegeben",
    "entwurf",
    "erneut geöffnet",
    "wieder geöffnet",
    "bewert",
    "nicht bewertet",
    "in bewertung",
    "in überprüfung",
    "freigegeben",
    "verlänger",
    "abgabeänderungen nicht",
];

/// The beginnings of units, with their hours. Of those that fit, the longest counts.
const UNITS: [(&str, f64); 8] = [
    ("d", 24.0),
    ("h", 1.0),
    ("m", 1.0 / 60.0),
    ("s", 1.0 / 3600.0),
    ("y", 365.0 * 24.0),
    // In German.
    ("st", 1.0),
    ("tag", 24.0),
    ("jahr", 365.0 * 24.0),
];

/// The hours of all durations in a text; `None` if it has none.
fn durations(text: &str) -> Option<f64> {
    let mut sum = None;
    let mut rest = text;
    while let Some(start) = rest.find(|character: char| character.is_ascii_digit()) {
        rest = &rest[start..];
        let end = rest
            .find(|character: char| !character.is_ascii_digit() && character != '.')
            .unwrap_or(rest.len());
        let (digits, after) = rest.split_at(end);
        let unit = after.trim_start();
        let fitting = UNITS.iter().filter(|(word, _)| unit.starts_with(word));
        let (_, hours) = fitting.max_by_key(|(word, _)| word.len())?;
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
        assert_eq!(
            (Lateness::parse(" ").unwrap(), Lateness::parse("00:00:00").unwrap()),
            (None, None)
        );
        assert!(Lateness::parse("soon").is_err() && Lateness::parse("3 weeks").is_err());
    }

    #[test]
    fn the_status_of_moodle_is_read_in_full_or_refused() {
        let hours = |text: &str| match Lateness::of_status(text).unwrap() {
            Some(Lateness::Hours(hours)) => hours,
            other => panic!("{text}: {other:?}"),
        };
        let extension = "Extension granted until: Friday, 2 October 2026, 11:59 PM";
        assert_eq!(hours("Submitted for grading - 1 day 2 hours late - Graded"), 26.0);
        assert_eq!(
            hours(&format!("Submitted for grading - 1 day 2 hours late - Graded - {extension}")),
            26.0
        );
        assert_eq!(hours("Zur Bewertung abgegeben - 2 Stunden 30 Minuten verspätet"), 2.5);
        assert_eq!(hours("Zur Bewertung abgegeben - Bewertet - 1 Tag 12 Stunden verspätet"), 36.0);
        assert_eq!(
            Lateness::of_status("Submitted for grading - late").unwrap(),
            Some(Lateness::Marked)
        );
        for text in [
            "",
            "-",
            "Submitted for grading - Graded",
            &format!("No submission - {extension}"),
            "Keine Abgabe",
        ] {
            assert_eq!(Lateness::of_status(text).unwrap(), None, "{text}");
        }
        for text in
            ["Lähetetty arvioitavaksi - 2 tuntia myöhässä", "Submitted for grading - 3 dagen"]
        {
            assert!(Lateness::of_status(text).is_err(), "{text}");
        }
    }

    #[test]
    fn each_reduction_has_its_reason() {
        let rule = LateRule { points: None, percent: Some(10.0), grace: 0.5, most: Some(25.0) };
        let cut = |hours| rule.cut(Lateness::Hours(hours), 20.0);
        assert_eq!(
            (cut(0.4).points, cut(0.6).points, cut(24.5).points, cut(24.6).points),
            (0.0, 2.0, 2.0, 4.0)
        );
        assert_eq!(cut(500.0).points, 5.0, "a quarter at most");
        assert_eq!(
            cut(26.0).words,
            "4 points off: 26.0 h late, 0.5 h of grace: 2 days at 10 % each, at most 25 %"
        );
        let points = LateRule { points: Some(3.0), percent: None, grace: 0.0, most: None };
        assert_eq!(
            points.cut(Lateness::Marked, 20.0).words,
            "3 points off: marked late, which counts as one day: 1 day at 3 points each"
        );
        assert_eq!(
            points.cut(Lateness::Hours(480.0), 20.0).points,
            20.0,
            "never more than there is"
        );
        assert!(LateRule { percent: Some(1.0), ..points }.check().is_err());
    }
}
