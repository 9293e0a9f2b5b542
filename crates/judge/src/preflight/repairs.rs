//! Slips in an output file: a refused text is altered in the ways in which students slip, and if that makes it a legal move,
//! the slip is known.

use engine::protocol::quote;

/// A slip, the alteration that undoes it, and what to do about it.
struct Repair {
    undo: fn(&str) -> String,
    mend: &'static str,
}

const REPAIRS: &[Repair] = &[
    Repair { undo: without_marks, mend: "write it without brackets, quotes and blanks inside the coordinates" },
    Repair {
        undo: swapped,
        mend: "perhaps the coordinates are swapped: x is the column and comes first, y the row (rows[y][x])",
    },
    Repair { undo: from_zero, mend: "perhaps the coordinates count from 1: count from 0" },
    Repair { undo: other_kind, mend: "E is a step to a neighbouring square, J is a jump: they are mixed up" },
    Repair { undo: str::to_uppercase, mend: "mind capital and small letters" },
    Repair { undo: capital_first, mend: "mind capital and small letters" },
    Repair { undo: with_step, mend: "begin each line with its kind, E for a step" },
    Repair { undo: with_jump, mend: "begin each line with its kind, J for a jump" },
    Repair { undo: one_jump_a_line, mend: "write each jump of a chain on a line of its own" },
    Repair {
        undo: moves_alone,
        mend: "leave only the move in output.txt; print everything else to standard error (in Python: file=sys.stderr)",
    },
    Repair { undo: first_line, mend: "write one move, one line: the lines after the first do not belong there" },
    Repair {
        undo: last_line,
        mend: "write one move, one line: open the file anew for each move, with 'w' and not 'a'",
    },
    Repair { undo: without_zeros, mend: "write the file as plain ASCII or UTF-8, not as UTF-16 (PowerShell's >)" },
];

/// What to do about a refused output file, if a slip or two slips together explain it. `legal` are the output files of all
/// legal moves, `reads` gives the output file of the legal move that a text names.
pub(super) fn repair(output: &str, legal: &[String], reads: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    let example = |text: &str| format!("as in {}", quote_lines(text));
    for repair in REPAIRS {
        if let Some(right) = reads(&(repair.undo)(output)) {
            return Some(format!("{}, {}", repair.mend, example(&right)));
        }
    }
    if let Some(right) = legal.iter().find(|text| has_ends_of(text, output)) {
        return Some(format!("each jump passes over one piece and has a line of its own, {}", example(right)));
    }
    if let Some(right) = legal.iter().find(|text| text.lines().count() > 1 && first_line(text) == first_line(output)) {
        return Some(format!("the first line is right, the lines after it are not: {}", example(right)));
    }
    for first in REPAIRS {
        for second in REPAIRS {
            if let Some(right) = reads(&(second.undo)(&(first.undo)(output))) {
                return Some(format!("{}; {}, {}", first.mend, second.mend, example(&right)));
            }
        }
    }
    None
}

/// The lines of a text, each in quotes.
fn quote_lines(text: &str) -> String {
    text.lines().map(quote).collect::<Vec<_>>().join(", ")
}

fn each_line(text: &str, alter: impl Fn(&str) -> String) -> String {
    text.lines().map(|line| alter(line) + "\n").collect()
}

fn without_marks(text: &str) -> String {
    let bare: String = text.chars().filter(|symbol| !"()[]{}<>'\";".contains(*symbol)).collect();
    each_line(&bare, |line| line.split_whitespace().collect::<Vec<_>>().join(" ").replace(" ,", ",").replace(", ", ","))
}

/// Each word that is a pair of numbers, altered; a pair that cannot be is left as it is.
fn each_pair(text: &str, alter: impl Fn(i64, i64) -> (i64, i64)) -> String {
    let pair = |word: &str| {
        let (x, y) = word.split_once(',')?;
        let (x, y) = alter(x.parse().ok()?, y.parse().ok()?);
        Some(format!("{x},{y}"))
    };
    each_line(text, |line| {
        line.split_whitespace().map(|word| pair(word).unwrap_or_else(|| word.to_string())).collect::<Vec<_>>().join(" ")
    })
}

fn swapped(text: &str) -> String {
    each_pair(text, |x, y| (y, x))
}

fn from_zero(text: &str) -> String {
    each_pair(text, |x, y| (x.saturating_sub(1), y.saturating_sub(1)))
}

fn other_kind(text: &str) -> String {
    each_line(text, |line| match line.split_at_checked(1) {
        Some(("E", rest)) => format!("J{rest}"),
        Some(("J", rest)) => format!("E{rest}"),
        _ => line.to_string(),
    })
}

fn capital_first(text: &str) -> String {
    each_line(text, |line| {
        let words = line.split_whitespace().map(|word| match word.split_at_checked(1) {
            Some((first, rest)) => first.to_uppercase() + &rest.to_lowercase(),
            None => word.to_string(),
        });
        words.collect::<Vec<_>>().join(" ")
    })
}

fn with_step(text: &str) -> String {
    each_line(text, |line| format!("E {line}"))
}

fn with_jump(text: &str) -> String {
    each_line(text, |line| format!("J {line}"))
}

fn one_jump_a_line(text: &str) -> String {
    let squares: Vec<&str> = text.split_whitespace().filter(|word| word.contains(',')).collect();
    squares.windows(2).map(|pair| format!("J {} {}\n", pair[0], pair[1])).collect()
}

fn moves_alone(text: &str) -> String {
    text.lines()
        .filter(|line| line.starts_with("E ") || line.starts_with("J "))
        .map(|line| format!("{line}\n"))
        .collect()
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().trim().to_string()
}

fn last_line(text: &str) -> String {
    text.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default().to_string()
}

fn without_zeros(text: &str) -> String {
    text.chars().filter(|symbol| !['\0', char::REPLACEMENT_CHARACTER, '\u{feff}'].contains(symbol)).collect()
}

/// Whether a legal chain begins and ends where an output does.
fn has_ends_of(legal: &str, output: &str) -> bool {
    let ends = |text: &str| {
        let squares: Vec<String> =
            text.split_whitespace().filter(|word| word.contains(',')).map(str::to_string).collect();
        Some((squares.first()?.clone(), squares.last()?.clone()))
    };
    legal.lines().count() > 1 && ends(legal).is_some() && ends(legal) == ends(output)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_known_by_the_alteration_that_undoes_it() {
        let legal = ["E 1,2 1,3\n".to_string(), "J 4,4 6,6\nJ 6,6 8,6\n".to_string()];
        let reads = |text: &str| legal.iter().find(|legal| legal.trim_end() == text.trim_end()).cloned();
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
            let found = repair(output, &legal, &reads).unwrap_or_default();
            assert!(found.contains(words), "{output:?}: {found}");
        }
        assert_eq!(repair("E 9,9 7,1\n", &legal, &reads), None);
    }
}
