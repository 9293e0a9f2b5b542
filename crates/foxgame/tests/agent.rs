//! The real binary with files: exit codes, messages, and what it leaves behind.

use engine::{OneRuleSet, Protocol};
use foxgame::Position;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

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

/// The start as a line of history.
const START_LINE: &str = "F.F..........SSSSSSSSSSSSSSSSSSSS";

fn run(input: &[u8], arguments: &[&str]) -> (TempDir, Output) {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("input.txt"), input).unwrap();
    let output = agent(directory.path(), arguments);
    (directory, output)
}

fn agent(directory: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_foxgame")).args(arguments).current_dir(directory).output().unwrap()
}

fn is_legal(input: &str, output: &str) -> bool {
    Position::read_task(input, OneRuleSet).unwrap().position.read_play(output).is_ok()
}

/// Line number, and a part of the message.
fn assert_refused(input: impl AsRef<[u8]>, line: usize, part: &str) {
    let (directory, output) = run(input.as_ref(), &[]);
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.starts_with(&format!("input.txt:{line}: expected ")) && message.contains(part), "{message}");
    assert_eq!(message.lines().count(), 1, "{message}");
    assert!(output.stdout.is_empty());
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1, "nothing but the input is there");
}

/// The start with one line replaced; lines count from 1.
fn with_line(number: usize, line: &str) -> String {
    let lines = START.lines().enumerate().map(|(index, old)| if index + 1 == number { line } else { old });
    lines.collect::<Vec<_>>().join("\n") + "\n"
}

#[test]
fn bad_boards_are_refused_with_their_line() {
    assert_refused("", 1, "the end of the file");
    assert_refused(START.replace("FOX", "WOLF"), 2, "FOX or SHEEP");
    assert_refused(START.split_inclusive('\n').take(9).collect::<String>(), 10, "found the end of the file");
    assert_refused(with_line(6, "...X..."), 6, "'X' in column 4");
    assert_refused(with_line(6, "......"), 6, "6 symbols");
    assert_refused(with_line(6, "........"), 6, "8 symbols");
    assert_refused(with_line(6, "#......"), 6, "'#' in column 1");
    assert_refused(with_line(4, ".#F.F##"), 4, "'.' in column 1");
    for time in ["-1", "0", "soon", "", "1e9", "NaN"] {
        assert_refused(with_line(3, time), 3, "a positive number of seconds");
    }
    let junk: Vec<u8> = (0..4_000u32).map(|index| (index * 167 % 251) as u8).collect();
    assert_refused(junk, 1, "SINGLE or GAME");
    assert_refused([0xff, 0xfe, 0x00, 0x0a], 1, "SINGLE or GAME");
}

#[test]
fn boards_that_no_game_reaches_or_where_it_is_over_are_refused() {
    assert_refused(with_line(6, "F......"), 4, "1 to 2 foxes, found 3");
    assert_refused(with_line(4, "##...##"), 4, "1 to 2 foxes, found 0: the game is over");
    assert_refused(with_line(6, "S......"), 4, "9 to 20 sheep, found 21");
    assert_refused(
        with_line(7, ".......").replace("SSSSSSS", "SS....."),
        4,
        "9 to 20 sheep, found 8: the game is over",
    );
    let full = "SINGLE\nFOX\n1\n##SSS##\n##SSS##\nF.SSS..\n.......\n.......\n##...##\n##...##\n";
    assert_refused(full, 4, "a game that is over: the pen is full");
    let shut_in = "SINGLE\nFOX\n1\n##FSS##\n##SSS##\n..S.S..\n.......\n...S...\n##SSS##\n##...##\n";
    assert_refused(shut_in, 4, "one where no fox can move");
    let no_step = "SINGLE\nSHEEP\n1\n##SSS##\n##SSS##\n...FSSS\n.......\n.......\n##...##\n##...##\n";
    assert_refused(no_step, 4, "a game that is over: no sheep can move");
}

#[test]
fn bad_histories_are_refused_with_their_line() {
    let moved = START.replace("FOX", "SHEEP").replace("##F.F##\n##...##", "##.FF##\n##...##");
    let with = |history: &str| format!("{moved}{history}\n");
    assert!(Position::read_task(&with(START_LINE), OneRuleSet).is_ok());
    assert_refused(with("more"), 11, "an earlier board of 33 symbols");
    assert_refused(with(&START_LINE[1..]), 11, "32 symbols");
    assert_refused(with(&format!("{START_LINE}.")), 11, "34 symbols");
    assert_refused(with(&START_LINE.replacen("..", "S.", 1)), 11, "21 sheep");
    assert_refused(with(&START_LINE.replacen("..", "F.", 1)), 11, "1 or 2 foxes, found 3");
    assert_refused(with(&format!("{START_LINE}\n.FF..........SSSSSSSSSSSSSSSSSSSS")), 12, "the same board");
    // A sheep that stood further ahead, and a fox that was not there.
    let ahead = "F.F...S.......SSSSSSSSSSSSSSSSSSS";
    assert_refused(with(ahead), 11, "one with a sheep ahead of it");
    assert_refused(with(&format!("{ahead}\n{START_LINE}")), 12, "a sheep that went back");
    assert_refused(with(&START_LINE.replacen('F', ".", 1)), 11, "a fox missing");
}

