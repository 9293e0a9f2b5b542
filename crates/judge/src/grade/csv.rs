//! The CSV file of a class (RFC 4180): a line for each submission.

use anyhow::{Context, Result, bail};
use csv::{QuoteStyle, ReaderBuilder, WriterBuilder};
use engine::protocol::without_mark;
use std::path::Path;

/// A submission's line.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Line {
    /// The submission's name, plain and like no other's.
    pub submission: String,
    /// Points given.
    pub points: String,
    /// Points to be had; empty for a submission that could not be run.
    pub of: String,
    /// CPU seconds used.
    pub cpu: String,
    /// The tests that were lost, and why.
    pub lost_by: String,
    /// The scheme it was graded by; empty in files from before schemes were noted.
    pub scheme: String,
}

const HEADINGS: [&str; 6] = ["submission", "points", "of", "cpu_seconds", "lost_by", "scheme"];
/// The headings of files without schemes.
const OLD_HEADINGS: &[&str] = HEADINGS.split_at(5).0;

/// The text of a file.
pub(super) fn write(lines: &[Line]) -> Result<String> {
    let mut text = row(HEADINGS)?;
    for Line { submission, points, of, cpu, lost_by, scheme } in lines {
        text += &row([submission, points, of, cpu, lost_by, scheme].map(String::as_str))?;
    }
    Ok(text)
}

/// A line of the file. A field that a spreadsheet would take for a formula gets an apostrophe.
fn row<const FIELDS: usize>(fields: [&str; FIELDS]) -> Result<String> {
    let fields = fields.map(|field| if is_formula(field) { format!("'{field}") } else { field.to_string() });
    // Some spreadsheets part unquoted fields at semicolons or tabs.
    let parts = fields.iter().any(|field| field.contains([';', '\t']));
    let style = if parts { QuoteStyle::Always } else { QuoteStyle::Necessary };
    let mut writer = WriterBuilder::new().quote_style(style).from_writer(Vec::new());
    writer.write_record(fields)?;
    Ok(String::from_utf8(writer.into_inner()?)?)
}

/// Reads what [`write`] has written, also when a spreadsheet has saved it since.
pub(super) fn read(path: &Path) -> Result<Vec<Line>> {
    let name = path.display();
    let text = std::fs::read_to_string(path).with_context(|| format!("{name}: cannot be read"))?;
    let mut reader = ReaderBuilder::new().has_headers(false).flexible(true).from_reader(without_mark(&text).as_bytes());
    let mut rows = reader.records().map(|row| {
        let row = row.with_context(|| format!("{name}: cannot be read"))?;
        Ok(row.iter().map(unguarded).map(String::from).collect())
    });
    let headings: Vec<String> = rows.next().transpose()?.unwrap_or_default();
    if headings != HEADINGS && headings != OLD_HEADINGS {
        bail!("{name}:1: expected {}", HEADINGS.join(","));
    }
    let line = |(index, row): (usize, Result<Vec<String>>)| {
        let mut row = row?;
        if row.len() != headings.len() {
            let (number, expected, found) = (index + 1, headings.len(), row.len());
            bail!("{name}: submission {number}: expected {expected} fields, found {found}");
        }
        row.resize(HEADINGS.len(), String::new());
        let mut fields = row.into_iter();
        let mut next = || fields.next().unwrap_or_default();
        Ok(Line { submission: next(), points: next(), of: next(), cpu: next(), lost_by: next(), scheme: next() })
    };
    rows.enumerate().map(line).collect()
}

/// Whether a spreadsheet takes a field for a formula, or would if it had fewer apostrophes before it.
fn is_formula(field: &str) -> bool {
    field.trim_start_matches('\'').starts_with(['=', '+', '-', '@', '\t', '\r', '\n'])
}

/// A field as it was before [`row`] put an apostrophe before it.
fn unguarded(field: &str) -> &str {
    field.strip_prefix('\'').filter(|rest| is_formula(rest)).unwrap_or(field)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_students_cannot_break_the_csv_file() {
        let quoted = |field| row([field]).unwrap().trim_end_matches('\n').to_string();
        assert_eq!(quoted("ann"), "ann");
        assert_eq!(quoted("o\"neil, x"), "\"o\"\"neil, x\"");
        assert_eq!(quoted("=1+1"), "'=1+1");
        assert_eq!(quoted("\t=1+1"), "\"'\t=1+1\"");
        assert_eq!(quoted("\r=1+1"), "\"'\r=1+1\"");
        assert_eq!(quoted("ann;=1+1"), "\"ann;=1+1\"");
        assert_ne!(quoted("'=1+1"), quoted("=1+1"));
    }

    #[test]
    fn a_csv_file_is_read_as_it_was_written() {
        let line = |name: &str| {
            let [points, of, cpu, lost_by, scheme] = ["1.5", "100", "0.2", "2 crash, 1 stall", "x=1"].map(String::from);
            Line { submission: name.to_string(), points, of, cpu, lost_by, scheme }
        };
        let names = [
            "ann",
            "o\"neil, x",
            "x;=1+1",
            "=1+1",
            "'=1+1",
            "''-x",
            "\ttab",
            "two\nlines",
            "two\r\nlines",
            "'quoted'",
            "",
        ];
        let lines = names.map(line).to_vec();
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("grades.csv");
        std::fs::write(&path, write(&lines).unwrap()).unwrap();
        assert_eq!(read(&path).unwrap(), lines);
        for (text, part) in [
            ("name,points\nann,5\n", "grades.csv:1: expected submission,points,of"),
            ("", "grades.csv:1: expected"),
            (
                "submission,points,of,cpu_seconds,lost_by,scheme\nann,1,2,3,4\n",
                "submission 1: expected 6 fields, found 5",
            ),
            ("submission,points,of,cpu_seconds,lost_by\nann,1,2,3,4,5\n", "submission 1: expected 5 fields, found 6"),
        ] {
            std::fs::write(&path, text).unwrap();
            let error = format!("{:#}", read(&path).unwrap_err());
            assert!(error.contains(part), "{error}");
        }
    }
}
