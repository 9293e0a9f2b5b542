//! What is right: the comparison with expected files.

use crate::checker::Checker;
use arena::plain;
use engine::protocol::quote;
use serde::Serialize;

#[derive(Debug)]
pub(crate) enum Right {
    Compared(Compared),
    Checked(Checker),
    /// The program talks with the checker.
    Talks(Checker),
}

/// How a file is compared.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Compared {
    pub by: Unit,
    pub ignores_trailing_blanks: bool,
    pub ignores_blank_lines: bool,
    pub ignores_case: bool,
    /// The tolerance of numbers.
    pub absolute: f64,
    /// The tolerance of numbers, as a part of the expected one.
    pub relative: f64,
    /// Whether white space between words has to be the same.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub counts_blanks: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) enum Unit {
    Bytes,
    /// The kind of line ends, blank lines at the end and a byte-order mark do not count.
    Lines,
    /// Words between blanks and line ends.
    Tokens,
    /// Words, of which numbers may differ a little.
    Numbers,
}

/// The first difference of a file.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Difference {
    pub words: String,
    /// The same without what was expected, for secret cases.
    pub without_expected: String,
    /// The line that differs, and the first letter that does, from 0.
    pub marked: Option<(String, usize)>,
}

impl Default for Right {
    fn default() -> Right {
        Right::Compared(Compared::LINES)
    }
}

impl Compared {
    /// Lines, as of homework without a `homework.toml`.
    pub(crate) const LINES: Compared = Compared {
        by: Unit::Lines,
        ignores_trailing_blanks: false,
        ignores_blank_lines: false,
        ignores_case: false,
        absolute: 0.0,
        relative: 0.0,
        counts_blanks: false,
    };
    /// Words, as of packages.
    pub(crate) const TOKENS: Compared = Compared { by: Unit::Tokens, ..Compared::LINES };

    /// The first difference between two files; `file` is the name of the second one.
    pub(crate) fn difference(
        &self,
        file: &str,
        expected: &[u8],
        found: &[u8],
    ) -> Option<Difference> {
        if self.by == Unit::Bytes {
            return bytes_differ(file, expected, found);
        }
        let (expected, found) = (without_mark(expected), without_mark(found));
        let (mut right, mut have) = (self.parts(expected), self.parts(found));
        let mut same = 0;
        loop {
            match (right.next(), have.next()) {
                (None, None) => return None,
                (Some((_, _, right)), Some((number, place, part))) => {
                    if !self.is_same(right, part) {
                        return Some(Difference::at(file, number, (right, part), (found, place)));
                    }
                    same += 1;
                }
                (more, other) => {
                    let what = if self.by == Unit::Lines { "lines" } else { "words" };
                    let right = same + right.count() + usize::from(more.is_some());
                    let have = same + have.count() + usize::from(other.is_some());
                    let words = format!("{file}: expected {right} {what}, found {have}");
                    let words = words + &nul_bytes(expected, found);
                    let without_expected = words.clone();
                    return Some(Difference { words, without_expected, marked: None });
                }
            }
        }
    }

    /// The lines or words of a file, each with the number of its line and its place, from 0.
    fn parts<'a>(&self, text: &'a [u8]) -> Box<dyn Iterator<Item = Part<'a>> + 'a> {
        if self.counts_blanks {
            // Words, and each byte between them.
            let runs = text.chunk_by(|one, other| !is_blank(one) && !is_blank(other));
            return Box::new(runs.scan(0, move |ends, run| {
                let place = offset(text, run);
                let number = *ends;
                *ends += run.iter().filter(|byte| **byte == b'\n').count();
                Some((number, place, run))
            }));
        }
        if self.by != Unit::Lines {
            return Box::new(lines(text).flat_map(|(number, start, line)| {
                let blanks = line.split(is_blank).filter(|word| !word.is_empty());
                blanks.map(move |word| (number, start + offset(line, word), word))
            }));
        }
        let (trims, skips) = (self.ignores_trailing_blanks, self.ignores_blank_lines);
        let line = move |(number, place, line): Part<'a>| match trims {
            true => (number, place, trimmed(line)),
            false => (number, place, line),
        };
        let counts = move |(_, _, line): &Part| !skips || !trimmed(line).is_empty();
        Box::new(lines(trimmed(text)).map(line).filter(counts))
    }

    fn is_same(&self, right: &[u8], found: &[u8]) -> bool {
        let texts = || Some((str::from_utf8(right).ok()?, str::from_utf8(found).ok()?));
        right == found
            || self.ignores_case
                && (right.eq_ignore_ascii_case(found)
                    || texts()
                        .is_some_and(|(one, other)| one.to_lowercase() == other.to_lowercase()))
            || self.by == Unit::Numbers
                && texts().is_some_and(|(right, found)| self.is_near(right, found))
    }

    /// Whether two numbers differ by no more than the tolerance. NaN is near to NaN alone, and an
    /// infinity to itself.
    fn is_near(&self, right: &str, found: &str) -> bool {
        let (Ok(right), Ok(found)) = (right.parse::<f64>(), found.parse::<f64>()) else {
            return false;
        };
        if !right.is_finite() || !found.is_finite() {
            return right == found || right.is_nan() && found.is_nan();
        }
        (right - found).abs() <= self.absolute.max(self.relative * right.abs())
    }
}

