//! Recodes sources that compilers and interpreters cannot read as they are.

use crate::download::spreadsheet::{self, latin1};
use crate::find::languages::{Language, Languages};
use crate::find::tree::Tree;
use std::fs;
use std::io;

const MAX_BYTES: u64 = 4 << 20;
const MARK: &[u8] = b"\xef\xbb\xbf";

/// Recodes the sources of a submission. Returns a line about each that was changed.
pub(crate) fn recode(tree: &Tree, languages: &Languages) -> io::Result<Vec<String>> {
    let mut lines = Vec::new();
    for path in &tree.files {
        let is_source = |language: &&Language| language.has_source(path);
        let Some(language) = languages.list.iter().find(is_source) else { continue };
        let place = tree.root.join(path);
        if fs::metadata(&place)?.len() > MAX_BYTES {
            continue;
        }
        let bytes = fs::read(&place)?;
        let (text, line) = if let Some(text) = utf16(&bytes) {
            (text.into_bytes(), "recoded from UTF-16 to UTF-8")
        } else if let (true, Some(rest)) = (language.classes, bytes.strip_prefix(MARK)) {
            (rest.to_vec(), "the byte-order mark was removed, which the compiler refuses")
        } else if language.utf8 && std::str::from_utf8(&bytes).is_err() && !names_encoding(&bytes) {
            let line = "not UTF-8, and recoded as if it were ISO-8859-1";
            (latin1(&bytes).into_bytes(), line)
        } else {
            continue;
        };
        fs::write(&place, text)?;
        lines.push(format!("{}: {line}", path.display()));
    }
    Ok(lines)
}

/// Returns the text of a source in UTF-8 or UTF-16; any other encoding is read as ISO-8859-1.
pub fn source_text(bytes: &[u8]) -> String {
    let utf8 = || std::str::from_utf8(bytes.strip_prefix(MARK).unwrap_or(bytes)).ok();
    utf16(bytes).or_else(|| utf8().map(str::to_string)).unwrap_or_else(|| latin1(bytes))
}

/// Returns the text of a file in UTF-16, with or without a byte-order mark.
fn utf16(bytes: &[u8]) -> Option<String> {
    let (unit, rest): (fn([u8; 2]) -> u16, _) = match bytes {
        [0xff, 0xfe, rest @ ..] => (u16::from_le_bytes, rest),
        [0xfe, 0xff, rest @ ..] => (u16::from_be_bytes, rest),
        _ => (order_without_mark(bytes)?, bytes),
    };
    spreadsheet::utf16(rest, unit)
}

/// Returns the order of bytes in UTF-16 without a byte-order mark, by the first ASCII characters.
fn order_without_mark(bytes: &[u8]) -> Option<fn([u8; 2]) -> u16> {
    const LOOKED_AT: usize = 64;
    const LEAST: usize = 4;
    let pairs = bytes[..bytes.len().min(LOOKED_AT)].chunks_exact(2);
    let is_text = |low: usize| pairs.clone().all(|pair| pair[low] != 0 && pair[1 - low] == 0);
    match () {
        () if pairs.len() < LEAST => None,
        () if is_text(0) => Some(u16::from_le_bytes),
        () if is_text(1) => Some(u16::from_be_bytes),
        () => None,
    }
}

/// Returns whether one of the first two lines names the encoding, as Python's do.
fn names_encoding(bytes: &[u8]) -> bool {
    bytes.split(|byte| *byte == b'\n').take(2).any(|line| {
        let line = String::from_utf8_lossy(line);
        line.trim_start().starts_with('#') && (line.contains("coding:") || line.contains("coding="))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(text: &str, to_bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(to_bytes).collect()
    }

    #[test]
    fn sources_are_recoded_where_nothing_can_read_them_and_stay_where_it_can() {
        let text = "class A { // ä\n}\n";
        let little = units(text, u16::to_le_bytes);
        let big = units(text, u16::to_be_bytes);
        for (name, before, after, word) in [
            ("marked.py", [&b"\xff\xfe"[..], &little].concat(), text, "UTF-16"),
            ("big.java", [&b"\xfe\xff"[..], &big].concat(), text, "UTF-16"),
            ("bare.c", little.clone(), text, "UTF-16"),
            ("bare_big.cpp", big, text, "UTF-16"),
            ("mark.java", [MARK, text.as_bytes()].concat(), text, "byte-order mark"),
            ("latin.py", b"# f\xfcr\n".to_vec(), "# für\n", "ISO-8859-1"),
            ("latin.rs", b"// f\xfcr\n".to_vec(), "// für\n", "ISO-8859-1"),
        ] {
            let (text, lines) = recoded(name, &before);
            assert_eq!(text, after.as_bytes(), "{name}");
            assert!(
                lines.len() == 1 && lines[0].starts_with(name) && lines[0].contains(word),
                "{lines:?}"
            );
        }
        for (name, bytes) in [
            ("plain.py", text.as_bytes().to_vec()),
            ("mark.py", [MARK, text.as_bytes()].concat()),
            ("named.py", b"#!/usr/bin/python\n# -*- coding: latin-1 -*-\n# f\xfcr\n".to_vec()),
            ("latin.cpp", b"// f\xfcr\n".to_vec()),
            ("data.bin", little),
            ("zeros.py", vec![0; 64]),
            ("short.py", b"a\0".to_vec()),
        ] {
            assert_eq!(recoded(name, &bytes), (bytes, Vec::new()), "{name}");
        }
    }

    fn recoded(name: &str, bytes: &[u8]) -> (Vec<u8>, Vec<String>) {
        let place = tempfile::tempdir().unwrap();
        fs::write(place.path().join(name), bytes).unwrap();
        let tree =
            Tree { root: place.path().to_owned(), files: vec![name.into()], ..Tree::default() };
        let lines = recode(&tree, &Languages::new(None).unwrap()).unwrap();
        (fs::read(place.path().join(name)).unwrap(), lines)
    }
}
