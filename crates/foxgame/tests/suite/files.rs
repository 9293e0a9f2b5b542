//! Tests of the file formats: moves written and parsed back, and the reasons for refusals.

use engine::protocol::quote;
use engine::{OneRuleSet, Protocol};
use foxgame::Position;
use proptest::prelude::*;

fn position(side: &str, rows: [&str; 7]) -> Position {
    Position::read_task(&format!("SINGLE\n{side}\n1\n{}\n", rows.join("\n")), OneRuleSet)
        .unwrap()
        .position
}

/// A position with a fox that can jump twice and a fox that can only step.
fn chain(side: &str) -> Position {
    position(side, ["##F..##", "##...##", "..FS...", "....S..", "S.....S", "##SSS##", "##SSS##"])
}

#[test]
fn a_step_is_written_as_e_and_a_chain_as_one_j_a_jump() {
    let position = chain("FOX");
    let mv = position.read_move("J 2,2 4,2\nJ 4,2 4,4\n").unwrap();
    assert_eq!(mv.captured.len(), 2);
    assert_eq!(position.write_move(mv), "J 2,2 4,2\nJ 4,2 4,4\n");
    assert_eq!(position.describe_move(mv), "2,2x4,2x4,4");
    let step = position.read_move("E 2,0 3,1").unwrap();
    assert_eq!(
        (position.write_move(step), position.describe_move(step)),
        ("E 2,0 3,1\n".into(), "2,0-3,1".into())
    );
    assert_eq!(
        position.read_move("J  2,2   4,2 \r\n\r\n").map(|mv| mv.to),
        Ok("4,2".parse().unwrap())
    );
}

#[test]
fn refusals_name_the_line_and_the_reason() {
    let cases = [
        ("FOX", "", "line 1: expected a move such as"),
        ("FOX", "E 2,0 3,0 4,0", "line 1: expected 'E X,Y X,Y'"),
        ("FOX", "e 2,0 3,0", "line 1: expected 'E X,Y X,Y'"),
        (
            "FOX",
            "E 2,0 1,0",
            "line 1: expected a point X,Y of the board, both from 0 to 6, found '1,0'",
        ),
        (
            "FOX",
            "E 2,0 7,0",
            "line 1: expected a point X,Y of the board, both from 0 to 6, found '7,0'",
        ),
        ("FOX", "E 2,0 3,0\nE 3,0 4,0", "line 2: a step stands alone"),
        ("FOX", "J 2,2 4,2\nE 4,2 4,1", "line 2: a step stands alone"),
        (
            "FOX",
            "J 2,2 4,2\nJ 2,2 4,2",
            "line 2: the jump starts on 2,2, but the last one ended on 4,2",
        ),
        (
            "FOX",
            "E 0,4 0,3",
            "illegal move: the piece on 0,4 belongs to SHEEP, and it is FOX's turn",
        ),
        ("FOX", "E 3,3 3,4", "illegal move: FOX has no piece on 3,3"),
        ("FOX", "E 2,2 3,2", "illegal move: 3,2 is occupied"),
        ("FOX", "E 2,2 4,4", "illegal move: no line joins 2,2 to 4,4"),
        ("FOX", "J 2,2 2,4", "illegal move: there is no sheep on 2,3 to jump over"),
        ("FOX", "J 2,2 4,1", "illegal move: 4,1 is not two points from 2,2 along a straight line"),
        (
            "FOX",
            "J 2,2 4,2\nJ 4,2 6,2",
            "illegal move: line 2: there is no sheep on 5,2 to jump over",
        ),
        (
            "FOX",
            "J 2,2 4,2\nJ 4,2 2,2",
            "illegal move: line 2: there is no sheep on 3,2 to jump over",
        ),
        ("SHEEP", "E 4,3 4,4", "illegal move: sheep do not go back, as from 4,3 to 4,4"),
        ("SHEEP", "E 4,3 3,2", "illegal move: 3,2 is occupied"),
        ("SHEEP", "E 4,3 5,2", "illegal move: no line joins 4,3 to 5,2"),
        (
            "SHEEP",
            "E 2,2 2,1",
            "illegal move: the piece on 2,2 belongs to FOX, and it is SHEEP's turn",
        ),
        ("SHEEP", "J 3,5 3,3", "illegal move: sheep do not jump"),
    ];
    for (side, text, expected) in cases {
        let message = chain(side).read_move(text).expect_err(text).to_string();
        assert!(message.starts_with(expected), "{}: {message}", quote(text));
    }
    let rows = ["##...##", "##...##", ".......", "SSSSSSS", "SSSF.SS", "##SSS##", "##S.S##"];
    let message = position("FOX", rows)
        .read_move("J 3,4 5,2")
        .expect_err("a diagonal without a line")
        .to_string();
    assert_eq!(message, "illegal move: no line joins 3,4 to 4,3");
}

#[test]
fn the_picture_marks_the_last_move() {
    let mut position = chain("FOX");
    let mv = position.read_move("J 2,2 4,2\nJ 4,2 4,4\n").unwrap();
    engine::Game::play(&mut position, mv);
    let expected = "    0 1 2 3 4 5 6\n  0     F . .\n  1     . . .\n  2 . . o x . . .\n  3 . . . . x . .\n  4 S . . .>F . S\n  5     S S S\n  6     S S S\n";
    assert_eq!(position.picture(Some(mv)), expected);
}

proptest! {
    #[test]
    fn boards_of_the_right_alphabet_are_read_or_refused_with_a_line(
        rows in proptest::collection::vec("[FSSS..]{7}", 7),
        history in proptest::collection::vec("[FSSS..]{33}", 0..4),
    ) {
        let corners = |(y, row): (usize, &String)| match y {
            2..=4 => row.clone(),
            _ => format!("##{}##", &row[2..5]),
        };
        let board: Vec<String> = rows.iter().enumerate().map(corners).collect();
        let text = format!("GAME\nSHEEP\n2\n{}\n{}\n", board.join("\n"), history.join("\n"));
        match Position::read_task(&text, OneRuleSet) {
            Ok(task) => prop_assert!(Position::write_task(&task).lines().count() >= 10),
            Err(error) => prop_assert!(error.line >= 4 && error.line <= 15, "{}", error),
        }
    }
}

#[test]
fn any_text_is_refused_or_read_as_a_position_that_keeps_its_promises() {
    engine::conformance::any_texts::<Position>(600);
}
