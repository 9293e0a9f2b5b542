//! The CSV file of a class (RFC 4180), with a line for each submission.

use anyhow::{Context, Result};
use csv::StringRecord;
use intake::sheet::Sheet;
use intake::spreadsheet::{row, unguarded};
use serde::Deserialize;
use std::path::Path;

/// A submission's line; the fields have the order of the columns.
#[derive(Clone, Deserialize)]
pub(super) struct GradeLine {
    /// Unique, as plain text.
    pub submission: String,
    pub points: String,
    pub of: String,
    pub cpu: String,
    pub lost_by: String,
    pub reason: String,
    /// The points taken off a late submission, and why; empty if none were.
    pub late: String,
    pub scheme: String,
    pub digest: String,
}

const HEADINGS: [&str; 9] =
    ["submission", "points", "of", "cpu_seconds", "lost_by", "reason", "late", "scheme", "digest"];

pub(super) fn read(path: &Path) -> Result<Vec<GradeLine>> {
    let within = || format!("{}: cannot be continued", path.display());
    let line = |row: &StringRecord| {
        let row: StringRecord = row.iter().map(unguarded).collect();
        row.deserialize(None).with_context(within)
    };
    Sheet::read(path).with_context(within)?.below().iter().map(line).collect()
}

/// Writes the points without names and without what could tell one, the best first.
pub(super) fn nameless<'a>(lines: impl IntoIterator<Item = &'a GradeLine>) -> Result<String> {
    let mut lines: Vec<&GradeLine> = lines.into_iter().collect();
    let points = |line: &GradeLine| line.points.parse().unwrap_or(0.0);
    lines.sort_by(|one, other| {
        let rest = |line: &GradeLine| (line.cpu.clone(), line.lost_by.clone());
        f64::total_cmp(&points(other), &points(one)).then_with(|| rest(one).cmp(&rest(other)))
    });
    let mut text = row(["points", "of", "cpu_seconds", "lost_by", "digest"])?;
    for GradeLine { points, of, cpu, lost_by, digest, .. } in lines {
        // The reason why a program cannot be run may name its author.
        let lost_by = if lost_by.starts_with("not run") { "not run" } else { lost_by };
        text += &row([points, of, cpu, lost_by, digest])?;
    }
    Ok(text)
}

pub(super) fn write<'a>(lines: impl IntoIterator<Item = &'a GradeLine>) -> Result<String> {
    let mut text = row(HEADINGS)?;
    for GradeLine { submission, points, of, cpu, lost_by, reason, scheme, digest, late } in lines {
        text += &row([submission, points, of, cpu, lost_by, reason, late, scheme, digest]
            .map(String::as_str))?;
    }
    Ok(text)
}
