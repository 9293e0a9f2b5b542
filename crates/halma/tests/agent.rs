//! The real binary: files, exit codes, messages, and what it leaves behind.

use engine::Protocol;
use halma::{Position, Rules};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

const EMPTY_ROW: &str = "................\n";

fn start() -> String {
    let task = engine::Task {
        position: Position::start(Rules::Addendum),
        control: engine::TimeControl::Single,
        clock: std::time::Duration::from_millis(50),
    };
    Position::write_task(&task)
}

/// Runs the agent in a directory with this input.
fn run(input: &[u8], arguments: &[&str]) -> (TempDir, Output) {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("input.txt"), input).unwrap();
    let output = agent(directory.path(), arguments);
    (directory, output)
}

fn agent(directory: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_halma")).args(arguments).current_dir(directory).output().unwrap()
}

fn is_legal(input: &str, output: &str) -> bool {
    Position::read_task(input, Rules::Addendum).unwrap().position.read_play(output).is_ok()
}

/// Line number, and a part of the message.
fn assert_refused(input: &[u8], line: usize, part: &str) {
    let (directory, output) = run(input, &[]);
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
fn an_empty_input_is_refused() {
    assert_refused(b"", 1, "the end of the file");
}

#[test]
fn a_short_board_is_refused() {
    let text: String = start().split_inclusive('\n').take(18).collect();
    assert_refused(text.as_bytes(), 19, "found the end of the file");
}

#[test]
fn a_wrong_letter_is_refused_with_its_column() {
    assert_refused(with_line(9, "......X.........").as_bytes(), 9, "'X' in column 7");
}

#[test]
fn a_row_that_is_too_short_or_too_long_is_refused() {
    assert_refused(with_line(9, "...............").as_bytes(), 9, "15 symbols");
    assert_refused(with_line(9, ".................").as_bytes(), 9, "17 symbols");
}

#[test]
fn a_time_that_is_not_positive_is_refused() {
    for time in ["-1", "0", "soon", "", "1e9", "NaN"] {
        assert_refused(with_line(3, time).as_bytes(), 3, "a positive number of seconds");
    }
}

#[test]
fn twenty_pieces_are_refused() {
    assert_refused(with_line(10, "B...............").as_bytes(), 10, "at most 19 pieces of BLACK, found the 20th");
}

#[test]
fn a_side_without_pieces_is_refused() {
    let text = start().replace('W', ".").replace(".HITE", "WHITE");
    assert_refused(text.as_bytes(), 4, "1 to 19 pieces of WHITE, found none");
}

#[test]
fn a_won_board_is_refused() {
    // White fills the top-left camp; Black is on its way.
    let camp: String = start().lines().skip(3).take(8).map(|row| row.replace('B', "W") + "\n").collect();
    let rest = "......BBB.......\n".to_string() + &EMPTY_ROW.repeat(7);
    let swapped = camp + &rest;
    for side in ["WHITE", "BLACK"] {
        assert_refused(format!("SINGLE\n{side}\n5\n{swapped}").as_bytes(), 4, "one that WHITE has already won");
    }
}

#[test]
fn binary_junk_is_refused() {
    let junk: Vec<u8> = (0..4_000u32).map(|index| (index * 167 % 251) as u8).collect();
    assert_refused(&junk, 1, "SINGLE or GAME");
    assert_refused(&[0xff, 0xfe, 0x00, 0x0a], 1, "SINGLE or GAME");
}

#[test]
fn text_after_the_board_is_refused() {
    assert_refused((start() + "more\n").as_bytes(), 20, "the end of the file, found 'more'");
}

#[test]
fn an_old_answer_survives_a_bad_input() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("input.txt"), "rubbish").unwrap();
    fs::write(directory.path().join("output.txt"), "E 0,0 1,1\n").unwrap();
    assert_eq!(agent(directory.path(), &[]).status.code(), Some(2));
    assert_eq!(fs::read_to_string(directory.path().join("output.txt")).unwrap(), "E 0,0 1,1\n");
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
fn a_good_input_gets_a_legal_play_whatever_its_line_ends_and_clock() {
    for side in ["WHITE", "BLACK"] {
        for clock in ["0.0001", "0.01", "0.1"] {
            for control in ["SINGLE", "GAME"] {
                let board: String = start().split_inclusive('\n').skip(3).collect();
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
fn a_pipe_serves_as_well_as_files() {
    use std::io::Write;
    let mut child = Command::new(env!("CARGO_BIN_EXE_halma"))
        .args(["--input", "-", "--output", "-", "--nodes", "2000", "--verbose"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
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
            let (directory, output) = run(start().as_bytes(), &["--algorithm", algorithm, "--depth", "2"]);
            assert_eq!(output.status.code(), Some(0), "{algorithm}");
            fs::read_to_string(directory.path().join("output.txt")).unwrap()
        };
        let play = answer();
        assert!(is_legal(&start(), &play), "{algorithm}: {play}");
        assert_eq!(play, answer(), "{algorithm}");
    }
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
fn a_win_in_one_play_is_found() {
    // All of White's pieces but one are home, and the last is a jump away.
    let rows = ["WWWWW", "WWWWW", "WWW.", "WWW.W", "WW"];
    let mut text = String::from("SINGLE\nWHITE\n1\n");
    for row in rows {
        text.push_str(&format!("{row:.<16}\n"));
    }
    text.push_str(&EMPTY_ROW.repeat(9));
    text.push_str("..............BB\n.............BBB\n");
    let (directory, output) = run(text.as_bytes(), &["--verbose"]);
    assert_eq!(output.status.code(), Some(0));
    let play = fs::read_to_string(directory.path().join("output.txt")).unwrap();
    assert_eq!(play, "E 4,3 3,2\n");
}

#[test]
fn what_others_leave_behind_is_not_trusted() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("input.txt"), start().replace("SINGLE", "GAME")).unwrap();
    fs::write(directory.path().join("playdata.txt"), [0u8, 255, 13, 10]).unwrap();
    assert_eq!(agent(directory.path(), &[]).status.code(), Some(0));
}

#[test]
fn the_help_shows_an_example() {
    let output = agent(Path::new("."), &["--help"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("Example") && text.contains("--nodes") && text.contains("base, addendum"), "{text}");
}
