//! Tests of the program `solve foxgeese`: lower bounds, its options, and the agent's strategy.

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

#[test]
fn geese_that_are_left_out_are_named_by_their_letters() {
    for (letters, complaint) in [("u", "there is no goose 'u'"), ("X", "there is no goose"), ("rr", "named twice")] {
        let output = solve(&["--without", letters, "--check", "embedded"]);
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && text.contains(complaint), "{text}");
    }
    assert_eq!(solve(&["--without", "abcdefghijkl", "--check", "embedded"]).status.code(), Some(2), "nine must stay");
    let output = solve(&["--without", "t", "--check", "embedded"]);
    assert_eq!(output.status.code(), Some(1), "the agent's strategy is for twenty geese");
    assert!(String::from_utf8(output.stdout).unwrap().contains("no move is given in this position"));
}

#[test]
fn the_agents_own_strategy_is_written_again_and_holds() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("strategy.bin");
    let file = file.to_str().unwrap();
    let written = solve(&["--from", "embedded", "--most", "100", "--out", file]);
    assert_eq!(written.status.code(), Some(0), "{}", String::from_utf8_lossy(&written.stderr));
    assert_eq!(solve(&["--check", file]).status.code(), Some(0));
}

#[test]
fn a_strategy_is_printed_one_position_a_line() {
    let output = solve(&["--print", "embedded"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!((output.status.code(), text.lines().count()), (Some(0), 82_492));
    assert_eq!(text.lines().next(), Some("48 au ---/---/--X-Y--/abcdefg/hijklmn/opq/rst"));
    let last = text.lines().last().unwrap();
    assert!(last.starts_with("1 "), "{last}");
    assert_eq!(solve(&["--print", "missing.bin"]).status.code(), Some(2));
    assert_eq!(solve(&["--print", "embedded", "--check", "embedded"]).status.code(), Some(2));
}
