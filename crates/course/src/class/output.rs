//! The output of a class: a CSV file, a report for each submission, and the printed table.

use super::class_options::ClassOptions;
use super::csv::{self, GradeLine};
use crate::grade::result::{Grade, GradedTest, NotRun};
use crate::grade::scheme::plan::digest;
use anyhow::{Context, Result};
use arena::plain;
use homework::number;
use std::fs;
use std::path::{Path, PathBuf};
use terminal::output::{make_folder, write_file};
use terminal::standings::aligned;

impl ClassOptions {
    pub(super) fn make_reports(&self) -> Result<()> {
        self.reports.iter().try_for_each(|path| make_folder(path))
    }

    pub(super) fn write_report(&self, student: &str, report: &str) -> Result<()> {
        let Some(reports) = &self.reports else { return Ok(()) };
        write_file(&self.report_path(reports, student), report)
    }

    pub(super) fn report_path(&self, reports: &Path, student: &str) -> PathBuf {
        reports.join(format!("{}.{}", file_stem(student), self.report.suffix()))
    }

    pub(super) fn write_csv<'a>(
        &self,
        lines: impl IntoIterator<Item = &'a GradeLine>,
    ) -> Result<()> {
        let lines: Vec<&GradeLine> = lines.into_iter().collect();
        if let Some(path) = &self.nameless {
            write_file(path, &csv::nameless(lines.iter().copied())?)?;
        }
        let Some(path) = &self.csv else { return Ok(()) };
        write_file(path, &csv::write(lines)?)
    }
}

const HEADINGS: [&str; 5] = ["Submission", "Points", "Of", "CPU s", "Lost by"];

pub(crate) fn table<'a>(lines: impl IntoIterator<Item = &'a GradeLine>) -> String {
    let mut table = vec![HEADINGS.map(String::from).to_vec()];
    table.extend(lines.into_iter().map(|line| {
        [&line.submission, &line.points, &line.of, &line.cpu, &line.lost_by]
            .map(String::clone)
            .to_vec()
    }));
    aligned(&table, &[0, 4])
}

pub(crate) fn read_text(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("{}: cannot be read", path.display()))
}

/// A submission's line in the table and in the CSV file.
pub(crate) fn line(student: &str, grade: &Grade, scheme: &str, digest: &str) -> GradeLine {
    let (points, most) = grade.points();
    let lost_by = match &grade.not_run {
        None => grade.lost_by(),
        Some(NotRun { why, .. }) => {
            format!("not run: {}", plain::shown(why.lines().next().unwrap_or_default()))
        }
    };
    let mut reason = grade.costliest().unwrap_or_default();
    let of_cases = grade.lost().filter_map(GradedTest::case).map(|case| &case.result.for_teacher);
    if let Some(words) = of_cases.into_iter().find(|words| !words.is_empty()) {
        reason += &format!(". For the teacher: {words}");
    }
    GradeLine {
        submission: student.to_string(),
        points: number(points),
        of: number(most),
        cpu: format!("{:.1}", grade.cpu()),
        lost_by,
        reason: plain::shown(&reason),
        scheme: scheme.to_string(),
        digest: digest.to_string(),
        late: grade.late.as_ref().map_or(String::new(), |late| late.words.clone()),
    }
}

/// Returns the beginning of the names of a submission's files, which no other submission has.
pub(crate) fn file_stem(student: &str) -> String {
    // File names have at most 255 bytes, and temporary ones are longer. A shortened stem is longer
    // than any other, so that the two never collide.
    const MAX_STEM: usize = 200;
    if student.len() <= MAX_STEM {
        return student.to_string();
    }
    let beginning = &student[..student.floor_char_boundary(MAX_STEM - 10)];
    format!("{beginning}~{}", digest(student))
}
