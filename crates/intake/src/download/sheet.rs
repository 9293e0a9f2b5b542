//! Tables in files, as spreadsheets and course systems write them: one reader for grade books,
//! rosters, lateness, groups and points.

use crate::download::spreadsheet::{Encoding, decode, delimiter};
use anyhow::{Context, Result};
use csv::{ReaderBuilder, StringRecord};
use std::fs;
use std::path::Path;

/// A table: UTF-8, UTF-16 or Windows-1252, its fields between commas, semicolons or tabs.
#[derive(Debug)]
pub struct Sheet {
    /// The file's name, for messages.
    pub name: String,
    /// The text, without a byte-order mark.
    pub text: String,
    /// How the bytes of the file stand for characters.
    pub encoding: Encoding,
    /// Whether the file begins with a byte-order mark.
    pub has_mark: bool,
    /// The sign between fields.
    pub delimiter: u8,
    /// All rows, that of the headings too; each has as many fields as its line.
    pub rows: Vec<StringRecord>,
}

impl Sheet {
    /// Reads a file.
    ///
    /// # Errors
    /// The file cannot be read, or is no text; the message names it.
    pub fn read(path: &Path) -> Result<Sheet> {
        let name = path.display().to_string();
        let bytes = fs::read(path).with_context(|| format!("{name}: cannot be read"))?;
        Sheet::parse(name, &bytes)
    }

    /// Reads the bytes of a file of this name.
    ///
    /// # Errors
    /// As [`Sheet::read`].
    pub fn parse(name: String, bytes: &[u8]) -> Result<Sheet> {
        let (text, encoding) = decode(bytes).with_context(|| {
            format!(
                "{name}: neither UTF-8 nor UTF-16 nor Windows-1252; export it once more, or save it \
                 as CSV UTF-8"
            )
        })?;
        let unmarked = text.strip_prefix('\u{feff}');
        let (has_mark, text) = (unmarked.is_some(), unmarked.unwrap_or(&text).to_string());
        let delimiter = delimiter(&text);
        let mut reader = ReaderBuilder::new();
        reader.has_headers(false).flexible(true).delimiter(delimiter);
        let rows = reader.from_reader(text.as_bytes()).records().collect::<Result<_, _>>();
        let rows = rows.with_context(|| name.clone())?;
        Ok(Sheet { name, text, encoding, has_mark, delimiter, rows })
    }

    /// The column of one of these headings, in any case; an earlier heading counts before a later.
    pub fn column(&self, headings: &[&str]) -> Option<usize> {
        let row = self.rows.first()?;
        let at =
            |heading: &&str| row.iter().position(|found| found.trim().to_lowercase() == **heading);
        headings.iter().find_map(at)
    }

    /// The rows below the headings.
    pub fn below(&self) -> &[StringRecord] {
        self.rows.get(1..).unwrap_or_default()
    }

    /// The place of a row, for messages: `late.csv:3`.
    pub fn place(&self, row: &StringRecord) -> String {
        let begin = row.position().map_or(0, |position| position.byte() as usize);
        // Empty lines before a row are no rows.
        let (before, rest) = self.text.split_at(begin.min(self.text.len()));
        let blank = &rest[..rest.len() - rest.trim_start_matches(['\r', '\n']).len()];
        let line = 1 + before.matches('\n').count() + blank.matches('\n').count();
        format!("{}:{line}", self.name)
    }
}

/// A field of a row without blanks around it; empty if there is none.
pub fn field(row: &StringRecord, column: usize) -> &str {
    row.get(column).unwrap_or_default().trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_and_lines_are_found_whatever_writes_the_file() {
        let utf16: Vec<u8> = "\u{feff}Late\tSubmission\n\n1\tZo\u{eb}\n"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        for bytes in [
            &b"late,submission\n\n1,Zo\xc3\xab\n"[..],
            b"LATE; submission \r\n\r\n1; Zo\xeb\r\n",
            "\u{feff}\"late\",\"submission\"\n\n\"1\",\"Zo\u{eb}\"\n".as_bytes(),
            &utf16,
        ] {
            let sheet = Sheet::parse("late.csv".to_string(), bytes).unwrap();
            let who = sheet.column(&["folder", "submission"]).unwrap();
            let row = &sheet.below()[0];
            assert_eq!((field(row, who), &*sheet.place(row)), ("Zo\u{eb}", "late.csv:3"));
            assert_eq!((field(row, 7), sheet.column(&["group"])), ("", None));
        }
        let error = Sheet::parse("a.csv".to_string(), b"PK\x03\x04\xff").unwrap_err();
        assert!(format!("{error:#}").starts_with("a.csv: neither UTF-8"));
    }
}
