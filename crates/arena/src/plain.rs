//! Untrusted text made safe to display: without control characters, changes of direction and
//! invisible characters.

use anyhow::{Result, anyhow};
use serde_json::Value;
use std::ffi::OsStr;
use std::fmt::Write;
use std::str::FromStr;

/// Splits a word `KEY=VALUE` of an option.
pub(crate) fn key_and_value<'a>(option: &str, word: &'a str) -> Result<(&'a str, &'a str)> {
    word.split_once('=')
        .ok_or_else(|| anyhow!("{option}: expected KEY=VALUE, found '{}'", shown(word)))
}

/// Reads the number that an option has for a key.
pub(crate) fn number<T: FromStr>(option: &str, key: &str, value: &str) -> Result<T> {
    let found = || anyhow!("{option}: {key}: expected a number, found '{}'", shown(value));
    value.parse().map_err(|_| found())
}

/// Whether a character is visible and has no other effect; the only blank is the ordinary one.
pub fn is_plain(character: char) -> bool {
    match character {
        ' '..='~' => true,
        _ if is_unseen(character) => false,
        _ => is_shown_within_words(character),
    }
}

/// Invisible letters and marks: Unicode's default ignorable code points that are no format
/// characters, and the blank Braille pattern.
fn is_unseen(character: char) -> bool {
    matches!(
        character,
        '\u{34f}'
            | '\u{115f}'
            | '\u{1160}'
            | '\u{17b4}'
            | '\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{2800}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{ffa0}'
            | '\u{e0100}'..='\u{e01ef}'
    )
}

/// By `escape_debug`, which escapes combining accents only at the beginning of a word.
fn is_shown_within_words(character: char) -> bool {
    let mut bytes = [b'a', 0, 0, 0, 0];
    let length = 1 + character.encode_utf8(&mut bytes[1..]).len();
    std::str::from_utf8(&bytes[..length]).is_ok_and(|word| word.escape_debug().eq(word.chars()))
}

/// The text with escapes such as `\u{202e}` for characters that are not plain.
pub fn shown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    text.chars().for_each(|character| push(&mut out, character));
    out
}

/// Like [`shown`], for a text of several lines: line feeds stay.
pub fn lines(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    text.chars().for_each(|character| {
        if character == '\n' { out.push('\n') } else { push(&mut out, character) }
    });
    out
}

/// Like [`lines`], for all strings of a JSON value.
pub fn json(value: &mut Value) {
    match value {
        Value::String(text) if !text.chars().all(is_plain) => *text = lines(text),
        Value::Array(values) => values.iter_mut().for_each(json),
        Value::Object(members) => members.values_mut().for_each(json),
        _ => {}
    }
}

/// A number of things in words: `1 ply`, `2 plies`.
pub fn counted(count: impl TryInto<u64>, one: &str, several: &str) -> String {
    let count = count.try_into().unwrap_or(u64::MAX);
    format!("{count} {}", if count == 1 { one } else { several })
}

fn push(out: &mut String, character: char) {
    if is_plain(character) { out.push(character) } else { out.extend(character.escape_default()) }
}

/// A name from a directory as plain text, different for different names: bytes that are not UTF-8
/// are `\xe9`, other characters, blanks at either end and a first accent are `\u{202e}`, and a
/// backslash is two.
pub fn name(name: &OsStr) -> String {
    name_of_bytes(name.as_encoded_bytes())
}

/// Like [`name`], for a name from an archive.
pub fn name_of_bytes(name: &[u8]) -> String {
    let mut out = String::new();
    for chunk in name.utf8_chunks() {
        for character in chunk.valid().chars() {
            match character {
                '\\' => out.push_str("\\\\"),
                // An accent, for example, would combine with the character before the name.
                _ if out.is_empty() && joins(character) => out.extend(character.escape_unicode()),
                _ => push(&mut out, character),
            }
        }
        for byte in chunk.invalid() {
            let _ = write!(out, "\\x{byte:02x}");
        }
    }
    if let Some(rest) = out.strip_prefix(' ') {
        out = format!("\\u{{20}}{rest}");
    }
    if let Some(rest) = out.strip_suffix(' ') {
        out = format!("{rest}\\u{{20}}");
    }
    out
}

