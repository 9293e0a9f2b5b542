//! Grade books of course systems, in which one column is filled with points.

mod roster;

pub(crate) use roster::{Groups, Roster};

use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use csv::{QuoteStyle, StringRecord, Terminator, WriterBuilder};
use files::AtomicFile;
use homework::Lateness;
use intake::headings::POINTS_POSSIBLE;
use intake::sheet::Sheet;
use intake::spreadsheet::encode;
use std::io::Write;
use std::path::{Path, PathBuf};

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CourseSystem {
    Canvas,
    /// The grading worksheet of an assignment, or the export of the grader report.
    Moodle,
    Gradescope,
    Blackboard,
    Brightspace,
}

/// Whatever is not filled is written as it was read.
#[derive(Debug)]
pub(crate) struct GradeBook {
    pub system: CourseSystem,
    path: PathBuf,
    form: CsvForm,
    sheet: Sheet,
    column: usize,
    /// The most points of the column, if the grade book says so.
    pub most: Option<f64>,
}

#[derive(Clone, Copy, Debug)]
struct CsvForm {
    line_end: Terminator,
    ends_with_line_end: bool,
    quotes: QuoteStyle,
}

impl GradeBook {
    /// Reads a grade book. `column` is the heading of the column to fill, or a part that no other
    /// heading has; without it only one column may be meant.
    pub(crate) fn read(
        system: CourseSystem,
        path: &Path,
        column: Option<&str>,
    ) -> Result<GradeBook> {
        let sheet = Sheet::read(path)?;
        let Some(headings) = sheet.rows.first() else {
            bail!("{}: empty; export the grade book once more", sheet.name)
        };
        let column =
            find_column(system, headings, column).with_context(|| sheet.place(headings))?;
        let most = most(system, &sheet.rows, column);
        let form = CsvForm::of(&sheet);
        Ok(GradeBook { system, path: path.to_owned(), form, sheet, column, most })
    }

    pub(crate) fn roster(&self) -> Roster {
        Roster::new(&self.sheet.rows[0], self.sheet.below())
    }

    /// How late the submission of a row came, if it is known. An error has the words that were not
    /// understood.
    pub(crate) fn lateness(&self, row: usize) -> Result<Option<Lateness>, String> {
        // Gradescope's `Status` says whether the submission is graded.
        let (word, read): (_, fn(&str) -> _) = match self.system {
            CourseSystem::Moodle => ("status", Lateness::of_status),
            _ => ("lateness (h:m:s)", Lateness::parse),
        };
        let is_it = |heading: &str| {
            let heading = heading.trim().to_lowercase();
            heading == word || heading.ends_with(&format!(" - {word}"))
        };
        let Some(column) = self.sheet.rows[0].iter().position(is_it) else { return Ok(None) };
        let text = self.sheet.rows[row + 1].get(column).unwrap_or_default().trim();
        read(text).map_err(|_| text.to_string())
    }

    pub(crate) fn fill(&mut self, row: usize, points: &str) {
        let mut fields: Vec<&str> = self.sheet.rows[row + 1].iter().collect();
        fields.resize(fields.len().max(self.column + 1), "");
        fields[self.column] = points;
        self.sheet.rows[row + 1] = fields.into();
    }

    /// `NAME-graded.csv` beside the grade book.
    pub(crate) fn target(&self) -> PathBuf {
        let mut name = self.path.file_stem().unwrap_or_default().to_owned();
        name.push("-graded");
        let suffix = self.path.extension().unwrap_or_default();
        self.path.with_file_name(name).with_added_extension(suffix)
    }

    pub(crate) fn write(&self) -> Result<()> {
        let target = self.target();
        let within = || format!("{}: cannot be written", target.display());
        let mut out = AtomicFile::create(&target).with_context(within)?;
        out.write_all(&self.bytes()?).and_then(|()| out.commit()).with_context(within)
    }

    fn bytes(&self) -> Result<Vec<u8>> {
        let (form, sheet) = (self.form, &self.sheet);
        let mut writer = WriterBuilder::new()
            .flexible(true)
            .delimiter(sheet.delimiter)
            .terminator(form.line_end)
            .quote_style(form.quotes)
            .from_writer(Vec::new());
        sheet.rows.iter().try_for_each(|row| writer.write_record(row))?;
        let mut text = String::from_utf8(writer.into_inner()?)?;
        if !form.ends_with_line_end {
            text.truncate(text.trim_end_matches(['\r', '\n']).len());
        }
        if sheet.has_mark {
            text.insert(0, '\u{feff}');
        }
        Ok(encode(&text, sheet.encoding))
    }
}