impl Difference {
    /// A difference of `found`, which begins at `place` in the line of this number, from 0.
    fn at(
        file: &str,
        number: usize,
        (right, found): (&[u8], &[u8]),
        (text, place): (&[u8], usize),
    ) -> Difference {
        let same = right.iter().zip(found).take_while(|(one, other)| one == other).count();
        // A character whose second byte differs differs as a whole.
        let begins = |at: &usize| found.get(*at).is_none_or(|byte| byte & 0xc0 != 0x80);
        let begin = (0..=same).rev().find(begins).unwrap_or(same);
        let start = text[..place].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let end = text[place..].iter().position(|byte| *byte == b'\n');
        let line = &text[start..end.map_or(text.len(), |end| place + end)];
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        // Of a long line only the part around the difference is kept.
        let column = place + begin - start;
        let from = column.saturating_sub(MARKED);
        let shown = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let part = shown(&line[from..line.len().min(column + MARKED)]);
        let marked = Some((part, shown(&line[from..column]).chars().count()));
        let quoted = |bytes: &[u8]| quote(&shown(&bytes[..bytes.len().min(MARKED)]));
        let (expected, have) = (quoted(right), quoted(found));
        let place = format!("{file}:{}", number + 1);
        let mut words = format!("{place}: expected {expected}, found {have}");
        if expected == have {
            let byte = |bytes: &[u8]| {
                let byte = bytes.get(same).map(|byte| format!("0x{byte:02x}"));
                byte.unwrap_or("the end".to_string())
            };
            let (right, found) = (byte(right), byte(found));
            words += &format!("; at byte {} expected {right}, found {found}", same + 1);
        }
        let nul = nul_bytes(right, found);
        Difference {
            words: words + &nul,
            without_expected: format!("{place}: {have} is not right{nul}"),
            marked,
        }
    }
}

/// Bytes of a line before and after a difference that are kept.
const MARKED: usize = 1000;

/// A line or a word: the number of its line and its place in the file, from 0, and its bytes.
type Part<'a> = (usize, usize, &'a [u8]);

/// White space as in C.
fn is_blank(byte: &u8) -> bool {
    byte.is_ascii_whitespace() || *byte == 0x0b
}

fn trimmed(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().rposition(|byte| !is_blank(byte)).map_or(0, |last| last + 1);
    &bytes[..end]
}

/// The place of a part in a slice that it was taken from.
fn offset(whole: &[u8], part: &[u8]) -> usize {
    part.as_ptr().addr() - whole.as_ptr().addr()
}

fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

/// The lines without their ends, LF or CR LF.
fn lines(text: &[u8]) -> impl Iterator<Item = Part<'_>> {
    text.split_inclusive(|byte| *byte == b'\n').enumerate().map(|(number, line)| {
        let end = line.strip_suffix(b"\n").unwrap_or(line);
        (number, offset(text, line), end.strip_suffix(b"\r").unwrap_or(end))
    })
}

/// Words about NUL bytes that were not expected.
fn nul_bytes(expected: &[u8], found: &[u8]) -> String {
    match found.iter().filter(|byte| **byte == 0).count() {
        count if count > 0 && !expected.contains(&0) => {
            format!(" ({})", plain::counted(count, "NUL byte", "NUL bytes"))
        }
        _ => String::new(),
    }
}

fn bytes_differ(file: &str, expected: &[u8], found: &[u8]) -> Option<Difference> {
    if expected == found {
        return None;
    }
    let same = expected.iter().zip(found).take_while(|(one, other)| one == other).count();
    let line = 1 + found[..same].iter().filter(|byte| **byte == b'\n').count();
    let byte = |bytes: &[u8]| {
        bytes.get(same).map_or("the end of the file".to_string(), |byte| format!("byte {byte}"))
    };
    let place = format!("{file}:{line}: byte {} of the file", same + 1);
    Some(Difference {
        words: format!("{place}: expected {}, found {}", byte(expected), byte(found)),
        without_expected: format!("{place} is not right"),
        marked: None,
    })
}

/// As far as that can be told.
pub(crate) fn is_utf16(bytes: &[u8]) -> bool {
    let zeros = bytes.iter().filter(|byte| **byte == 0).count();
    let is_wide = bytes.len() > 3 && 3 * zeros > bytes.len() && 2 * zeros <= bytes.len();
    bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") || is_wide
}

#[cfg(test)]
mod tests {
    use super::*;

    fn differ(by: &Compared, expected: &str, found: &str) -> Option<String> {
        Some(by.difference("f", expected.as_bytes(), found.as_bytes())?.words)
    }

