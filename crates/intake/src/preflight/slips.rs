//! Slips in the format of an output file, found by undoing them: if an altered text is a legal
//! move, the alteration names the slip.

use anygame::AnyPosition;
use engine::protocol::quote;
use std::cell::RefCell;
use std::collections::HashSet;

type Undo = fn(&str) -> String;

/// What undoes each slip, and how to avoid it.
const SLIPS: &[(Undo, &str)] = &[
    (remove_punctuation, "write it without brackets, quotes and blanks inside the coordinates"),
    (
        |text| each_pair(text, |x, y| (y, x)),
        "perhaps the coordinates are swapped: x is the column and comes first, y the row (rows[y][x])",
    ),
    (
        |text| each_pair(text, |x, y| (x.saturating_sub(1), y.saturating_sub(1))),
        "perhaps the coordinates count from 1: count from 0",
    ),
    (
        exchange_step_and_jump,
        "E is a step to a neighbouring square, J is a jump: they are mixed up",
    ),
    (str::to_uppercase, "check capital and small letters"),
    (capitalize, "check capital and small letters"),
    (
        |text| each_line(text, |line| format!("E {line}")),
        "begin each line with its kind, E for a step",
    ),
    (
        |text| each_line(text, |line| format!("J {line}")),
        "begin each line with its kind, J for a jump",
    ),
    (
        keep_move_lines,
        "leave only the move in output.txt; print everything else to standard error (in Python: file=sys.stderr)",
    ),
    (one_jump_a_line, "write each jump of a chain on a line of its own"),
    (first_line, "write one move, one line: the lines after the first do not belong there"),
    (
        |text| text.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default().to_string(),
        "write one move, one line: open the file anew for each move, with 'w' and not 'a'",
    ),
    (remove_utf16_bytes, "write the file as plain ASCII or UTF-8, not as UTF-16 (PowerShell's >)"),
];

/// Returns advice if one slip or two explain the refusal of a file. `legal` are the output files of
/// all legal moves, `reads` gives that of the move that a text names; it is asked once for a text.
pub(super) fn explain_slip(
    output: &str,
    legal: &[String],
    reads: &dyn Fn(&str) -> Option<String>,
) -> Option<String> {
    let tried = RefCell::new(HashSet::from([output.trim_end().to_string()]));
    let reads = |text: String| {
        let is_new = tried.borrow_mut().insert(text.trim_end().to_string());
        is_new.then(|| reads(&text)).flatten()
    };
    let example =
        |text: &str| format!("as in {}", text.lines().map(quote).collect::<Vec<_>>().join(", "));
    for (undo, advice) in SLIPS {
        if let Some(right) = reads(undo(output)) {
            return Some(format!("{advice}, {}", example(&right)));
        }
    }
    let advice = "each jump passes over one piece and has a line of its own,";
    if let Some(right) = legal.iter().find(|text| has_ends_of(text, output)) {
        return Some(format!("{advice} {}", example(right)));
    }
    let begins_like =
        |text: &&String| text.lines().count() > 1 && first_line(text) == first_line(output);
    let advice = "the first line is right, the lines after it are not:";
    if let Some(right) = legal.iter().find(begins_like) {
        return Some(format!("{advice} {}", example(right)));
    }
    for (undo, advice) in SLIPS {
        for (undo_other, other) in SLIPS.iter().filter(|(_, other)| other != advice) {
            if let Some(right) = reads(undo_other(&undo(output))) {
                return Some(format!("{advice}; {other}, {}", example(&right)));
            }
        }
    }
    None
}

fn each_line(text: &str, alter: impl Fn(&str) -> String) -> String {
    text.lines().map(|line| alter(line) + "\n").collect()
}

fn remove_punctuation(text: &str) -> String {
    let bare: String = text.chars().filter(|symbol| !"()[]{}<>'\";".contains(*symbol)).collect();
    each_line(&bare, |line| {
        line.split_whitespace().collect::<Vec<_>>().join(" ").replace(" ,", ",").replace(", ", ",")
    })
}

fn each_pair(text: &str, alter: impl Fn(i64, i64) -> (i64, i64)) -> String {
    let pair = |word: &str| {
        let (x, y) = word.split_once(',')?;
        let (x, y) = alter(x.parse().ok()?, y.parse().ok()?);
        Some(format!("{x},{y}"))
    };
    each_line(text, |line| {
        let words = line.split_whitespace();
        words
            .map(|word| pair(word).unwrap_or_else(|| word.to_string()))
            .collect::<Vec<_>>()
            .join(" ")
    })
}

