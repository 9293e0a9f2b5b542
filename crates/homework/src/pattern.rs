//! Patterns of paths: `*` is any text within a name, `{n}` a part of the case's name.

use anyhow::{Result, ensure};
use std::collections::BTreeMap;

/// The texts that a pattern's captures stand for.
pub(crate) type Captures = BTreeMap<String, String>;

#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    pub text: String,
    pieces: Vec<Piece>,
}

#[derive(Clone, Debug, PartialEq)]
enum Piece {
    Letter(char),
    /// Without `/`.
    Star,
    /// Of at least one letter, without `/`: names the case.
    Capture(String),
}

impl Pattern {
    pub(crate) fn read(text: &str) -> Result<Pattern> {
        let is_inside = !text.is_empty()
            && text.split('/').all(|part| !["", ".", ".."].contains(&part))
            && !text.contains('\\');
        ensure!(is_inside, "expected the path of files in the folder, found '{text}'");
        let (mut pieces, mut rest) = (Vec::new(), text);
        while let Some(letter) = rest.chars().next() {
            rest = &rest[letter.len_utf8()..];
            pieces.push(match letter {
                '*' => Piece::Star,
                '{' => {
                    let (word, after) = rest.split_once('}').unwrap_or_default();
                    let is_word =
                        !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric());
                    ensure!(is_word, "expected {{n}} or another word in braces, found '{text}'");
                    rest = after;
                    Piece::Capture(word.to_string())
                }
                letter => Piece::Letter(letter),
            });
        }
        Ok(Pattern { text: text.to_string(), pieces })
    }

    /// Whether each case has files of its own.
    pub(crate) fn has_captures(&self) -> bool {
        self.pieces.iter().any(|piece| matches!(piece, Piece::Capture(_)))
    }

    /// The captures of a path that the pattern matches, with whole numbers: `output{n}*.txt` takes
    /// `output10.txt` for case 10 alone.
    pub(crate) fn captures(&self, path: &str) -> Option<Captures> {
        // Most paths differ from a pattern in its plain beginning or end.
        let differs = |piece: &Piece, letter: Option<char>| match piece {
            Piece::Letter(wanted) => Some(letter != Some(*wanted)),
            _ => None,
        };
        let mut letters = path.chars();
        let begins = self.pieces.iter().map_while(|piece| differs(piece, letters.next()));
        if begins.into_iter().any(|differs| differs) {
            return None;
        }
        let mut letters = path.chars().rev();
        let ends = self.pieces.iter().rev().map_while(|piece| differs(piece, letters.next()));
        if ends.into_iter().any(|differs| differs) {
            return None;
        }
        let letters: Vec<char> = path.chars().collect();
        let mut captures = Captures::new();
        matches(&self.pieces, &letters, 0, &mut captures).then_some(captures)
    }

    pub(crate) fn of_case(&self, captures: &Captures) -> String {
        let piece = |piece: &Piece| match piece {
            Piece::Letter(letter) => letter.to_string(),
            Piece::Star => "*".to_string(),
            Piece::Capture(word) => {
                captures.get(word).cloned().unwrap_or_else(|| format!("{{{word}}}"))
            }
        };
        self.pieces.iter().map(piece).collect()
    }
}

/// Whether the pieces match the letters from `at` on.
fn matches(pieces: &[Piece], letters: &[char], at: usize, captures: &mut Captures) -> bool {
    let Some((first, rest)) = pieces.split_first() else { return at == letters.len() };
    let within = || letters[at..].iter().take_while(|letter| **letter != '/').count();
    match first {
        Piece::Letter(letter) => {
            letters.get(at) == Some(letter) && matches(rest, letters, at + 1, captures)
        }
        Piece::Star => (0..=within()).any(|length| matches(rest, letters, at + length, captures)),
        Piece::Capture(word) => (1..=within()).any(|length| {
            let end = at + length;
            let is_digit = |at: usize| letters.get(at).is_some_and(char::is_ascii_digit);
            let cuts_a_number = (at > 0 && is_digit(at - 1) && is_digit(at))
                || (is_digit(end - 1) && is_digit(end));
            let text: String = letters[at..end].iter().collect();
            if cuts_a_number || captures.get(word).is_some_and(|other| *other != text) {
                return false;
            }
            let before = captures.insert(word.clone(), text);
            let found = matches(rest, letters, end, captures);
            if !found && before.is_none() {
                captures.remove(word);
            }
            found
        }),
    }
}

/// Whether a name matches a pattern of `*` alone.
pub(crate) fn fits(pattern: &str, name: &str) -> bool {
    let star = |letter: char| match letter {
        '*' => Piece::Star,
        letter => Piece::Letter(letter),
    };
    let pieces: Vec<Piece> = pattern.chars().map(star).collect();
    matches(&pieces, &name.chars().collect::<Vec<_>>(), 0, &mut Captures::new())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_takes_the_files_of_a_case_and_whole_numbers() {
        let case = |pattern: &str, path: &str| {
            let captures = Pattern::read(pattern).unwrap().captures(path)?;
            Some(captures.into_values().collect::<Vec<_>>().join("-"))
        };
        let some = |text: &str| Some(text.to_string());
        assert_eq!(case("input{n}.txt", "input12.txt"), some("12"));
        assert_eq!(case("input{n}.txt", "a/input12.txt"), None);
        assert_eq!(case("output{n}*.txt", "output10.txt"), some("10"));
        assert_eq!(case("output{n}*.txt", "output1-2.txt"), some("1"));
        assert_eq!(case("{n}_input.txt", "7_input.txt"), some("7"));
        assert_eq!(case("in/input{n}", "in/input3"), some("3"));
        assert_eq!(case("{n}/input.txt", "case1/input.txt"), some("case1"));
        assert_eq!(case("set{k}/{n}.in", "set2/7.in"), some("2-7"));
        assert_eq!(case("{n}/{n}.in", "3/4.in"), None);
        for bad in ["", "/etc/x", "../x{n}", "a//b", "{}", "{n", "a{b c}"] {
            assert!(Pattern::read(bad).is_err(), "{bad}");
        }
        assert!(fits("e*", "easy1") && !fits("e*", "hard"));
    }
}
