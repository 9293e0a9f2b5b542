//! Lines of CSV files (RFC 4180), safe to open in a spreadsheet: no field is run as a formula.

use anyhow::Result;
use arena::plain::is_plain;
use csv::{QuoteStyle, WriterBuilder};

/// The signs with which a formula begins, in both widths: spreadsheets of East Asia take the wide ones, too.
const BEGINNINGS: [char; 8] = ['=', '+', '-', '@', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}'];
/// White space that a field may have within, and not at its beginning.
const SPACES: [char; 3] = ['\t', '\r', '\n'];

/// Returns one line of a CSV file. A field that a spreadsheet would run as a formula gets an apostrophe in front, and what is
/// not seen is escaped.
pub fn row<const FIELDS: usize>(fields: [&str; FIELDS]) -> Result<String> {
    let fields = fields.map(field);
    // Some spreadsheets split unquoted fields at semicolons or tabs.
    let splits = fields.iter().any(|field| field.contains([';', '\t']));
    let style = if splits { QuoteStyle::Always } else { QuoteStyle::Necessary };
    let mut writer = WriterBuilder::new().quote_style(style).from_writer(Vec::new());
    writer.write_record(fields)?;
    Ok(String::from_utf8(writer.into_inner()?)?)
}

fn field(text: &str) -> String {
    let mut field = String::with_capacity(text.len());
    for character in text.chars() {
        if SPACES.contains(&character) || is_plain(character) {
            field.push(character);
        } else {
            field.extend(character.escape_default());
        }
    }
    let begins = field.trim_start_matches(['\'', ' ']).starts_with(BEGINNINGS);
    if begins || field.trim_start_matches('\'').starts_with(SPACES) { format!("'{field}") } else { field }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_field_is_a_formula_or_breaks_its_line() {
        assert_eq!(row(["ann", "o\"neil, x", "=1+1"]).unwrap(), "ann,\"o\"\"neil, x\",'=1+1\n");
        assert_eq!(row(["ann;=1+1", "\t=1"]).unwrap(), "\"ann;=1+1\",\"'\t=1\"\n");
        assert_eq!(row(["\r=1+1"]).unwrap(), "\"'\r=1+1\"\n");
        for wide in ["\u{ff1d}1+1", "\u{ff0b}1", "\u{ff0d}1", "\u{ff20}a", " =1+1", "' \u{ff1d}1"] {
            assert_eq!(row([wide]).unwrap(), format!("'{wide}\n"));
        }
        assert_eq!(row(["\u{200b}=1\u{202e}"]).unwrap(), "\\u{200b}=1\\u{202e}\n");
        assert_ne!(row(["'=1+1"]).unwrap(), row(["=1+1"]).unwrap());
    }
}
