//! Tests of the real binary: files, exit codes, messages.

use engine::conformance::{AgentUnderTest, assert_legal};
use foxgeese::Position;

const START: &str =
    "    - - -\n    - - -\n- - X - Y - -\na b c d e f g\nh i j k l m n\n    o p q\n    r s t\n";
const FORCED: &str =
    "    - - -\n    X - -\n- b d - Y - -\na - c - e f g\nh i j k l m n\n    o p q\n    r s t\n";

fn input(side: &str, moves: &str, picture: &str) -> String {
    format!("SINGLE\n{side}\n0.05\nMOVES {moves}\n{picture}")
}

fn agent() -> AgentUnderTest<'static> {
    AgentUnderTest::new(env!("CARGO_BIN_EXE_foxgeese"), input("GEESE", "0", START))
}

engine::agent_tests!(agent(), Position);

#[test]
fn a_bad_header_is_refused_with_its_line() {
    for moves in
        ["MOVES", "MOVES -1", "MOVES 100", "MOVES 999", "moves 1", "MOVES +1", "0", "MOVES 1 2"]
    {
        agent().refuses(agent().with_line(4, moves), 4, "0 to 99");
    }
}

#[test]
fn a_bad_row_is_refused_with_its_line() {
    for (number, row, line, part) in [
        (8, "a b c d e f", 8, "6 symbols"),
        (8, "a b c d e f g h", 8, "8 symbols"),
        (5, "- - - -", 5, "4 symbols"),
        (8, "a b c ? e f g", 8, "'?'"),
        (8, "a b c u e f g", 8, "'u'"),
        (8, "abcdefg", 8, "'abcdefg'"),
        (9, "h i j k l a n", 9, "a second 'a'"),
        (7, "- - X - X - -", 7, "a second 'X'"),
        (7, "- - X - - - -", 5, "no 'Y'"),
        (7, "- - - - Y - -", 5, "no 'X'"),
    ] {
        agent().refuses(agent().with_line(number, row), line, part);
    }
}

#[test]
fn a_finished_game_is_refused() {
    let few = "a b c\n- - -\n- - X - Y d e\n- - - - - f g\n- - - - - - h\n- - -\n- - -\n";
    agent().refuses(input("GEESE", "30", few), 5, "only 8 geese are left");
    let full = "a b c\nd e f\n- - g h i X Y\n- - - - - - -\n- - - - - - -\n- - -\n- - -\n";
    agent().refuses(input("FOXES", "30", full), 5, "the upper square is full");
    let blocked = "X Y c\na b -\nd e f g h i j\nk l m n o p q\n- - - - - - -\n- - -\n- - -\n";
    agent().refuses(input("FOXES", "30", blocked), 5, "no fox can move");
}

#[test]
fn boards_without_margins_are_answered_too() {
    agent().answers_for_either_side_and_every_clock::<Position>(&format!(
        "MOVES 7\n{}",
        START.replace("    ", "")
    ));
}

#[test]
fn the_forced_capture_is_written_in_full() {
    let position =
        "    - - -\n    X - -\n- - d - Y - -\na b c - e f g\nh i j k l m n\n    o p q\n    r s t\n";
    for (picture, arguments) in [(FORCED, &[][..]), (position, &["--nodes", "500"])] {
        let input = input("FOXES", "2", picture);
        assert_legal::<Position>(&input, &agent().answer(&input, arguments));
    }
}

#[test]
fn a_win_in_one_move_is_found_at_the_last_moment() {
    let picture = "a b c\nd e f\n- - g h - X Y\n- - - - i - -\n- - - - - - -\n- - -\n- - -\n";
    assert_eq!(agent().answer(input("GEESE", "99", picture), &[]), "iu\n");
}
