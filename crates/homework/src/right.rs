//! What is right: the comparison with expected files.

use crate::checker::Checker;
use engine::protocol::{quote, without_mark};

/// What is right in a homework.
#[derive(Debug)]
pub enum Right {
    /// The file is one of the expected ones.
    Compared(Compared),
    /// A program says so.
    Checked(Checker),
}

/// How a file is compared.
#[derive(Clone, Debug)]
pub struct Compared {
    /// The parts that are compared.
    pub by: Unit,
    /// Blanks at the ends of lines do not count.
    pub ignores_trailing_blanks: bool,
    /// Blank lines do not count.
    pub ignores_blank_lines: bool,
    /// Capital and small letters are the same.
    pub ignores_case: bool,
    /// The tolerance of numbers.
    pub absolute: f64,
    /// The tolerance of numbers, as a part of the expected one.
    pub relative: f64,
}

/// The parts that are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// All bytes.
    Bytes,
    /// Lines. The kind of line ends, blank lines at the end and a byte-order mark do not count.
    Lines,
    /// Words between blanks and line ends.
    Tokens,
    /// Words, of which numbers may differ a little.
    Numbers,
}

/// The first difference of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// What was expected and what was found.
    pub words: String,
    /// The same without what was expected, for secret cases.
    pub without_expected: String,
    /// The line that differs, and the first letter that does, from 0.
    pub marked: Option<(String, usize)>,
}

/// Each with its line, from 0, and its first letter.
type Words<'a> = Vec<(usize, usize, &'a str)>;

impl Compared {
    /// Lines, as of homework without a `homework.toml`.
    pub const LINES: Compared = Compared {
        by: Unit::Lines,
        ignores_trailing_blanks: false,
        ignores_blank_lines: false,
        ignores_case: false,
        absolute: 0.0,
        relative: 0.0,
    };

    /// The first difference between two files; `file` is the name of the second one.
    pub fn difference(&self, file: &str, expected: &[u8], found: &[u8]) -> Option<Difference> {
        if self.by == Unit::Bytes {
            return bytes_differ(file, expected, found);
        }
        let text = |bytes: &[u8]| without_mark(&String::from_utf8_lossy(bytes)).to_string();
        let (expected, found) = (text(expected), text(found));
        match self.by {
            Unit::Tokens | Unit::Numbers => self.words_differ(file, &expected, &found),
            Unit::Bytes | Unit::Lines => self.lines_differ(file, &expected, &found),
        }
    }

    fn lines_differ(&self, file: &str, expected: &str, found: &str) -> Option<Difference> {
        let lines = |text: &str| -> Vec<(usize, String)> {
            let line = |line: &str| match self.ignores_trailing_blanks {
                true => line.trim_end().to_string(),
                false => line.to_string(),
            };
            let numbered = text.trim_end().lines().map(line).enumerate();
            numbered
                .filter(|(_, line)| !self.ignores_blank_lines || !line.trim().is_empty())
                .collect()
        };
        let (expected, found) = (lines(expected), lines(found));
        for ((_, right), (number, line)) in expected.iter().zip(&found) {
            if !self.is_same(right, line) {
                return Some(Difference::at(file, *number, (right, line), line, 0));
            }
        }
        let (right, have) = (expected.len(), found.len());
        (right != have)
            .then(|| Difference::plain(format!("{file}: expected {right} lines, found {have}")))
    }

    fn words_differ(&self, file: &str, expected: &str, found: &str) -> Option<Difference> {
        let (right, have) = (words(expected), words(found));
        for (&(_, _, right), &(line, column, word)) in right.iter().zip(&have) {
            let is_near = self.by == Unit::Numbers && self.is_near(right, word);
            if !is_near && !self.is_same(right, word) {
                let shown = found.lines().nth(line).unwrap_or_default();
                return Some(Difference::at(file, line, (right, word), shown, column));
            }
        }
        (right.len() != have.len()).then(|| {
            Difference::plain(format!(
                "{file}: expected {} words, found {}",
                right.len(),
                have.len()
            ))
        })
    }

    fn is_same(&self, right: &str, found: &str) -> bool {
        right == found || self.ignores_case && right.to_lowercase() == found.to_lowercase()
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
    pub(crate) fn plain(words: String) -> Difference {
        Difference { without_expected: words.clone(), words, marked: None }
    }

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

fn words(text: &str) -> Words<'_> {
    let mut words = Words::new();
    for (number, line) in text.lines().enumerate() {
        let mut rest = line;
        while let Some(begin) = rest.find(|one: char| !one.is_whitespace()) {
            let word = &rest[begin..];
            let word = &word[..word.find(char::is_whitespace).unwrap_or(word.len())];
            let at = line.len() - rest.len() + begin;
            words.push((number, line[..at].chars().count(), word));
            rest = &rest[begin + word.len()..];
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
    let place = format!("{file}:{line}");
    Some(Difference {
        words: format!(
            "{place}: byte {} of the file: expected {}, found {}",
            same + 1,
            byte(expected),
            byte(found)
        ),
        without_expected: format!("{place}: byte {} of the file is not right", same + 1),
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
        for (right, found) in
            [("1", "1.2"), ("NaN", "1"), ("inf", "1e300"), ("1", "NaN"), ("1", "x")]
        {
            assert!(differ(&numbers, right, found).is_some(), "{right} {found}");
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
