//! The real binary: files, exit codes, messages, tables, and the course's interface.

use engine::Protocol;
use engine::protocol::OneRuleSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;
use wolves::Position;

const FIGURE_1: &str = "SINGLE\nWOLVES\n0.05\nSSSSS\nSSSSS\n.....\n.....\n.W.W.\n";

/// Runs the agent in a directory, with no tables but those of the arguments.
fn agent(directory: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_wolves"))
        .args(arguments)
        .current_dir(directory)
        .env("MENAGERIE_TABLES", "no tables here")
        .output()
        .unwrap()
}

fn run(input: &[u8], arguments: &[&str]) -> (TempDir, Output) {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("input.txt"), input).unwrap();
    let output = agent(directory.path(), arguments);
    (directory, output)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn answer(directory: &TempDir) -> String {
    fs::read_to_string(directory.path().join("output.txt")).unwrap()
}

/// Line number, and a part of the message.
fn assert_refused(input: &[u8], line: usize, part: &str) {
    let (directory, output) = run(input, &[]);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.starts_with(&format!("input.txt:{line}: expected ")) && message.contains(part), "{message}");
    assert_eq!(message.lines().count(), 1, "{message}");
    assert!(output.stdout.is_empty());
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1, "nothing but the input is there");
}

fn with_line(number: usize, line: &str) -> Vec<u8> {
    let lines = FIGURE_1.lines().enumerate().map(|(index, old)| if index + 1 == number { line } else { old });
    (lines.collect::<Vec<_>>().join("\n") + "\n").into_bytes()
}

#[test]
fn bad_inputs_are_refused_with_their_line_and_leave_nothing_behind() {
    assert_refused(b"", 1, "the end of the file");
    assert_refused(&with_line(1, "single"), 1, "SINGLE or GAME");
    assert_refused(&with_line(2, "WOLF"), 2, "'WOLF'");
    for time in ["0", "-1", "soon", "", "1e9", "NaN"] {
        assert_refused(&with_line(3, time), 3, "a positive number of seconds");
    }
    assert_refused(&with_line(6, "..x.."), 6, "'x' in column 3");
    assert_refused(&with_line(6, "...."), 6, "4 symbols");
    assert_refused(&with_line(8, "....."), 4, "1 to 3 wolves, found 0");
    assert_refused(&with_line(8, "WWWW."), 4, "1 to 3 wolves, found 4");
    assert_refused(b"SINGLE\nWOLVES\n1\nSSSSS\nSSSSS\nSSSSS\nS....\n.W.W.\n", 4, "0 to 15 sheep, found 16");
    assert_refused(&[FIGURE_1.as_bytes(), b"more\n"].concat(), 9, "the end of the file");
    let finished = b"SINGLE\nSHEEP\n1\nSS...\n.....\n.....\n.....\n.W.W.\n";
    assert_refused(finished, 4, "already won");
    let junk: Vec<u8> = (0..4_000u32).map(|index| (index * 167 % 251) as u8).collect();
    assert_refused(&junk, 1, "SINGLE or GAME");
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
fn every_clock_and_both_symbols_for_pieces_get_a_legal_play() {
    for clock in ["0.0001", "0.01", "0.1"] {
        for control in ["SINGLE", "GAME"] {
            for side in ["WOLVES", "SHEEP"] {
                for board in ["SSSSS\nSSSSS\n.....\n.....\n.W.W.\n", "11111\n11111\n11111\n00000\n02220\n"] {
                    let input = format!("{control}\n{side}\n{clock}\n{board}");
                    let (directory, output) = run(input.replace('\n', " \r\n").as_bytes(), &[]);
                    assert_eq!(output.status.code(), Some(0));
                    let position = Position::read_task(&input, OneRuleSet).unwrap().position;
                    assert!(position.read_play(&answer(&directory)).is_ok(), "{input}");
                }
            }
        }
    }
}

#[test]
fn the_same_nodes_give_the_same_play_by_every_algorithm() {
    for arguments in [
        &["--nodes", "3000"][..],
        &["--algorithm", "alphabeta"],
        &["--algorithm", "minimax"],
        &["--algorithm", "greedy"],
        &["--algorithm", "paper", "--seed", "5"],
    ] {
        let plays = [(); 2].map(|()| {
            let (directory, output) = run(FIGURE_1.as_bytes(), arguments);
            assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
            answer(&directory)
        });
        assert_eq!(plays[0], plays[1], "{arguments:?}");
    }
    let (_directory, output) = run(FIGURE_1.as_bytes(), &["--algorithm", "luck"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("paper"), "the names are listed");
}

#[test]
fn without_tables_the_stored_win_is_played_and_every_play_is_explained() {
    let sheep = FIGURE_1.replace("WOLVES", "SHEEP").replace(".W.W.", "...W.").replace(".....\n...W.", ".W...\n...W.");
    let (directory, output) = run(sheep.as_bytes(), &["--verbose"]);
    assert!(text(&output.stderr).contains("stored strategy"), "{}", text(&output.stderr));
    assert_eq!(answer(&directory), "E 1,1 1,2\n");
    let (directory, output) = run(sheep.as_bytes(), &["--explain"]);
    let lines = text(&output.stdout);
    assert_eq!(lines.lines().count(), 5, "{lines}");
    assert!(lines.lines().all(|line| line.starts_with("E ") && line.ends_with(" win ?")), "{lines}");
    assert!(!directory.path().join("output.txt").exists());
}

#[test]
fn tables_give_lengths_and_damaged_ones_are_named_and_done_without() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("input.txt"), "SINGLE\nWOLVES\n1\nS....\n.....\nS.W..\n.....\n..S.W\n").unwrap();
    let tables = directory.path().join("here");
    fs::create_dir(&tables).unwrap();
    let layer = wolves::index::Layer::new(2, 3);
    let codes = vec![2u8; layer.positions()];
    let file = wolves::table::file(&tables, 2, 3);
    tables::write(&file, &wolves::table::subject(2, 3), &[&codes, &codes]).unwrap();
    let arguments = ["--explain", "--tables", "here"];
    let output = agent(directory.path(), &arguments);
    let lines = text(&output.stdout);
    assert!(output.stderr.is_empty());
    assert!(lines.starts_with("J 2,2 0,2 win 0\n") && lines.contains(" loss 1\n"), "{lines}");

    // The environment names the directory as well, or the tables lie beside a copy of the program.
    let mut command = Command::new(env!("CARGO_BIN_EXE_wolves"));
    let named =
        command.arg("--explain").current_dir(directory.path()).env("MENAGERIE_TABLES", "here").output().unwrap();
    assert_eq!(text(&named.stdout), lines);
    let copy = directory.path().join("wolves");
    fs::copy(env!("CARGO_BIN_EXE_wolves"), &copy).unwrap();
    fs::rename(&tables, directory.path().join("tables")).unwrap();
    let mut command = Command::new(&copy);
    let beside =
        command.arg("--explain").current_dir(directory.path()).env_remove("MENAGERIE_TABLES").output().unwrap();
    assert_eq!(text(&beside.stdout), lines);
    fs::rename(directory.path().join("tables"), &tables).unwrap();

    let whole = fs::read(&file).unwrap();
    let mut flipped = whole.clone();
    // The second half has the positions with sheep to move, which are asked for.
    let half = flipped.len() / 2;
    flipped[half..].iter_mut().for_each(|byte| *byte ^= 1);
    for (bytes, message) in
        [(&whole[..900], "damaged"), (&flipped[..], "damaged"), (b"hello".as_slice(), "not a table file")]
    {
        fs::write(&file, bytes).unwrap();
        let output = agent(directory.path(), &arguments);
        assert_eq!(output.status.code(), Some(0));
        let found = text(&output.stderr);
        assert!(found.contains("wolves-2-03.table") && found.contains(message), "{found}");
        assert_eq!(found.lines().count(), 1, "{found}");
        assert!(text(&output.stdout).starts_with("J 2,2 0,2 win 0\n"));
        let output = agent(directory.path(), &["--tables", "here"]);
        assert_eq!(output.status.code(), Some(0));
        assert_eq!(fs::read_to_string(directory.path().join("output.txt")).unwrap(), "J 2,2 0,2\n");
    }
}

