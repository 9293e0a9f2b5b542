//! The real binary: files, exit codes, messages, and what it leaves behind.

use engine::{OneRuleSet, Protocol};
use foxgeese::Position;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

const START: &str = "    - - -\n    - - -\n- - X - Y - -\na b c d e f g\nh i j k l m n\n    o p q\n    r s t\n";
const FORCED: &str = "    - - -\n    X - -\n- b d - Y - -\na - c - e f g\nh i j k l m n\n    o p q\n    r s t\n";

fn input(control: &str, side: &str, clock: &str, moves: &str, picture: &str) -> String {
    format!("{control}\n{side}\n{clock}\nMOVES {moves}\n{picture}")
}

fn start() -> String {
    input("SINGLE", "GEESE", "0.05", "0", START)
}

/// Runs the agent in a directory with this input.
fn run(input: &[u8], arguments: &[&str]) -> (TempDir, Output) {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("input.txt"), input).unwrap();
    let output = agent(directory.path(), arguments);
    (directory, output)
}

fn agent(directory: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_foxgeese")).args(arguments).current_dir(directory).output().unwrap()
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
    let text = start();
    let lines = text.lines().enumerate().map(|(index, old)| if index + 1 == number { line } else { old });
    lines.collect::<Vec<_>>().join("\n") + "\n"
}

#[test]
fn an_empty_or_short_input_is_refused() {
    assert_refused("", 1, "the end of the file");
    let short: String = start().split_inclusive('\n').take(9).collect();
    assert_refused(short, 10, "the end of the file");
}

#[test]
fn a_bad_header_is_refused_with_its_line() {
    assert_refused(with_line(1, "DOUBLE"), 1, "SINGLE or GAME");
    assert_refused(with_line(2, "WOLVES"), 2, "GEESE or FOXES");
    for time in ["-1", "0", "soon", "", "1e9", "NaN"] {
        assert_refused(with_line(3, time), 3, "a positive number of seconds");
    }
    for moves in ["MOVES", "MOVES -1", "MOVES 100", "MOVES 999", "moves 1", "MOVES +1", "0", "MOVES 1 2"] {
        assert_refused(with_line(4, moves), 4, "0 to 99");
    }
}

#[test]
fn a_bad_row_is_refused_with_its_line() {
    assert_refused(with_line(8, "a b c d e f"), 8, "6 symbols");
    assert_refused(with_line(8, "a b c d e f g h"), 8, "8 symbols");
    assert_refused(with_line(5, "- - - -"), 5, "4 symbols");
    assert_refused(with_line(8, "a b c ? e f g"), 8, "'?'");
    assert_refused(with_line(8, "a b c u e f g"), 8, "'u'");
    assert_refused(with_line(8, "abcdefg"), 8, "'abcdefg'");
}

#[test]
fn pieces_that_are_doubled_or_missing_are_refused() {
    assert_refused(with_line(9, "h i j k l a n"), 9, "a second 'a'");
    assert_refused(with_line(7, "- - X - X - -"), 7, "a second 'X'");
    assert_refused(with_line(7, "- - X - - - -"), 5, "no 'Y'");
    assert_refused(with_line(7, "- - - - Y - -"), 5, "no 'X'");
}

#[test]
fn a_finished_game_is_refused() {
    let few = "a b c\n- - -\n- - X - Y d e\n- - - - - f g\n- - - - - - h\n- - -\n- - -\n";
    assert_refused(input("SINGLE", "GEESE", "1", "30", few), 5, "eight geese or fewer");
    let full = "a b c\nd e f\n- - g h i X Y\n- - - - - - -\n- - - - - - -\n- - -\n- - -\n";
    assert_refused(input("SINGLE", "FOXES", "1", "30", full), 5, "fill the upper square");
    let blocked = "X Y c\na b -\nd e f g h i j\nk l m n o p q\n- - - - - - -\n- - -\n- - -\n";
    assert_refused(input("SINGLE", "FOXES", "1", "30", blocked), 5, "neither fox can move");
}

#[test]
fn text_after_the_board_and_binary_junk_are_refused() {
    assert_refused(start() + "more\n", 12, "the end of the file, found 'more'");
    let junk: Vec<u8> = (0..4_000u32).map(|index| (index * 167 % 251) as u8).collect();
    assert_refused(&junk, 1, "SINGLE or GAME");
}

