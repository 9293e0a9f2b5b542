//! Tests of the agent's binary: files, exit codes, messages, and what it leaves behind.

use engine::Protocol;
use engine::conformance::AgentUnderTest;
use halma::{Position, Rules};

const EMPTY_ROW: &str = "................\n";

fn start() -> String {
    let task = engine::Task {
        position: Position::start(Rules::Addendum),
        control: engine::TimeControl::Single,
        clock: std::time::Duration::from_millis(50),
    };
    Position::write_task(&task)
}

fn agent() -> AgentUnderTest<'static> {
    AgentUnderTest::new(env!("CARGO_BIN_EXE_halma"), start())
}

engine::agent_tests!(agent(), Position);

#[test]
fn a_wrong_letter_is_refused_with_its_column() {
    agent().refuses(agent().with_line(9, "......X........."), 9, "'X' in column 7");
}

#[test]
fn a_row_that_is_too_short_or_too_long_is_refused() {
    agent().refuses(agent().with_line(9, "..............."), 9, "15 symbols");
    agent().refuses(agent().with_line(9, "................."), 9, "17 symbols");
}

#[test]
fn twenty_pieces_are_refused() {
    agent().refuses(
        agent().with_line(10, "B..............."),
        10,
        "at most 19 pieces of BLACK, found the 20th",
    );
}

#[test]
fn a_side_without_pieces_is_refused() {
    let text = start().replace('W', ".").replace(".HITE", "WHITE");
    agent().refuses(text, 4, "1 to 19 pieces of WHITE, found none");
}

#[test]
fn a_won_board_is_refused() {
    // White fills the top-left camp; Black is on its way.
    let camp: String =
        start().lines().skip(3).take(8).map(|row| row.replace('B', "W") + "\n").collect();
    let rest = "......BBB.......\n".to_string() + &EMPTY_ROW.repeat(7);
    let swapped = camp + &rest;
    for side in ["WHITE", "BLACK"] {
        agent().refuses(
            format!("SINGLE\n{side}\n5\n{swapped}"),
            4,
            "one that WHITE has already won",
        );
    }
}

#[test]
fn a_win_in_one_move_is_found() {
    // All of White's pieces but one are in the target, and the last is one step away.
    let rows = ["WWWWW", "WWWWW", "WWW.", "WWW.W", "WW"];
    let mut text = String::from("SINGLE\nWHITE\n1\n");
    for row in rows {
        text.push_str(&format!("{row:.<16}\n"));
    }
    text.push_str(&EMPTY_ROW.repeat(9));
    text.push_str("..............BB\n.............BBB\n");
    assert_eq!(agent().answer(&text, &["--verbose"]), "E 4,3 3,2\n");
}

#[test]
fn the_help_names_the_rule_sets() {
    let help = agent().run("", &["--help"]).1.stdout;
    assert!(help.contains("base, addendum"), "{help}");
}
