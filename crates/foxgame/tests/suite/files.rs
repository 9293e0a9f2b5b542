//! Tests of the file formats: moves written and parsed back, and the reasons for refusals.

use engine::protocol::quote;
use engine::{OneRuleSet, Protocol};
use foxgame::Position;

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
    assert_eq!(position.write_move(step), "E 2,0 3,1\n");
    assert_eq!(position.describe_move(step), "2,0-3,1");
    assert_eq!(position.read_move("E  2,0   3,1 \r\n\r\n"), Ok(step));
}

#[test]
fn refusals_name_the_line_and_the_reason() {
    let cases = [
        ("FOX", "", "line 1: expected a move such as"),
        ("FOX", "E 2,0 3,0 4,0", "line 1: expected 'E X,Y X,Y'"),
        ("FOX", "E 2,0 1,0", "line 1: expected a point X,Y of the board, both from 0 to 6"),
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
        ("SHEEP", "E 4,3 4,4", "illegal move: sheep do not go back, as from 4,3 to 4,4"),
        ("SHEEP", "E 4,3 3,2", "illegal move: 3,2 is occupied"),
        ("SHEEP", "E 4,3 5,2", "illegal move: no line joins 4,3 to 5,2"),
        ("SHEEP", "J 3,5 3,3", "illegal move: sheep do not jump"),
    ];
    for (side, text, expected) in cases {
        let message = chain(side).read_move(text).expect_err(text).to_string();
        assert!(message.starts_with(expected), "{}: {message}", quote(text));
    }
    let rows = ["##...##", "##...##", ".......", "SSSSSSS", "SSSF.SS", "##SSS##", "##S.S##"];
    let refusal = position("FOX", rows).read_move("J 3,4 5,2").unwrap_err();
    assert_eq!(refusal.to_string(), "illegal move: no line joins 3,4 to 4,3");
}

#[test]
fn the_picture_marks_the_last_move() {
    let mut position = chain("FOX");
    let mv = position.read_move("J 2,2 4,2\nJ 4,2 4,4\n").unwrap();
    engine::Game::play(&mut position, mv);
    let expected = "    0 1 2 3 4 5 6\n  0     F . .\n  1     . . .\n  2 . . o x . . .\n  3 . . . . x . .\n  4 S . . .>F . S\n  5     S S S\n  6     S S S\n";
    assert_eq!(position.picture(Some(mv)), expected);
}

#[test]
fn any_text_is_refused_or_read_as_a_position_that_keeps_its_promises() {
    engine::conformance::any_texts::<Position>(600);
}