    #[test]
    fn line_ends_and_the_final_newline_do_not_count_but_all_else_does() {
        let difference = |expected, found| differ(&Compared::LINES, expected, found);
        assert_eq!(difference("a\r\nb", "a\nb\n\n"), None);
        assert_eq!(difference("a\r\nb", "\u{feff}a\nb\n"), None);
        assert_eq!(difference("\u{feff}a\nb", "a\nb\n"), None);
        assert_eq!(difference("a\nb\n", "a\nc\n").unwrap(), "f:2: expected 'b', found 'c'");
        assert_eq!(difference("a\nb\nc\n", "a\n").unwrap(), "f: expected 3 lines, found 1");
        assert_eq!(difference("a\n", "a\nb\nc\n").unwrap(), "f: expected 1 lines, found 3");
        assert!(difference("a\n", " a\n").is_some());
        assert!(difference("a\n\nb\n", "a\nb\n").is_some());
        let lenient = Compared {
            ignores_trailing_blanks: true,
            ignores_blank_lines: true,
            ignores_case: true,
            ..Compared::LINES
        };
        assert_eq!(differ(&lenient, "a  \n\nB \u{c9}\n", "A\nb \u{e9} \n"), None);
        assert_eq!(differ(&lenient, "a\nb", "a\n\nc").unwrap(), "f:3: expected 'b', found 'c'");
    }

    #[test]
    fn tokens_numbers_and_bytes_have_their_own_rules() {
        let tokens = Compared { by: Unit::Tokens, ..Compared::LINES };
        assert_eq!(differ(&tokens, "1 2\n3", " 1\n2   3\n\n"), None);
        assert_eq!(differ(&tokens, "1 2", "1 3").unwrap(), "f:1: expected '2', found '3'");
        assert_eq!(differ(&tokens, "1 2", "1").unwrap(), "f: expected 2 words, found 1");
        assert!(differ(&tokens, "1.0", "1").is_some());
        let exact = Compared { counts_blanks: true, ..tokens };
        assert_eq!(differ(&exact, "a\nb", "a\nc").unwrap(), "f:2: expected 'b', found 'c'");
        let numbers =
            Compared { by: Unit::Numbers, absolute: 0.1, relative: 1e-3, ..Compared::LINES };
        assert_eq!(differ(&numbers, "cost 1.0 2000", "cost 1.05 2001.9"), None);
        assert_eq!(differ(&numbers, "NaN inf -inf", "nan Infinity -inf"), None);
        for pair in ["1 1.2", "NaN 1", "inf 1e300", "1 NaN", "1 x"] {
            let (right, found) = pair.split_once(' ').unwrap();
            assert!(differ(&numbers, right, found).is_some(), "{pair}");
        }
        let bytes = Compared { by: Unit::Bytes, ..Compared::LINES };
        assert_eq!(differ(&bytes, "a\nb", "a\nb"), None);
        let words = "f:2: byte 4 of the file: expected the end of the file, found byte 10";
        assert_eq!(differ(&bytes, "a\nb", "a\nb\n").unwrap(), words);
    }

    #[test]
    fn bytes_that_are_no_text_are_compared_and_named() {
        for by in [Unit::Lines, Unit::Tokens, Unit::Numbers] {
            let by = Compared { by, absolute: 0.5, ignores_case: true, ..Compared::LINES };
            let words = |found: &[u8]| Some(by.difference("f", b"caf\xe9 1", found)?.words);
            assert_eq!(words(b"caf\xe9 1\n"), None);
            let wrong = words(b"caf\xe8 1\n").unwrap();
            assert!(wrong.ends_with("; at byte 4 expected 0xe9, found 0xe8"), "{wrong}");
            // A no-break space is no white space, a vertical tab is.
            assert!(differ(&by, "a b", "a\u{a0}b").is_some());
            assert_eq!(differ(&by, "a", "a\x0b\n"), None);
            let wrong = differ(&by, "6", "6\0\0").unwrap();
            assert!(wrong.ends_with(" (2 NUL bytes)"), "{wrong}");
        }
        let long = [vec![b'x'; 1 << 20], b"9".to_vec(), vec![b'y'; 1 << 20]].concat();
        let (line, column) = Compared::LINES.difference("f", b"x", &long).unwrap().marked.unwrap();
        assert!(line.len() <= 2 * MARKED && column <= MARKED);
    }

    #[test]
    fn the_difference_is_marked_in_its_line() {
        let tokens = Compared { by: Unit::Tokens, ..Compared::LINES };
        let found = tokens.difference("f", b"a bcd", "a  bxd é".as_bytes()).unwrap();
        assert_eq!(found.marked, Some(("a  bxd é".to_string(), 4)));
        assert_eq!(found.without_expected, "f:1: 'bxd' is not right");
        let found = tokens.difference("f", "a\n\u{e9}".as_bytes(), "a\n\u{e8}".as_bytes());
        assert_eq!(found.unwrap().marked, Some(("\u{e8}".to_string(), 0)), "a whole letter");
        let wide = [&b"\xff\xfea\0"[..], b"a\0b\0c\0", b"a\0b\0c"];
        assert!(wide.iter().all(|bytes| is_utf16(bytes)));
        let narrow = [&b"abc\n"[..], b"", b"\0\0\0\0", b"a\0\0\0\0b"];
        assert!(!narrow.iter().any(|bytes| is_utf16(bytes)));
    }
}