#[test]
fn with_three_wolves_and_no_table_the_search_estimates() {
    let input = b"SINGLE\nWOLVES\n1\nSSSSS\nSSSSS\nSSSSS\n.....\n.WWW.\n";
    let (_directory, output) = run(input, &["--explain", "--nodes", "2000"]);
    let lines = text(&output.stdout);
    assert_eq!(lines.lines().count(), 8, "{lines}");
    assert!(lines.contains(" estimate "), "{lines}");
}

#[test]
fn a_board_file_of_the_course_is_played_on_and_the_next_one_left() {
    let directory = tempfile::tempdir().unwrap();
    let board = "1,1,1,1,1\n1,1,1,1,1\n0,0,0,0,0\n0,2,0,0,0\n0,0,0,2,0\n";
    for text in [board.to_string(), board.replace('\n', "\r\n"), board.trim_end().to_string()] {
        fs::write(directory.path().join("state_1.txt"), text).unwrap();
        let output = agent(directory.path(), &["--state", "state_1.txt"]);
        assert_eq!(output.stdout, b"1 1 2 1\n");
        let next = fs::read_to_string(directory.path().join("state_2.txt")).unwrap();
        assert_eq!(next, "1,1,1,1,1\n1,0,1,1,1\n0,1,0,0,0\n0,2,0,0,0\n0,0,0,2,0\n");
    }
    fs::remove_file(directory.path().join("state_2.txt")).unwrap();
    for (name, text, message) in [
        ("state_1.txt", "1,1\n", "state_1.txt:1: expected 5 digits"),
        ("state_1.txt", "", "state_1.txt:1: expected"),
        ("board.txt", board, "board.txt: the name has no number"),
        (
            "state_3.txt",
            "0,0,0,0,0\n0,0,0,0,0\n0,0,0,0,0\n0,2,0,0,0\n0,0,0,2,1\n",
            "state_3.txt:1: expected a position",
        ),
    ] {
        fs::write(directory.path().join(name), text).unwrap();
        let output = agent(directory.path(), &["--state", name]);
        let found = self::text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{found}");
        assert!(found.starts_with(message) && found.lines().count() == 1, "{found}");
        assert!(output.stdout.is_empty());
        assert!(!directory.path().join("state_2.txt").exists() && !directory.path().join("state_4.txt").exists());
    }
    let missing = agent(directory.path(), &["--state", "state_8.txt"]);
    assert_eq!(missing.status.code(), Some(2));
}

#[test]
fn the_help_shows_examples() {
    let output = agent(Path::new("."), &["--help"]);
    let text = text(&output.stdout);
    for part in ["Example", "--explain", "--state", "--tables", "paper"] {
        assert!(text.contains(part), "{part}");
    }
}
