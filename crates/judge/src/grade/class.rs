//! `judge grade-all`: a directory with a directory for each student; a table and a CSV file at the end.

use super::report::{Form, write};
use super::scheme::Scheme;
use super::{Grade, run, verdict};
use crate::interrupt;
use crate::player::spec::Keys;
use crate::standings::aligned;
use anyhow::{Context, Result, bail};
use clap::Args;
use engine::files::write_atomically;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Options of `judge grade-all`.
#[derive(Args)]
pub struct ClassOptions {
    #[command(flatten)]
    scheme: Scheme,

    /// A directory with a directory for each submission
    directory: PathBuf,

    /// The command that runs a submission, in a copy of its directory; a file `command` in the directory goes before it
    #[arg(long, value_name = "COMMAND")]
    cmd: Option<String>,

    /// Write a line for each submission to this file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Write a report for each submission into this directory
    #[arg(long, value_name = "DIRECTORY")]
    reports: Option<PathBuf>,

    /// The form of those reports
    #[arg(long, value_enum, default_value_t = Form::Text)]
    report: Form,
}

/// The longest `command` file that is read, in bytes.
const COMMAND_LIMIT: usize = 4096;

/// Grades all submissions, one after the other. One that cannot be run gets 0 points and a reason.
pub fn grade_class(options: &ClassOptions) -> Result<u8> {
    let name = options.directory.display();
    let mut directories: Vec<PathBuf> = std::fs::read_dir(&options.directory)
        .and_then(|entries| entries.map(|entry| entry.map(|entry| entry.path())).collect())
        .with_context(|| format!("{name}: cannot be listed"))?;
    directories.retain(|path| path.is_dir());
    directories.sort();
    if directories.is_empty() {
        bail!("{name}: no directories in it");
    }
    if let Some(path) = &options.reports {
        std::fs::create_dir_all(path).with_context(|| format!("{}: cannot be made", path.display()))?;
    }
    interrupt::catch()?;
    let mut results: Vec<(String, Result<Grade>)> = Vec::new();
    for directory in &directories {
        if interrupt::asked() {
            break;
        }
        let student = directory.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        eprintln!("{student} ({} of {})", results.len() + 1, directories.len());
        let graded = grade_one(options, directory, &student);
        if let (Ok(grade), Some(reports)) = (&graded, &options.reports) {
            let suffix = match options.report {
                Form::Text => "txt",
                Form::Json | Form::Gradescope => "json",
                Form::Junit => "xml",
            };
            let path = reports.join(format!("{student}.{suffix}"));
            write_atomically(&path, &write(grade, options.report)).with_context(|| path.display().to_string())?;
        }
        results.push((student, graded));
    }
    crate::print(&table(&results));
    if let Some(path) = &options.csv {
        write_atomically(path, &csv(&results)).with_context(|| format!("{}: cannot be written", path.display()))?;
    }
    Ok(if interrupt::asked() { interrupt::EXIT_CODE } else { 0 })
}

fn grade_one(options: &ClassOptions, directory: &Path, student: &str) -> Result<Grade> {
    let own = std::fs::read(directory.join("command")).ok();
    let command = match own {
        Some(bytes) if bytes.len() <= COMMAND_LIMIT => String::from_utf8_lossy(&bytes).trim().to_string(),
        Some(_) => bail!("the file `command` is longer than {COMMAND_LIMIT} bytes"),
        None => options.cmd.clone().with_context(|| "no file `command`, and no --cmd for all")?,
    };
    let words = [
        format!("cmd={command}"),
        format!("dir={}", directory.display()),
        format!("name={}", student.replace('"', "'")),
    ];
    let spec = Keys::parse(words.iter().map(String::as_str))?.engine(&options.scheme.game)?;
    run(&options.scheme, &spec, None)
}

/// Points, time and what was lost, for each submission.
fn cells(graded: &Result<Grade>) -> [String; 4] {
    match graded {
        Ok(grade) => {
            let (points, most) = grade.points();
            let mut lost: BTreeMap<String, u32> = BTreeMap::new();
            for item in grade.items.iter().filter(|item| item.points < item.most) {
                *lost.entry(verdict(item)).or_default() += 1;
            }
            let lost: Vec<String> = lost.into_iter().map(|(word, count)| format!("{count} {word}")).collect();
            [points.to_string(), most.to_string(), format!("{:.1}", grade.cpu()), lost.join(", ")]
        }
        Err(error) => ["0".to_string(), String::new(), "0.0".to_string(), format!("not run: {error:#}")],
    }
}

fn table(results: &[(String, Result<Grade>)]) -> String {
    let mut lines = vec![["Submission", "Points", "Of", "CPU s", "Lost by"].map(String::from).to_vec()];
    for (student, graded) in results {
        let mut line = vec![student.clone()];
        line.extend(cells(graded));
        lines.push(line);
    }
    aligned(&lines, &[0, 4])
}

fn csv(results: &[(String, Result<Grade>)]) -> String {
    let mut text = String::from("submission,points,of,cpu_seconds,lost_by\n");
    for (student, graded) in results {
        let [points, most, cpu, lost] = cells(graded);
        let fields = [student.clone(), points, most, cpu, lost].map(|field| quoted(&field));
        text.push_str(&fields.join(","));
        text.push('\n');
    }
    text
}

/// A field of a CSV file (RFC 4180). A field that a spreadsheet would take for a formula gets an apostrophe.
fn quoted(field: &str) -> String {
    let safe = if field.starts_with(['=', '+', '-', '@']) { format!("'{field}") } else { field.to_string() };
    if safe.contains([',', '"', '\n', '\r']) { format!("\"{}\"", safe.replace('"', "\"\"")) } else { safe }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_students_cannot_break_the_csv_file() {
        assert_eq!(quoted("ann"), "ann");
        assert_eq!(quoted("o\"neil, x"), "\"o\"\"neil, x\"");
        assert_eq!(quoted("=1+1"), "'=1+1");
    }
}
