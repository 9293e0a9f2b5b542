//! Moves written as one step or a chain of jumps, one line per leg: `E X,Y X,Y` or `J X,Y X,Y`.

use crate::protocol::{Lines, Violation, quote};
use std::fmt::Display;
use std::str::FromStr;

/// One leg of a move: a line of an output file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leg<S> {
    /// Whether the leg is a jump (`J`), not a step (`E`).
    pub is_jump: bool,
    /// The square that the piece leaves.
    pub from: S,
    /// The square that the piece reaches.
    pub to: S,
}

/// Parses the legs of a move, without the rules: one step, or jumps each of which starts where the
/// last one ended. An empty text has no legs.
pub fn read_legs<S: Copy + PartialEq + Display + FromStr<Err: Display>>(
    text: &str,
) -> Result<Vec<Leg<S>>, Violation> {
    let mut lines = Lines::new(text);
    let mut legs: Vec<Leg<S>> = Vec::new();
    while lines.remaining() > 0 {
        let number = lines.number();
        let leg = read_leg(lines.next_line("a move")?)
            .map_err(|message| Violation::format(number, message))?;
        if let Some(before) = legs.last() {
            if !before.is_jump || !leg.is_jump {
                let message = "a step stands alone; only jumps can follow each other";
                return Err(Violation::format(number, message));
            }
            if before.to != leg.from {
                let (from, to) = (leg.from, before.to);
                let message = format!("the jump starts on {from}, but the last one ended on {to}");
                return Err(Violation::format(number, message));
            }
        }
        legs.push(leg);
    }
    Ok(legs)
}

/// Parses one leg. The error says what was expected and found.
pub fn read_leg<S: FromStr<Err: Display>>(line: &str) -> Result<Leg<S>, String> {
    let parts: Vec<&str> = line.split_whitespace().collect();
    let &[kind @ ("E" | "J"), from, to] = &parts[..] else {
        return Err(format!("expected 'E X,Y X,Y' or 'J X,Y X,Y', found {}", quote(line)));
    };
    let square = |text: &str| text.parse().map_err(|error: S::Err| error.to_string());
    Ok(Leg { is_jump: kind == "J", from: square(from)?, to: square(to)? })
}

/// The violation for a leg that the rules do not allow, with its line if the move has several legs.
/// `index` counts from 0.
pub fn illegal_leg<S>(legs: &[Leg<S>], index: usize, reason: String) -> Violation {
    Violation::Illegal(match legs.len() {
        1 => reason,
        _ => format!("line {}: {reason}", index + 1),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<Leg<u32>>, String> {
        read_legs(text).map_err(|violation| violation.to_string())
    }

    #[test]
    fn a_step_stands_alone_and_jumps_follow_each_other() {
        let jump = |from, to| Leg { is_jump: true, from, to };
        assert_eq!(read(""), Ok(vec![]));
        assert_eq!(read("E 1 2\r\n"), Ok(vec![Leg { is_jump: false, from: 1, to: 2 }]));
        assert_eq!(read("J 1 3\nJ 3 5 \n"), Ok(vec![jump(1, 3), jump(3, 5)]));
        for text in ["E 1 2\nE 2 3", "E 1 2\nJ 2 4", "J 1 3\nE 3 4"] {
            let message = "line 2: a step stands alone; only jumps can follow each other";
            assert_eq!(read(text).unwrap_err(), message);
        }
        assert_eq!(
            read("J 1 3\nJ 1 5").unwrap_err(),
            "line 2: the jump starts on 1, but the last one ended on 3"
        );
    }

    #[test]
    fn a_line_of_another_form_is_named() {
        for text in
            ["J 1 3\nK 3 5", "J 1 3\nJ 3", "J 1 3\nJ 3 5 7", "J 1 3\nj 3 5", "J 1 3\n\nJ 3 5"]
        {
            let expected = "line 2: expected 'E X,Y X,Y' or 'J X,Y X,Y', found ";
            assert!(read(text).unwrap_err().starts_with(expected), "{text}");
        }
        assert_eq!(read("E 1 two").unwrap_err(), "line 1: invalid digit found in string");
    }
}