impl CsvForm {
    fn of(sheet: &Sheet) -> CsvForm {
        let Sheet { text, delimiter, .. } = sheet;
        let mut headings = text.lines().next().unwrap_or_default().split(char::from(*delimiter));
        let all_quoted = headings.all(|field| field.starts_with('"'));
        CsvForm {
            line_end: if text.contains("\r\n") { Terminator::CRLF } else { Terminator::Any(b'\n') },
            ends_with_line_end: text.ends_with('\n'),
            quotes: if all_quoted { QuoteStyle::Always } else { QuoteStyle::Necessary },
        }
    }
}

fn find_column(
    system: CourseSystem,
    headings: &StringRecord,
    wanted: Option<&str>,
) -> Result<usize> {
    let can_be_meant = |heading: &str| {
        let low = heading.trim().to_lowercase();
        match system {
            // The number of the assignment.
            CourseSystem::Canvas => low
                .strip_suffix(')')
                .and_then(|rest| rest.rsplit_once(" ("))
                .is_some_and(|(_, number)| {
                    !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
                }),
            CourseSystem::Moodle => {
                ["grade", "bewertung"].contains(&low.as_str()) || low.ends_with("(real)")
            }
            CourseSystem::Gradescope => {
                let most = format!("{low} - max points");
                low == "total score"
                    || headings.iter().any(|other| other.trim().to_lowercase() == most)
            }
            CourseSystem::Blackboard => low.contains("[total pts:"),
            CourseSystem::Brightspace => low.contains(" points grade"),
        }
    };
    let is_exact = |heading: &str| wanted.is_some_and(|wanted| heading.trim() == wanted.trim());
    if let Some(exact) = headings.iter().position(is_exact) {
        return Ok(exact);
    }
    let is_found = |heading: &str| match wanted {
        Some(wanted) => heading.contains(wanted),
        None => can_be_meant(heading),
    };
    let found: Vec<&str> = headings.iter().filter(|heading| is_found(heading)).collect();
    let names = |names: &[&str]| names.join(" | ");
    match &found[..] {
        [_] => headings.iter().position(is_found).context("a heading"),
        [] => bail!(
            "no column {}; name it with --lms-column: {}",
            wanted.map_or("of an assignment".to_string(), |wanted| format!("'{wanted}'")),
            names(&headings.iter().collect::<Vec<_>>())
        ),
        _ => bail!("several columns can be meant; name one with --lms-column: {}", names(&found)),
    }
}