#[test]
fn a_play_that_repeats_a_board_of_the_history_loses_and_is_avoided() {
    // A fox that is nearly shut in has two points to go to.
    let board = "##F..##\n##SSS##\nSSSSSSS\nSSSSSSS\n.......\n##...##\n##...##\n";
    let moved = "##.F.##\n##SSS##\nSSSSSSS\nSSSSSS.\n......S\n##...##\n##...##\n";
    let line = |text: &str| text.replace(['#', '\n'], "");
    let input = format!("SINGLE\nFOX\n0.1\n{}{}\n", board.replace("F..", ".F."), line(board));
    let task = Position::read_task(&input, OneRuleSet).unwrap();
    assert_eq!(task.position.history().len(), 1);
    let mut after = task.position.clone();
    let back = after.read_play("E 3,0 2,0").unwrap();
    engine::Game::play(&mut after, back);
    assert_eq!(after.ending().map(|ending| ending.reason()), Some("FOX repeated a board (deadlock)"));
    let (directory, output) = run(input.as_bytes(), &["--depth", "1"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(fs::read_to_string(directory.path().join("output.txt")).unwrap(), "E 3,0 4,0\n");
    // The same sheep a row further down: they may have come from there, but cannot be there again.
    let input = format!("SINGLE\nFOX\n0.1\n{}{}\n", board.replace("F..", ".F."), line(moved));
    assert!(Position::read_task(&input, OneRuleSet).unwrap().position.fresh_history().is_empty());
}

#[test]
fn an_old_answer_survives_a_bad_input() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("input.txt"), "rubbish").unwrap();
    fs::write(directory.path().join("output.txt"), "E 0,2 1,2\n").unwrap();
    assert_eq!(agent(directory.path(), &[]).status.code(), Some(2));
    assert_eq!(fs::read_to_string(directory.path().join("output.txt")).unwrap(), "E 0,2 1,2\n");
}

#[test]
fn a_missing_input_and_an_output_that_cannot_be_written_are_named() {
    let directory = tempfile::tempdir().unwrap();
    let output = agent(directory.path(), &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().starts_with("input.txt: cannot read the position"));
    fs::write(directory.path().join("input.txt"), START).unwrap();
    fs::create_dir(directory.path().join("output.txt")).unwrap();
    let output = agent(directory.path(), &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().starts_with("output.txt: cannot write the play"));
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 2, "no temporary file is left");
}

#[test]
fn a_good_input_gets_a_legal_play_whatever_its_line_ends_and_clock() {
    for side in ["FOX", "SHEEP"] {
        for clock in ["0.0001", "0.01", "0.1"] {
            for control in ["SINGLE", "GAME"] {
                let board: String = START.split_inclusive('\n').skip(3).collect();
                let text = format!("{control}\n{side}\n{clock}\n{board}");
                let (directory, output) = run(text.replace('\n', " \r\n").as_bytes(), &[]);
                assert_eq!(output.status.code(), Some(0));
                let play = fs::read_to_string(directory.path().join("output.txt")).unwrap();
                assert!(is_legal(&text, &play), "{play}");
                assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 2);
            }
        }
    }
}

#[test]
fn every_algorithm_answers_and_repeats_itself_at_a_fixed_depth() {
    for algorithm in ["iterative", "alphabeta", "minimax", "greedy"] {
        let answer = || {
            let (directory, output) = run(START.as_bytes(), &["--algorithm", algorithm, "--depth", "3"]);
            assert_eq!(output.status.code(), Some(0), "{algorithm}");
            fs::read_to_string(directory.path().join("output.txt")).unwrap()
        };
        let play = answer();
        assert!(is_legal(START, &play), "{algorithm}: {play}");
        assert_eq!(play, answer(), "{algorithm}");
    }
}

#[test]
fn bad_options_are_refused_with_exit_code_2() {
    for arguments in [["--depth", "0"], ["--nodes", "-3"], ["--hash", "0"], ["--algorithm", "luck"]] {
        let (directory, output) = run(START.as_bytes(), &arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
    }
}

#[test]
fn the_help_shows_an_example() {
    let text = String::from_utf8(agent(Path::new("."), &["--help"]).stdout).unwrap();
    assert!(text.contains("Example") && text.contains("--nodes"), "{text}");
}
