//! The CSV file of a class (RFC 4180): a line for each submission.

use crate::spreadsheet::row;
use anyhow::Result;

/// A submission's line.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Line {
    /// The submission's name, plain and like no other's.
    pub submission: String,
    /// Points given.
    pub points: String,
    /// Points to be had.
    pub of: String,
    /// CPU seconds used.
    pub cpu: String,
    /// The tests that were lost, and why.
    pub lost_by: String,
    /// The one reason that cost most.
    pub reason: String,
    /// The scheme it was graded by, in words.
    pub scheme: String,
    /// The digest of that scheme.
    pub digest: String,
}

const HEADINGS: [&str; 8] = ["submission", "points", "of", "cpu_seconds", "lost_by", "reason", "scheme", "digest"];

/// The text of a file.
pub(super) fn write<'a>(lines: impl IntoIterator<Item = &'a Line>) -> Result<String> {
    let mut text = row(HEADINGS)?;
    for Line { submission, points, of, cpu, lost_by, reason, scheme, digest } in lines {
        text += &row([submission, points, of, cpu, lost_by, reason, scheme, digest].map(String::as_str))?;
    }
    Ok(text)
}
