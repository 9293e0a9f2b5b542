//! Tests of the agent's binary in the file mode: exit codes, messages, output files.

use engine::conformance::AgentUnderTest;
use engine::{OneRuleSet, Protocol};
use foxgame::rules::FOX;
use foxgame::{Ending, Position};

const START: &str = "\
SINGLE
FOX
0.05
##F.F##
##...##
.......
SSSSSSS
SSSSSSS
##SSS##
##SSS##
";

/// The starting board as a history line.
const START_LINE: &str = "F.F..........SSSSSSSSSSSSSSSSSSSS";

fn agent() -> AgentUnderTest<'static> {
    AgentUnderTest {
        after_the_board: "an earlier board of 33 symbols",
        ..AgentUnderTest::new(env!("CARGO_BIN_EXE_foxgame"), START)
    }
}

engine::agent_tests!(agent(), Position);

#[test]
fn bad_boards_are_refused_with_their_line() {
    for (number, row, line, part) in [
        (6, "...X...", 6, "'X' in column 4"),
        (6, "......", 6, "6 symbols"),
        (6, "........", 6, "8 symbols"),
        (6, "#......", 6, "'#' in column 1"),
        (4, ".#F.F##", 4, "'.' in column 1"),
        (6, "F......", 4, "1 to 2 foxes, found 3"),
        (4, "##...##", 4, "1 to 2 foxes, found 0: the game is over"),
        (6, "S......", 4, "9 to 20 sheep, found 21"),
    ] {
        agent().refuses(agent().with_line(number, row), line, part);
    }
}

#[test]
fn boards_where_the_game_is_over_are_refused() {
    agent().refuses(
        agent().with_line(7, ".......").replace("SSSSSSS", "SS....."),
        4,
        "9 to 20 sheep, found 8: the game is over",
    );
    let full = "SINGLE\nFOX\n1\n##SSS##\n##SSS##\nF.SSS..\n.......\n.......\n##...##\n##...##\n";
    agent().refuses(full, 4, "a game that is over: the pen is full");
    let shut_in = "SINGLE\nFOX\n1\n##FSS##\n##SSS##\n..S.S..\n.......\n...S...\n##SSS##\n##...##\n";
    agent().refuses(shut_in, 4, "one where no fox can move");
    let no_step =
        "SINGLE\nSHEEP\n1\n##SSS##\n##SSS##\n...FSSS\n.......\n.......\n##...##\n##...##\n";
    agent().refuses(no_step, 4, "a game that is over: no sheep can move");
}

#[test]
fn bad_histories_are_refused_with_their_line() {
    let moved = START.replace("FOX", "SHEEP").replace("##F.F##\n##...##", "##.FF##\n##...##");
    let with = |history: &str| format!("{moved}{history}\n");
    assert!(Position::read_task(&with(START_LINE), OneRuleSet).is_ok());
    agent().refuses(with("more"), 11, "an earlier board of 33 symbols");
    agent().refuses(with(&START_LINE[1..]), 11, "32 symbols");
    agent().refuses(with(&format!("{START_LINE}.")), 11, "34 symbols");
    agent().refuses(with(&START_LINE.replacen("..", "S.", 1)), 11, "21 sheep");
    agent().refuses(with(&START_LINE.replacen("..", "F.", 1)), 11, "1 or 2 foxes, found 3");
    agent().refuses(
        with(&format!("{START_LINE}\n.FF..........SSSSSSSSSSSSSSSSSSSS")),
        12,
        "the same board",
    );
    // A history board with a sheep further ahead than now, and one with a fox fewer than now.
    let ahead = "F.F...S.......SSSSSSSSSSSSSSSSSSS";
    agent().refuses(with(ahead), 11, "one with a sheep ahead of it");
    agent().refuses(with(&format!("{ahead}\n{START_LINE}")), 12, "a sheep that went back");
    agent().refuses(with(&START_LINE.replacen('F', ".", 1)), 11, "a fox missing");
}

#[test]
fn a_move_that_repeats_a_board_of_the_history_loses_and_is_avoided() {
    // The fox is nearly shut in and has two points to go to.
    let board = "##F..##\n##SSS##\nSSSSSSS\nSSSSSSS\n.......\n##...##\n##...##\n";
    let moved = "##.F.##\n##SSS##\nSSSSSSS\nSSSSSS.\n......S\n##...##\n##...##\n";
    let line = |text: &str| text.replace(['#', '\n'], "");
    let input = format!("SINGLE\nFOX\n0.1\n{}{}\n", board.replace("F..", ".F."), line(board));
    let task = Position::read_task(&input, OneRuleSet).unwrap();
    assert_eq!(task.position.history().len(), 1);
    let back = task.position.read_move("E 3,0 2,0").unwrap();
    let ending = engine::Game::after(&task.position, back).ending();
    assert_eq!(ending, Some(Ending::Deadlock { mover: FOX }));
    assert_eq!(agent().answer(&input, &["--depth", "1"]), "E 3,0 4,0\n");
    // The history board has a sheep a row further down: no move can bring it back.
    let input = format!("SINGLE\nFOX\n0.1\n{}{}\n", board.replace("F..", ".F."), line(moved));
    assert!(Position::read_task(&input, OneRuleSet).unwrap().position.fresh_history().is_empty());
}
