//! `judge grade-all`: a directory with a directory for each student; a table and a CSV file at the end.

use super::report::{Form, write};
use super::scheme::Scheme;
use super::{Grade, run, verdict};
use crate::interrupt;
use crate::player::spec::Keys;
use crate::schedule::Shard;
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

    /// Write a line for each submission to this file, after each submission
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Go on after an interruption: submissions that have a line in the CSV file are not graded again
    #[arg(long, requires = "csv")]
    resume: bool,

    /// Grade only part I of N of the submissions; the CSV files of all parts together hold all of them
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,

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
    if let Some(Shard { index, of }) = options.shard {
        let mut place = 0;
        directories.retain(|_| {
            place += 1;
            (place - 1) % of == index - 1
        });
    }
    let mut lines = match &options.csv {
        Some(path) if options.resume && path.exists() => read_csv(path)?,
        _ => Vec::new(),
    };
    interrupt::catch()?;
    let total = directories.len();
    for (number, directory) in directories.iter().enumerate() {
        let student = directory.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if lines.iter().any(|line| line[0] == student) {
            continue;
        }
        eprintln!("{student} ({} of {total})", number + 1);
        let graded = grade_one(options, directory, &student);
        // A grading that was broken off is none.
        if interrupt::asked() {
            break;
        }
        if let (Ok(grade), Some(reports)) = (&graded, &options.reports) {
            let suffix = match options.report {
                Form::Text => "txt",
                Form::Json | Form::Gradescope => "json",
                Form::Junit => "xml",
            };
            let path = reports.join(format!("{student}.{suffix}"));
            write_atomically(&path, &write(grade, options.report)).with_context(|| path.display().to_string())?;
        }
        let [points, most, cpu, lost] = cells(&graded);
        lines.push([student, points, most, cpu, lost]);
        if let Some(path) = &options.csv {
            write_atomically(path, &csv(&lines)).with_context(|| format!("{}: cannot be written", path.display()))?;
        }
    }
    let mut table = vec![HEADINGS.map(String::from).to_vec()];
    table.extend(lines.iter().map(|line| line.to_vec()));
    crate::print(&aligned(&table, &[0, 4]));
    Ok(if interrupt::asked() { interrupt::EXIT_CODE } else { 0 })
}

/// The headings of the table.
const HEADINGS: [&str; COLUMNS] = ["Submission", "Points", "Of", "CPU s", "Lost by"];
/// The first line of the CSV file.
const CSV_HEADINGS: &str = "submission,points,of,cpu_seconds,lost_by\n";
const COLUMNS: usize = 5;

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

fn csv(lines: &[[String; COLUMNS]]) -> String {
    let mut text = String::from(CSV_HEADINGS);
    for line in lines {
        text.push_str(&line.each_ref().map(|field| quoted(field)).join(","));
        text.push('\n');
    }
    text
}

/// Reads what [`csv`] has written.
fn read_csv(path: &Path) -> Result<Vec<[String; COLUMNS]>> {
    let name = path.display();
    let text = std::fs::read_to_string(path).with_context(|| format!("{name}: cannot be read"))?;
    let Some(text) = text.strip_prefix(CSV_HEADINGS) else { bail!("{name}:1: expected {}", CSV_HEADINGS.trim_end()) };
    let fields = |line: &[String]| <[String; COLUMNS]>::try_from(line.to_vec()).ok();
    let lines: Option<Vec<_>> = fields_of(text).iter().map(|line| fields(line)).collect();
    lines.with_context(|| format!("{name}: expected {COLUMNS} fields in each line"))
}

/// The fields of each line of a CSV file (RFC 4180), without the apostrophes of [`quoted`].
fn fields_of(text: &str) -> Vec<Vec<String>> {
    let mut lines = Vec::new();
    let mut line = Vec::new();
    let mut field = String::new();
    let mut in_quotes = false;
    let mut characters = text.chars().peekable();
    let finish = |field: &mut String| {
        let text = std::mem::take(field);
        match text.strip_prefix('\'') {
            Some(rest) if rest.starts_with(FORMULA) => rest.to_string(),
            _ => text,
        }
    };
    while let Some(character) = characters.next() {
        match character {
            '"' if in_quotes && characters.peek() == Some(&'"') => {
                field.push('"');
                characters.next();
            }
            '"' => in_quotes = !in_quotes,
            ',' if !in_quotes => line.push(finish(&mut field)),
            '\n' if !in_quotes => {
                line.push(finish(&mut field));
                lines.push(std::mem::take(&mut line));
            }
            _ => field.push(character),
        }
    }
    lines
}

/// A spreadsheet takes a field that begins with one of these for a formula.
const FORMULA: [char; 4] = ['=', '+', '-', '@'];

/// A field of a CSV file (RFC 4180). One that a spreadsheet would take for a formula gets an apostrophe.
fn quoted(field: &str) -> String {
    let safe = if field.starts_with(FORMULA) { format!("'{field}") } else { field.to_string() };
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

    #[test]
    fn a_csv_file_is_read_as_it_was_written() {
        let line = |name: &str| [name, "1.5", "100", "0.2", "2 crash, 1 stall"].map(String::from);
        let lines = ["ann", "o\"neil, x", "=1+1", "two\nlines", "'quoted'", ""].map(line).to_vec();
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("grades.csv");
        std::fs::write(&path, csv(&lines)).unwrap();
        assert_eq!(read_csv(&path).unwrap(), lines);
        std::fs::write(&path, "name,points\nann,5\n").unwrap();
        assert!(read_csv(&path).is_err());
    }
}