#[test]
fn an_old_answer_survives_a_bad_input() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("input.txt"), "rubbish").unwrap();
    fs::write(directory.path().join("output.txt"), "du\n").unwrap();
    assert_eq!(agent(directory.path(), &[]).status.code(), Some(2));
    assert_eq!(fs::read_to_string(directory.path().join("output.txt")).unwrap(), "du\n");
}

#[test]
fn a_missing_input_and_an_output_that_cannot_be_written_are_named() {
    let directory = tempfile::tempdir().unwrap();
    let output = agent(directory.path(), &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().starts_with("input.txt: cannot read the position"));

    fs::write(directory.path().join("input.txt"), start()).unwrap();
    fs::create_dir(directory.path().join("output.txt")).unwrap();
    let output = agent(directory.path(), &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().starts_with("output.txt: cannot write the play"));
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 2, "no temporary file is left");
}

#[test]
fn both_sides_answer_whatever_line_ends_margins_and_clock() {
    for side in ["GEESE", "FOXES"] {
        for clock in ["0.0001", "0.01", "0.1"] {
            for control in ["SINGLE", "GAME"] {
                let text = input(control, side, clock, "7", &START.replace("    ", ""));
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
fn the_forced_capture_is_written_in_full() {
    let position = "    - - -\n    X - -\n- - d - Y - -\na b c - e f g\nh i j k l m n\n    o p q\n    r s t\n";
    let (directory, _) = run(input("SINGLE", "FOXES", "0.1", "2", FORCED).as_bytes(), &[]);
    let play = fs::read_to_string(directory.path().join("output.txt")).unwrap();
    assert!(is_legal(&input("SINGLE", "FOXES", "0.1", "2", FORCED), &play), "{play}");
    let (directory, _) = run(input("SINGLE", "FOXES", "0.1", "2", position).as_bytes(), &["--nodes", "500"]);
    let play = fs::read_to_string(directory.path().join("output.txt")).unwrap();
    assert!(is_legal(&input("SINGLE", "FOXES", "0.1", "2", position), &play), "{play}");
}

#[test]
fn a_pipe_serves_as_well_as_files() {
    use std::io::Write;
    let mut child = Command::new(env!("CARGO_BIN_EXE_foxgeese"))
        .args(["--input", "-", "--output", "-", "--nodes", "2000", "--verbose"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(start().as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(is_legal(&start(), &String::from_utf8(output.stdout).unwrap()));
    assert!(String::from_utf8(output.stderr).unwrap().starts_with("depth 1 score "));
}

#[test]
fn every_algorithm_answers_and_repeats_itself_at_a_fixed_depth() {
    for algorithm in ["iterative", "alphabeta", "minimax", "greedy"] {
        let answer = || {
            let (directory, output) = run(start().as_bytes(), &["--algorithm", algorithm, "--depth", "3"]);
            assert_eq!(output.status.code(), Some(0), "{algorithm}");
            fs::read_to_string(directory.path().join("output.txt")).unwrap()
        };
        let play = answer();
        assert!(is_legal(&start(), &play), "{algorithm}: {play}");
        assert_eq!(play, answer(), "{algorithm}");
    }
}

#[test]
fn a_win_in_one_play_is_found_at_the_last_moment() {
    let picture = "a b c\nd e f\n- - g h - X Y\n- - - - i - -\n- - - - - - -\n- - -\n- - -\n";
    let text = input("SINGLE", "GEESE", "0.05", "99", picture);
    let (directory, output) = run(text.as_bytes(), &[]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(fs::read_to_string(directory.path().join("output.txt")).unwrap(), "iu\n");
}

#[test]
fn bad_options_are_refused_with_exit_code_2() {
    for arguments in
        [["--depth", "0"], ["--nodes", "-3"], ["--hash", "0"], ["--rules", "house"], ["--algorithm", "luck"]]
    {
        let (directory, output) = run(start().as_bytes(), &arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
    }
}

#[test]
fn the_help_shows_an_example() {
    let output = agent(Path::new("."), &["--help"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("Example") && text.contains("--nodes") && text.contains("MOVES 0"), "{text}");
}
