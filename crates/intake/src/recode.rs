//! Recodes sources that compilers and interpreters cannot read as they are: UTF-16, a byte-order
//! mark before Java, and other encodings where a language asks for UTF-8.

use super::languages::Languages;
use super::spreadsheet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The largest source that is recoded, in bytes.
const MAX_BYTES: u64 = 4 << 20;
/// The byte-order mark of UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// Recodes the sources among the files below `root`. Returns a line about each that was changed.
pub(crate) fn recode(
    root: &Path,
    files: &[PathBuf],
    languages: &Languages,
) -> io::Result<Vec<String>> {
    let mut lines = Vec::new();
    for path in files {
        let Some(language) = languages.list.iter().find(|language| language.has_source(path))
        else {
            continue;
        };
        if fs::metadata(root.join(path))?.len() > MAX_BYTES {
            continue;
        }
        let bytes = fs::read(root.join(path))?;
        let shown = path.display();
        let (text, line) = if let Some(text) = utf16(&bytes) {
            (text, format!("{shown}: recoded from UTF-16 to UTF-8"))
        } else if let (true, Some(rest)) = (language.classes, bytes.strip_prefix(MARK)) {
            let line =
                format!("{shown}: the byte-order mark was removed, which the compiler refuses");
            fs::write(root.join(path), rest)?;
            lines.push(line);
            continue;
        } else if language.utf8 && std::str::from_utf8(&bytes).is_err() && !names_encoding(&bytes) {
            // Each byte of ISO-8859-1 is the character of that number.
            let text = bytes.iter().map(|byte| char::from(*byte)).collect();
            (text, format!("{shown}: not UTF-8, and recoded as if it were ISO-8859-1"))
        } else {
            continue;
        };
        fs::write(root.join(path), text)?;
        lines.push(line);
    }
    Ok(lines)
}

/// Returns the text of a source in UTF-8 or UTF-16, without a byte-order mark; any other encoding is
/// read as ISO-8859-1, whose bytes are the characters of the same number.
pub fn source_text(bytes: &[u8]) -> String {
    let utf8 = || std::str::from_utf8(bytes.strip_prefix(MARK).unwrap_or(bytes)).ok();
    utf16(bytes)
        .or_else(|| utf8().map(str::to_string))
        .unwrap_or_else(|| bytes.iter().map(|byte| char::from(*byte)).collect())
}

/// Returns the text of a file in UTF-16, with or without a byte-order mark; `None` for every other
/// file.
fn utf16(bytes: &[u8]) -> Option<String> {
    let (little, rest) = match bytes {
        [0xff, 0xfe, rest @ ..] => (true, rest),
        [0xfe, 0xff, rest @ ..] => (false, rest),
        _ => (lower_bytes_first(bytes)?, bytes),
    };
    spreadsheet::utf16(rest, if little { u16::from_le_bytes } else { u16::from_be_bytes })
}

/// Returns whether the lower bytes come first in UTF-16 that has no byte-order mark; `None` if the
/// first characters of a file are not ASCII in UTF-16.
fn lower_bytes_first(bytes: &[u8]) -> Option<bool> {
    const LOOKED_AT: usize = 64;
    const LEAST: usize = 8;
    let pairs = bytes[..bytes.len().min(LOOKED_AT)].chunks_exact(2);
    let is_text = |low: usize| pairs.clone().all(|pair| pair[low] != 0 && pair[1 - low] == 0);
    match () {
        () if pairs.len() * 2 < LEAST => None,
        () if is_text(0) => Some(true),
        () if is_text(1) => Some(false),
        () => None,
    }
}

/// Returns whether one of the first two lines says which encoding a source has, as those of Python
/// do.
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
        let lines =
            recode(place.path(), &[PathBuf::from(name)], &Languages::new(None).unwrap()).unwrap();
        (fs::read(place.path().join(name)).unwrap(), lines)
    }
}
