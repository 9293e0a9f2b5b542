//! Tests of the program `solve squirrels`.

use engine::conformance::Run;
use std::fs;
use std::path::Path;

fn solve(directory: &Path, words: &[&str]) -> Run {
    crate::solve("squirrels", directory, &[words, &["--hash", "64"]].concat())
}

/// An input file whose board has 17 empty squares.
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

fn value(output: &Run) -> String {
    output.succeeds();
    output.stdout.lines().find(|line| line.starts_with("X to move, value")).unwrap().to_string()
}

#[test]
fn bad_inputs_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(directory.path().join(name), text).unwrap();
    write("input.txt", INPUT);
    write("bad.txt", &INPUT.replace("48", "10001"));
    for words in [&["bad.txt"][..], &["missing.txt"], &["input.txt", "--random", "1"], &[]] {
        let output = solve(directory.path(), words);
        assert_eq!(output.code, Some(2), "{words:?}");
    }
    let refused = solve(directory.path(), &["bad.txt"]);
    assert_eq!(refused.stderr, "bad.txt:6: expected 5 values from 0 to 10000, found '10001'\n");
}

/// Returns [`INPUT`] with all values multiplied by a number.
fn times(number: u32) -> String {
    let times = |word: &str| (word.parse::<u32>().unwrap() * number).to_string();
    let line = |(index, line): (usize, &str)| match index {
        3..8 => line.split(' ').map(times).collect::<Vec<_>>().join(" ") + "\n",
        _ => format!("{line}\n"),
    };
    INPUT.lines().enumerate().map(line).collect()
}

#[test]
fn large_values_are_solved_by_any_number_of_threads() {
    let directory = tempfile::tempdir().unwrap();
    let number = |text: &str| text.split([' ', ',']).nth(5).unwrap().parse::<i32>().unwrap();
    fs::write(directory.path().join("small.txt"), times(1)).unwrap();
    fs::write(directory.path().join("input.txt"), times(208)).unwrap();
    let small = number(&value(&solve(directory.path(), &["small.txt", "--threads", "1"])));
    let winner = if small > 0 { "X" } else { "O" };
    for threads in ["1", "3"] {
        let output = solve(directory.path(), &["input.txt", "--threads", threads]);
        assert_eq!(number(&value(&output)), 208 * small);
        let result = format!("{winner} wins by {}, ", 208 * small.abs());
        assert!(output.stdout.contains(&result), "{}", output.stdout);
    }
}

#[test]
fn a_hundred_nothing_and_ten_thousand_are_values() {
    let rows = "*O*XX\nOXXXX\nXXXXX\nXXXXX\nXXXXX\n";
    let input =
        format!("SINGLE\nX\n1\n0 10000 100 0 0\n10000 0 0 0 0\n{}{rows}", "0 0 0 0 0\n".repeat(3));
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("input.txt"), input).unwrap();
    // X at C1 raids B1, and O at A1 raids it back: 100 against 20,000. X at A1 is a sneak, and O
    // has the 100 too.
    assert_eq!(
        value(&solve(directory.path(), &["input.txt"])),
        "X to move, value -19900, best move C1"
    );
}
