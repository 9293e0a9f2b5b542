//! The CSV file of a class (RFC 4180), with a line for each submission.

use anyhow::Result;
use intake::spreadsheet::row;
use serde::Deserialize;

/// The line of a submission; the fields have the order of the columns.
#[derive(Clone, Deserialize)]
pub(super) struct GradeLine {
    /// The submission's unique name as plain text.
    pub submission: String,
    /// The points of the submission.
    pub points: String,
    /// The most points of all tests.
    pub of: String,
    /// CPU seconds used.
    pub cpu: String,
    /// The numbers of lost tests by verdict.
    pub lost_by: String,
    /// The reason that cost the most points.
    pub reason: String,
    /// The points taken off because the submission was late, and why; empty if none were.
    pub late: String,
    /// The scheme of the grading, in words.
    pub scheme: String,
    /// The digest of the scheme.
    pub digest: String,
}

/// The headings of the columns.
const HEADINGS: [&str; 9] =
    ["submission", "points", "of", "cpu_seconds", "lost_by", "reason", "late", "scheme", "digest"];

/// Returns the text of the CSV file.
pub(super) fn write<'a>(lines: impl IntoIterator<Item = &'a GradeLine>) -> Result<String> {
    let mut text = row(HEADINGS)?;
    for GradeLine { submission, points, of, cpu, lost_by, reason, scheme, digest, late } in lines {
        text += &row([submission, points, of, cpu, lost_by, reason, late, scheme, digest]
            .map(String::as_str))?;
    }
    Ok(text)
}