fn joins(character: char) -> bool {
    !character.is_ascii() && is_plain(character) && character.escape_debug().ne([character])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    #[test]
    fn letters_of_all_languages_are_plain_and_what_is_obeyed_or_not_seen_is_not() {
        for text in [
            "Zoë O'Neil",
            "李小龍",
            "Ελένη",
            "Zoe\u{308}",
            "नमस्ते",
            "שלום",
            "😀",
            "a\\b \"c\" ~",
            "\u{fffd}",
        ] {
            assert_eq!(shown(text), text);
        }
        for (text, escaped) in [
            ("\u{1b}[2J\t\r\n\0", "\\u{1b}[2J\\t\\r\\n\\u{0}"),
            ("\u{7f}\u{85}\u{9b}", "\\u{7f}\\u{85}\\u{9b}"),
            (
                "\u{202a}\u{202e}\u{2066}\u{2069}\u{200f}\u{61c}",
                "\\u{202a}\\u{202e}\\u{2066}\\u{2069}\\u{200f}\\u{61c}",
            ),
            ("\u{200b}\u{200d}\u{feff}\u{ad}", "\\u{200b}\\u{200d}\\u{feff}\\u{ad}"),
            ("\u{2028}\u{a0}\u{3000}", "\\u{2028}\\u{a0}\\u{3000}"),
            ("\u{3164}\u{fe0f}\u{e0041}\u{e000}", "\\u{3164}\\u{fe0f}\\u{e0041}\\u{e000}"),
        ] {
            assert_eq!(shown(text), escaped);
        }
    }

    #[test]
    fn texts_of_several_lines_and_values_have_plain_lines() {
        let nasty = "a\u{202e}b\n\tc\r\n\u{1b}[2Jd\u{200b}";
        let plain = "a\\u{202e}b\n\\tc\\r\n\\u{1b}[2Jd\\u{200b}";
        assert_eq!(lines(nasty), plain);
        let mut value = serde_json::json!({ "a": [nasty, 1, null], "b": { "c": nasty } });
        json(&mut value);
        assert_eq!(value, serde_json::json!({ "a": [plain, 1, null], "b": { "c": plain } }));
    }

    fn bytes(shown: &str) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut rest = shown;
        while let Some(character) = rest.chars().next() {
            let short =
                HashMap::from([("\\\\", b'\\'), ("\\t", b'\t'), ("\\r", b'\r'), ("\\n", b'\n')]);
            if let Some(byte) = rest.get(..2).and_then(|escape| short.get(escape)) {
                bytes.push(*byte);
                rest = &rest[2..];
            } else if let Some(code) = rest.strip_prefix("\\x") {
                bytes.push(u8::from_str_radix(&code[..2], 16).unwrap());
                rest = &code[2..];
            } else if let Some(code) = rest.strip_prefix("\\u{") {
                let (digits, after) = code.split_once('}').unwrap();
                let character = char::from_u32(u32::from_str_radix(digits, 16).unwrap()).unwrap();
                bytes.extend(character.to_string().bytes());
                rest = after;
            } else {
                bytes.extend(character.to_string().bytes());
                rest = &rest[character.len_utf8()..];
            }
        }
        bytes
    }

    proptest! {
        #[test]
        fn a_name_can_be_read_back_so_no_two_are_shown_alike(
            parts in proptest::collection::vec(prop_oneof![
                any::<u8>().prop_map(|byte| vec![byte]),
                any::<char>().prop_map(|character| character.to_string().into_bytes()),
                "[ \\\\xu{}0-9e'\"\t]{0,4}".prop_map(String::into_bytes),
            ], 0..12),
        ) {
            let whole = parts.concat();
            let text = name_of_bytes(&whole);
            prop_assert!(text.chars().all(is_plain), "{:?}", text);
            prop_assert_eq!(bytes(&text), whole);
        }
    }
}