fn most(system: CourseSystem, rows: &[StringRecord], column: usize) -> Option<f64> {
    let heading = rows[0].get(column)?.trim();
    let place =
        |wanted: &str| rows[0].iter().position(|other| other.trim().eq_ignore_ascii_case(wanted));
    let text = match system {
        CourseSystem::Canvas => rows
            .iter()
            .find(|row| row.get(0).is_some_and(|first| first.trim() == POINTS_POSSIBLE))?
            .get(column)?,
        CourseSystem::Moodle => rows.get(1)?.get(place("Maximum Grade")?)?,
        CourseSystem::Gradescope => rows
            .get(1)?
            .get(place(&format!("{heading} - Max Points")).or_else(|| place("Max Points"))?)?,
        CourseSystem::Blackboard => {
            heading.split_once("[Total Pts:")?.1.trim().split([' ', ']']).next()?
        }
        CourseSystem::Brightspace => {
            heading.split_once("MaxPoints:")?.1.trim().split([' ', '>']).next()?
        }
    };
    text.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn book(system: CourseSystem, bytes: &[u8], column: Option<&str>) -> Result<GradeBook> {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("book.csv");
        std::fs::write(&path, bytes).unwrap();
        GradeBook::read(system, &path, column)
    }

    #[test]
    fn whatever_is_not_filled_is_kept_byte_by_byte() {
        let canvas = "\u{feff}Student,ID,SIS Login ID,Section,Homework 1 (77),Homework 2 (78),Final Score\r\n    Points \
                      Possible,,,,10,100,(read only)\r\n\"Berg, Ann\",508,ab,\"A, B\",7,,\r\n\"O'Neil, Zoë\",509,zo,A,,5,\"x\"\"y\"";
        let error = book(CourseSystem::Canvas, canvas.as_bytes(), None).unwrap_err();
        assert!(
            format!("{error:#}")
                .contains("name one with --lms-column: Homework 1 (77) | Homework 2 (78)"),
            "{error:#}"
        );
        let mut canvas_book =
            book(CourseSystem::Canvas, canvas.as_bytes(), Some("Homework 2")).unwrap();
        assert_eq!(
            (canvas_book.bytes().unwrap(), canvas_book.most),
            (canvas.as_bytes().to_vec(), Some(100.0))
        );
        canvas_book.fill(1, "42.5");
        let expected = canvas.replace("\"A, B\",7,,", "\"A, B\",7,42.5,");
        assert_eq!(String::from_utf8(canvas_book.bytes().unwrap()).unwrap(), expected);
    }

    #[test]
    fn a_grade_book_in_latin_1_stays_in_it() {
        let bytes = b"Identifikator;Vollst\xe4ndiger Name;Status;Bewertung\nTeilnehmer/in1;Zo\xeb;Keine Abgabe;\n";
        let mut filled = book(CourseSystem::Moodle, bytes, None).unwrap();
        filled.fill(0, "2.5");
        assert_eq!(filled.bytes().unwrap(), [&bytes[..bytes.len() - 1], b"2.5\n"].concat());
        assert_eq!(filled.roster().rows_of("Zo\u{eb}", "", &Groups::default()), Ok(vec![0]));
    }

    #[test]
    fn every_system_s_export_is_read() {
        let moodle = "Identifier,\"Full name\",\"Email address\",Status,Grade,\"Maximum Grade\"\nParticipant 12,Ann \
                      Berg,ann@x.org,\"Submitted for grading - 1 day 2 hours late\",,100.00\nParticipant 13,Bob,b@x.org,\"Submitted \
                      for grading\",,100.00\n";
        let moodle = book(CourseSystem::Moodle, moodle.as_bytes(), None).unwrap();
        assert_eq!((moodle.column, moodle.most), (4, Some(100.0)));
        assert_eq!(
            (moodle.lateness(0), moodle.lateness(1)),
            (Ok(Some(Lateness::Hours(26.0))), Ok(None))
        );
        let scope = "Name,SID,Email,Total Score,Max Points,Status,Lateness (H:M:S)\nAnn Berg,1,a@x.org,,20,Graded,00:30:00\n";
        let scope = book(CourseSystem::Gradescope, scope.as_bytes(), None).unwrap();
        assert_eq!(
            (scope.column, scope.most, scope.lateness(0)),
            (3, Some(20.0), Ok(Some(Lateness::Hours(0.5))))
        );
        let text = "\u{feff}\"Last Name\"\t\"First Name\"\t\"Username\"\t\"Halma [Total Pts: 100 Score] |55\"\r\n\"Berg\"\t\"Ann\"\t\"ab\"\t\"\"\r\n";
        let bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let board = book(CourseSystem::Blackboard, &bytes, None).unwrap();
        assert_eq!((board.column, board.most, board.bytes().unwrap()), (3, Some(100.0), bytes));
        let bright = "OrgDefinedId,Username,Last Name,First Name,HW 2 Points Grade <Numeric MaxPoints:10 Weight:5>,End-of-Line \
                      Indicator\n#12,#jdoe,Doe,Jane,,#\n";
        let bright = book(CourseSystem::Brightspace, bright.as_bytes(), None).unwrap();
        assert_eq!((bright.column, bright.most), (4, Some(10.0)));
        let found = ["jdoe", "12", "Jane Doe"]
            .map(|name| bright.roster().rows_of(name, "", &Groups::default()));
        assert_eq!(found, [Ok(vec![0]), Ok(vec![0]), Ok(vec![0])]);
        let error = book(CourseSystem::Moodle, b"a,b\n", None).unwrap_err();
        assert!(
            format!("{error:#}")
                .contains("no column of an assignment; name it with --lms-column: a | b"),
            "{error:#}"
        );
    }
}
