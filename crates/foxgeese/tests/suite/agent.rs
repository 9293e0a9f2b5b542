//! Tests of the real binary: files, exit codes, messages, and the files that it leaves.

use engine::conformance::{AgentUnderTest, assert_legal};
use foxgeese::Position;

const START: &str =
    "    - - -\n    - - -\n- - X - Y - -\na b c d e f g\nh i j k l m n\n    o p q\n    r s t\n";
const FORCED: &str =
    "    - - -\n    X - -\n- b d - Y - -\na - c - e f g\nh i j k l m n\n    o p q\n    r s t\n";

fn input(control: &str, side: &str, clock: &str, moves: &str, picture: &str) -> String {
    format!("{control}\n{side}\n{clock}\nMOVES {moves}\n{picture}")
}

fn start() -> String {
    input("SINGLE", "GEESE", "0.05", "0", START)
}

fn agent() -> AgentUnderTest<'static> {
    AgentUnderTest::new(env!("CARGO_BIN_EXE_foxgeese"), start())
}

engine::agent_tests!(agent(), Position);

#[test]
fn a_bad_header_is_refused_with_its_line() {
    agent().refuses(agent().with_line(2, "WOLVES"), 2, "GEESE or FOXES");
    for moves in
        ["MOVES", "MOVES -1", "MOVES 100", "MOVES 999", "moves 1", "MOVES +1", "0", "MOVES 1 2"]
    {
        agent().refuses(agent().with_line(4, moves), 4, "0 to 99");
    }
}

#[test]
fn a_bad_row_is_refused_with_its_line() {
    agent().refuses(agent().with_line(8, "a b c d e f"), 8, "6 symbols");
    agent().refuses(agent().with_line(8, "a b c d e f g h"), 8, "8 symbols");
    agent().refuses(agent().with_line(5, "- - - -"), 5, "4 symbols");
    agent().refuses(agent().with_line(8, "a b c ? e f g"), 8, "'?'");
    agent().refuses(agent().with_line(8, "a b c u e f g"), 8, "'u'");
    agent().refuses(agent().with_line(8, "abcdefg"), 8, "'abcdefg'");
}

#[test]
fn pieces_that_are_doubled_or_missing_are_refused() {
    agent().refuses(agent().with_line(9, "h i j k l a n"), 9, "a second 'a'");
    agent().refuses(agent().with_line(7, "- - X - X - -"), 7, "a second 'X'");
    agent().refuses(agent().with_line(7, "- - X - - - -"), 5, "no 'Y'");
    agent().refuses(agent().with_line(7, "- - - - Y - -"), 5, "no 'X'");
}

#[test]
fn a_finished_game_is_refused() {
    let few = "a b c\n- - -\n- - X - Y d e\n- - - - - f g\n- - - - - - h\n- - -\n- - -\n";
    agent().refuses(input("SINGLE", "GEESE", "1", "30", few), 5, "only 8 geese are left");
    let full = "a b c\nd e f\n- - g h i X Y\n- - - - - - -\n- - - - - - -\n- - -\n- - -\n";
    agent().refuses(input("SINGLE", "FOXES", "1", "30", full), 5, "the upper square is full");
    let blocked = "X Y c\na b -\nd e f g h i j\nk l m n o p q\n- - - - - - -\n- - -\n- - -\n";
    agent().refuses(input("SINGLE", "FOXES", "1", "30", blocked), 5, "no fox can move");
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
        let input = input("SINGLE", "FOXES", "0.1", "2", picture);
        assert_legal::<Position>(&input, &agent().answer(&input, arguments));
    }
}

#[test]
fn a_win_in_one_move_is_found_at_the_last_moment() {
    let picture = "a b c\nd e f\n- - g h - X Y\n- - - - i - -\n- - - - - - -\n- - -\n- - -\n";
    let text = input("SINGLE", "GEESE", "0.05", "99", picture);
    assert_eq!(agent().answer(text, &[]), "iu\n");
}

#[test]
fn the_help_shows_an_input() {
    let help = agent().run("", &["--help"]).1.stdout;
    assert!(help.contains("MOVES 0"), "{help}");
}
