//! `solve squirrels` through the real binary.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn solve(directory: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_solve"));
    command.arg("squirrels").args(words).args(["--hash", "64"]).current_dir(directory).output().unwrap()
}

/// 17 empty squares.
const INPUT: &str = "\
SINGLE
X
1
20 16 1 32 30
20 12 2 11 8
28 48 9 1 1
20 12 10 6 2
25 30 23 21 10
**XX*
**XOX
***O*
**OO*
*****
";

fn value(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    text.lines().find(|line| line.starts_with("X to move, value")).unwrap().to_string()
}

#[test]
fn a_solution_is_the_same_by_any_number_of_threads_and_when_resumed() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("input.txt"), INPUT).unwrap();
    let once = value(&solve(directory.path(), &["input.txt", "--threads", "1"]));
    let shared = value(&solve(directory.path(), &["input.txt", "--threads", "3", "--proofs", "proofs"]));
    let resumed = value(&solve(directory.path(), &["input.txt", "--proofs", "proofs"]));
    let number = |text: &str| text.split(',').nth(1).unwrap().to_string();
    assert_eq!(number(&once), number(&shared));
    assert_eq!(shared, resumed);
}

#[test]
fn bad_inputs_and_files_of_other_boards_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(directory.path().join(name), text).unwrap();
    write("input.txt", INPUT);
    write("bad.txt", &INPUT.replace("48", "100"));
    write("notes.txt", "notes");
    for words in [&["bad.txt"][..], &["missing.txt"], &["input.txt", "--proofs", "notes.txt"], &[]] {
        let output = solve(directory.path(), words);
        assert_eq!(output.status.code(), Some(2), "{words:?}");
    }
    assert_eq!(fs::read_to_string(directory.path().join("notes.txt")).unwrap(), "notes");
    let refused = solve(directory.path(), &["bad.txt"]);
    assert!(String::from_utf8(refused.stderr).unwrap().starts_with("bad.txt:6: expected"));
}
