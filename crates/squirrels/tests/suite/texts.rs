//! Parsers of the homework's and the competition's files, given arbitrary texts.

use engine::{OneRuleSet, Protocol};
use proptest::prelude::*;
use squirrels::{Position, homework};

const BOARDS: &str = "20 16 1 32 30\n20 12 2 11 8\n28 48 9 1 1\n20 12 10 6 2\n25 30 23 21 10\n***X*\n**XO*\n*XXO*\n*****\nO****\n";

proptest! {
    #[test]
    fn a_homework_is_read_or_refused_with_a_line(
        head in proptest::collection::vec("[1-5XO]|[0-9]{1,3}", 1..9),
        cuts in proptest::collection::vec((0.0..1.0, "[0-9XO* \r\n.-]{0,3}"), 0..4),
        anything in "(?s).{0,200}",
    ) {
        let mut text = head.join("\n") + "\n" + BOARDS;
        for (place, put) in cuts {
            let at = (place * text.len() as f64) as usize;
            text.replace_range(at..(at + 1).min(text.len()), &put);
        }
        for text in [text, anything] {
            let _ = homework::is_homework(&text);
            if let Err(error) = homework::read(&text) {
                prop_assert!(error.line >= 1 && error.line <= text.split('\n').count() + 1, "{}", error);
                prop_assert!(!error.to_string().contains(char::is_control));
            }
        }
    }
}

#[test]
fn a_refused_output_with_a_bare_carriage_return_in_its_move_is_told_in_one_line() {
    let position = Position::start(OneRuleSet);
    let error = position
        .read_move("D5\r Sneak\n*****\n*****\n***X*\n*****\n*****\n")
        .unwrap_err()
        .to_string();
    assert!(error.contains("D3 should be *") && !error.contains(char::is_control), "{error:?}");
}
