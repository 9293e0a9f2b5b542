//! Lines of CSV files (RFC 4180), safe to open in a spreadsheet: no field is run as a formula.

use anyhow::Result;
use arena::plain::is_plain;
use csv::{QuoteStyle, WriterBuilder};
use encoding_rs::WINDOWS_1252;

/// How the bytes of a text stand for characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8.
    Utf8,
    /// UTF-16 with the lower byte first and a byte-order mark.
    Utf16,
    /// Windows-1252, as older spreadsheets write in Western Europe; ISO-8859-1 is a part of it.
    Windows1252,
}

/// Returns the text of a CSV file, with its byte-order mark; `None` if it is no text.
pub fn decode(bytes: &[u8]) -> Option<(String, Encoding)> {
    if bytes.starts_with(&[0xff, 0xfe]) {
        return Some((utf16(bytes, u16::from_le_bytes)?, Encoding::Utf16));
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Some((text.to_string(), Encoding::Utf8));
    }
    let text = WINDOWS_1252.decode_without_bom_handling(bytes).0.into_owned();
    let is_text =
        text.chars().all(|character| !character.is_control() || SPACES.contains(&character));
    is_text.then_some((text, Encoding::Windows1252))
}

/// Returns the text of bytes in UTF-16, in the order of `unit`.
pub(crate) fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Option<String> {
    let units: Vec<u16> = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]])).collect();
    String::from_utf16(&units).ok()
}

pub(crate) fn latin1(bytes: &[u8]) -> String {
    bytes.iter().map(|&byte| char::from(byte)).collect()
}

/// Returns the bytes of a text that [`decode`] has read, or that has other ASCII characters.
pub fn encode(text: &str, encoding: Encoding) -> Vec<u8> {
    match encoding {
        Encoding::Utf8 => text.as_bytes().to_vec(),
        Encoding::Utf16 => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        Encoding::Windows1252 => WINDOWS_1252.encode(text).0.into_owned(),
    }
}

/// Returns the delimiter that the first line has most of: a comma, a semicolon or a tab.
pub fn delimiter(text: &str) -> u8 {
    let first = text.lines().next().unwrap_or_default();
    let count = |delimiter: &u8| first.bytes().filter(|byte| byte == delimiter).count();
    *b",;\t".iter().rev().max_by_key(|delimiter| count(delimiter)).unwrap_or(&b',')
}

/// The signs with which a formula begins, in both widths.
const BEGINNINGS: [char; 8] = ['=', '+', '-', '@', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}'];
/// White space that a field may have within, and not at its beginning.
const SPACES: [char; 3] = ['\t', '\r', '\n'];

/// Returns one line of a CSV file. A field that a spreadsheet would run gets an apostrophe in
/// front, and what is not seen is escaped.
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
    if begins || field.trim_start_matches('\'').starts_with(SPACES) {
        format!("'{field}")
    } else {
        field
    }
}

/// Returns a field that [`row`] has written, without the apostrophe.
pub fn unguarded(text: &str) -> &str {
    match text.strip_prefix('\'') {
        Some(rest) if field(rest) == text => rest,
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_spreadsheets_are_read_and_written_alike() {
        for (bytes, text, encoding) in [
            (&b"Zo\xc3\xab;1"[..], "Zo\u{eb};1", Encoding::Utf8),
            (b"Zo\xeb;\x80", "Zo\u{eb};\u{20ac}", Encoding::Windows1252),
            (b"\xff\xfeZ\0o\0\xeb\0", "\u{feff}Zo\u{eb}", Encoding::Utf16),
        ] {
            assert_eq!(decode(bytes), Some((text.to_string(), encoding)));
            assert_eq!(encode(text, encoding), bytes);
        }
        assert_eq!(decode(b"PK\x03\x04\xff"), None);
        assert_eq!(
            [delimiter("a;b,c;d"), delimiter("a\tb"), delimiter("a"), delimiter("a,b;c")],
            *b";\t,,"
        );
    }

    #[test]
    fn an_apostrophe_that_was_put_in_front_is_taken_off_again() {
        for text in ["=A1", "'=A1", "-0.5", "'quoted'", "plain", ""] {
            assert_eq!(unguarded(&field(text)), text);
        }
    }

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
