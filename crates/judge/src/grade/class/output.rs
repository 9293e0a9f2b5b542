//! What a class leaves: a CSV file, a report for each submission, a table.

use super::csv::{self, Line};
use crate::grade::report::{Form, write};
use crate::grade::result::{Grade, number};
use crate::standings::aligned;
use anyhow::{Context, Result};
use arena::plain;
use engine::agent::files::write_atomically;
use std::path::{Path, PathBuf};

/// Where to write what.
pub(crate) struct Outputs {
    /// The CSV file.
    pub csv: Option<PathBuf>,
    /// The directory of reports.
    pub reports: Option<PathBuf>,
    /// Their form.
    pub form: Form,
    /// The page of the class.
    pub page: Option<PathBuf>,
}

impl Outputs {
    /// Makes directories.
    pub(crate) fn prepare(&self) -> Result<()> {
        self.reports.iter().try_for_each(|path| {
            std::fs::create_dir_all(path).with_context(|| format!("{}: cannot be made", path.display()))
        })
    }

    /// Writes a submission's report.
    pub(crate) fn report(&self, student: &str, grade: &Grade) -> Result<()> {
        let Some(reports) = &self.reports else { return Ok(()) };
        write_to(&reports.join(file_name(student, self.form.suffix())), &write(grade, self.form)?)
    }

    /// Writes the CSV file.
    pub(crate) fn csv<'a>(&self, lines: impl IntoIterator<Item = &'a Line>) -> Result<()> {
        let Some(path) = &self.csv else { return Ok(()) };
        write_to(path, &csv::write(lines)?)
    }
}

/// Writes a whole file.
pub(crate) fn write_to(path: &Path, text: &str) -> Result<()> {
    write_atomically(path, text).with_context(|| format!("{}: cannot be written", path.display()))
}

/// The headings of the table.
const HEADINGS: [&str; 5] = ["Submission", "Points", "Of", "CPU s", "Lost by"];

/// The table of a class.
pub(crate) fn table<'a>(lines: impl IntoIterator<Item = &'a Line>) -> String {
    let mut table = vec![HEADINGS.map(String::from).to_vec()];
    table.extend(
        lines.into_iter().map(|line| {
            [&line.submission, &line.points, &line.of, &line.cpu, &line.lost_by].map(String::clone).to_vec()
        }),
    );
    aligned(&table, &[0, 4])
}

/// Points, time and what was lost by a submission.
pub(crate) fn line(student: &str, grade: &Grade, scheme: &str, digest: &str) -> Line {
    let (points, most) = grade.points();
    let lost_by = match &grade.not_run {
        None => grade.lost_by(),
        Some(not_run) => format!("not run: {}", plain::shown(not_run.why.lines().next().unwrap_or_default())),
    };
    Line {
        submission: student.to_string(),
        points: number(points),
        of: number(most),
        cpu: format!("{:.1}", grade.cpu()),
        lost_by,
        reason: plain::shown(&grade.costliest().unwrap_or_default()),
        scheme: scheme.to_string(),
        digest: digest.to_string(),
    }
}

/// The name of a submission's file, like no other's.
pub(crate) fn file_name(student: &str, suffix: &str) -> String {
    format!("{}.{suffix}", file_stem(student))
}

/// The beginning of the names of a submission's files, like no other's.
pub(crate) fn file_stem(student: &str) -> String {
    // Names of files have at most 255 bytes, and a file has a longer name while it is written. What is shortened stays
    // longer than what need not be.
    const LONGEST: usize = 200;
    if student.len() <= LONGEST {
        return student.to_string();
    }
    let digest = crc32fast::hash(student.as_bytes());
    let beginning = &student[..student.floor_char_boundary(LONGEST - 10)];
    format!("{beginning}~{digest:08x}")
}