fn exchange_step_and_jump(text: &str) -> String {
    each_line(text, |line| match line.split_at_checked(1) {
        Some(("E", rest)) => format!("J{rest}"),
        Some(("J", rest)) => format!("E{rest}"),
        _ => line.to_string(),
    })
}

fn capitalize(text: &str) -> String {
    each_line(text, |line| {
        let words = line.split_whitespace().map(|word| match word.split_at_checked(1) {
            Some((first, rest)) => first.to_uppercase() + &rest.to_lowercase(),
            None => word.to_string(),
        });
        words.collect::<Vec<_>>().join(" ")
    })
}

fn one_jump_a_line(text: &str) -> String {
    squares(text).windows(2).map(|pair| format!("J {} {}\n", pair[0], pair[1])).collect()
}

fn keep_move_lines(text: &str) -> String {
    text.lines()
        .filter(|line| line.starts_with("E ") || line.starts_with("J "))
        .map(|line| format!("{line}\n"))
        .collect()
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().trim().to_string()
}

fn remove_utf16_bytes(text: &str) -> String {
    text.chars()
        .filter(|symbol| !['\0', char::REPLACEMENT_CHARACTER, '\u{feff}'].contains(symbol))
        .collect()
}

/// Returns whether a legal chain of jumps begins and ends on the same squares as an output.
fn has_ends_of(legal: &str, output: &str) -> bool {
    let ends = |text: &str| {
        let squares = squares(text);
        Some((squares.first()?.to_string(), squares.last()?.to_string()))
    };
    legal.lines().count() > 1 && ends(legal).is_some() && ends(legal) == ends(output)
}

fn squares(text: &str) -> Vec<&str> {
    text.split_whitespace().filter(|word| word.contains(',')).collect()
}

pub(super) fn outputs(position: &dyn AnyPosition) -> Vec<String> {
    position.legal_moves().into_iter().map(|mv| mv.output).collect()
}

/// Returns advice for a text that is a legal move but for a slip in the format.
pub(super) fn advice_for_slip(position: &dyn AnyPosition, text: &str) -> Option<String> {
    let reads = |text: &str| Some(position.move_in(text).ok()??.output);
    explain_slip(text, &outputs(position), &reads)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_alteration_that_undoes_a_slip_names_it() {
        let legal = ["E 1,2 1,3\n".to_string(), "J 4,4 6,6\nJ 6,6 8,6\n".to_string()];
        let reads =
            |text: &str| legal.iter().find(|legal| legal.trim_end() == text.trim_end()).cloned();
        for (output, words) in [
            ("E (1, 2) (1, 3)\n", "without brackets"),
            ("E 2,1 3,1\n", "coordinates are swapped"),
            ("E 2,3 2,4\n", "count from 0"),
            ("J 1,2 1,3\n", "mixed up"),
            ("e 1,2 1,3\n", "capital"),
            ("1,2 1,3\n", "E for a step"),
            ("J 4,4 6,6 8,6\n", "a line of its own"),
            ("J 4,4 8,6\n", "passes over one piece"),
            ("score 3\nE 1,2 1,3\n", "standard error"),
            ("E 1,2 1,3\nE 1,3 1,4\n", "one move, one line"),
            ("\u{fffd}\u{fffd}E\0 \u{0}1\0,\u{0}2\0 \u{0}1\0,\u{0}3\0\n\0", "UTF-16"),
            ("e 2,1 3,1\n", "; "),
        ] {
            let found = explain_slip(output, &legal, &reads).unwrap_or_default();
            assert!(found.contains(words), "{output:?}: {found}");
        }
        assert_eq!(explain_slip("E 9,9 7,1\n", &legal, &reads), None);
        // Each question may be one to a program: most alterations leave this word as it is.
        let asked = RefCell::new(Vec::new());
        let reads = |text: &str| {
            asked.borrow_mut().push(text.trim_end().to_string());
            None
        };
        assert_eq!(explain_slip("middle", &legal, &reads), None);
        let asked = asked.into_inner();
        assert!(asked.len() < 30 && !asked.contains(&"middle".to_string()), "{asked:?}");
        assert_eq!(asked.iter().collect::<HashSet<_>>().len(), asked.len());
    }
}
