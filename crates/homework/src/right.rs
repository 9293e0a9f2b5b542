//! What is right: the comparison with expected files.

use crate::checker::Checker;
use engine::protocol::{quote, without_mark};

#[derive(Debug)]
pub(crate) enum Right {
    Compared(Compared),
    Checked(Checker),
}

/// How a file is compared.
#[derive(Clone, Debug)]
pub(crate) struct Compared {
    pub by: Unit,
    pub ignores_trailing_blanks: bool,
    pub ignores_blank_lines: bool,
    pub ignores_case: bool,
    /// The tolerance of numbers.
    pub absolute: f64,
    /// The tolerance of numbers, as a part of the expected one.
    pub relative: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

impl Compared {
    /// Lines, as of homework without a `homework.toml`.
    pub(crate) const LINES: Compared = Compared {
        by: Unit::Lines,
        ignores_trailing_blanks: false,
        ignores_blank_lines: false,
        ignores_case: false,
        absolute: 0.0,
        relative: 0.0,
    };

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
        let text = |bytes: &[u8]| without_mark(&String::from_utf8_lossy(bytes)).to_string();
        let (expected, found) = (text(expected), text(found));
        let (right, parts) = (self.parts(&expected), self.parts(&found));
        for ((_, _, right), (line, column, part)) in right.iter().zip(&parts) {
            if !self.is_same(right, part) {
                let whole = found.lines().nth(*line).unwrap_or_default();
                return Some(Difference::at(file, *line, (right, part), whole, *column));
            }
        }
        let (right, have) = (right.len(), parts.len());
        let what = if self.by == Unit::Lines { "lines" } else { "words" };
        let words = format!("{file}: expected {right} {what}, found {have}");
        let without_expected = words.clone();
        (right != have).then_some(Difference { words, without_expected, marked: None })
    }

    /// The lines or words of a text, each with its line and its first letter, from 0.
    fn parts<'a>(&self, text: &'a str) -> Vec<(usize, usize, &'a str)> {
        if self.by != Unit::Lines {
            return words(text);
        }
        let line = |(number, line): (usize, &'a str)| match self.ignores_trailing_blanks {
            true => (number, 0, line.trim_end()),
            false => (number, 0, line),
        };
        let lines = text.trim_end().lines().enumerate().map(line);
        let counts = |line: &str| !self.ignores_blank_lines || !line.trim().is_empty();
        lines.filter(|(_, _, line)| counts(line)).collect()
    }

    fn is_same(&self, right: &str, found: &str) -> bool {
        right == found
            || self.ignores_case && right.to_lowercase() == found.to_lowercase()
            || self.by == Unit::Numbers && self.is_near(right, found)
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
    /// A difference of `found` in a line, from 0, in which it begins at `column`.
    fn at(
        file: &str,
        number: usize,
        (right, found): (&str, &str),
        line: &str,
        column: usize,
    ) -> Difference {
        let same = right.chars().zip(found.chars()).take_while(|(one, other)| one == other).count();
        let place = format!("{file}:{}", number + 1);
        Difference {
            words: format!("{place}: expected {}, found {}", quote(right), quote(found)),
            without_expected: format!("{place}: {} is not right", quote(found)),
            marked: Some((line.to_string(), column + same)),
        }
    }
}

fn words(text: &str) -> Vec<(usize, usize, &str)> {
    let mut words = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let mut column = 0;
        for word in line.split(char::is_whitespace) {
            if !word.is_empty() {
                words.push((number, column, word));
            }
            column += word.chars().count() + 1;
        }
    }
    words
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
        assert_eq!(difference("a\nb\n", "a\n").unwrap(), "f: expected 2 lines, found 1");
        assert!(difference("a\n", " a\n").is_some());
        assert!(difference("a\n\nb\n", "a\nb\n").is_some());
        let lenient = Compared {
            ignores_trailing_blanks: true,
            ignores_blank_lines: true,
            ignores_case: true,
            ..Compared::LINES
        };
        assert_eq!(differ(&lenient, "a  \n\nB\n", "A\nb \n"), None);
        assert_eq!(differ(&lenient, "a\nb", "a\n\nc").unwrap(), "f:3: expected 'b', found 'c'");
    }

    #[test]
    fn tokens_numbers_and_bytes_have_their_own_rules() {
        let tokens = Compared { by: Unit::Tokens, ..Compared::LINES };
        assert_eq!(differ(&tokens, "1 2\n3", " 1\n2   3\n\n"), None);
        assert_eq!(differ(&tokens, "1 2", "1 3").unwrap(), "f:1: expected '2', found '3'");
        assert_eq!(differ(&tokens, "1 2", "1").unwrap(), "f: expected 2 words, found 1");
        assert!(differ(&tokens, "1.0", "1").is_some());
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
    fn the_difference_is_marked_in_its_line() {
        let tokens = Compared { by: Unit::Tokens, ..Compared::LINES };
        let found = tokens.difference("f", b"a bcd", "a  bxd é".as_bytes()).unwrap();
        assert_eq!(found.marked, Some(("a  bxd é".to_string(), 4)));
        assert_eq!(found.without_expected, "f:1: 'bxd' is not right");
        assert!(is_utf16(&[0xff, 0xfe, b'a', 0]) && is_utf16(b"a\0b\0c\0"));
        assert!(!is_utf16(b"abc\n") && !is_utf16(b"") && !is_utf16(b"\0\0\0\0"));
    }
}
