//! `solve foxgeese` as others call it: bounds from below.

use std::process::{Command, Output};

fn solve(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_solve")).arg("foxgeese").args(words).output().unwrap()
}

#[test]
fn the_geese_cannot_win_within_five_moves_and_the_proof_is_checked() {
    let output = solve(&["--no-win-within", "5", "--mib", "1"]);
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!((output.status.code(), lines.len()), (Some(0), 6), "{text}");
    assert!(lines[4].starts_with("within 5 moves of the geese: no win ("), "{text}");
    assert!(lines[5].starts_with("checked by the rules alone: right ("), "{text}");
}

#[test]
fn a_bound_that_is_none_and_a_file_beside_one_are_refused() {
    for words in
        [&["--no-win-within", "0"][..], &["--no-win-within", "101"], &["--no-win-within", "3", "--check", "embedded"]]
    {
        assert_eq!(solve(words).status.code(), Some(2), "{words:?}");
    }
}
