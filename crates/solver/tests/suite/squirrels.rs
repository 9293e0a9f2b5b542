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

/// Returns the output line with the value.
fn value(output: &Run) -> String {
    output.succeeds();
    output.stdout.lines().find(|line| line.starts_with("X to move, value")).unwrap().to_string()
}

#[test]
fn a_solution_is_the_same_by_any_number_of_threads() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("input.txt"), INPUT).unwrap();
    let once = value(&solve(directory.path(), &["input.txt", "--threads", "1"]));
    let shared = value(&solve(directory.path(), &["input.txt", "--threads", "3"]));
    let number = |text: &str| text.split(',').nth(1).unwrap().to_string();
    assert_eq!(number(&once), number(&shared));
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
    let line = |(index, line): (usize, &str)| match index {
        3..8 => line
            .split(' ')
            .map(|word| (word.parse::<u32>().unwrap() * number).to_string() + " ")
            .collect::<String>(),
        _ => line.to_string(),
    };
    INPUT.lines().enumerate().map(line).map(|line| line.trim_end().to_string() + "\n").collect()
}

#[test]
fn large_values_are_solved_by_any_number_of_threads() {
    let directory = tempfile::tempdir().unwrap();
    let number = |text: &str| text.split([' ', ',']).nth(5).unwrap().parse::<i32>().unwrap();
    fs::write(directory.path().join("small.txt"), times(1)).unwrap();
    fs::write(directory.path().join("input.txt"), times(208)).unwrap();
    let small = number(&value(&solve(directory.path(), &["small.txt", "--threads", "1"])));
    for words in [["--threads", "1"], ["--threads", "3"]] {
        let output = solve(directory.path(), &["input.txt", words[0], words[1]]);
        assert_eq!(number(&value(&output)), 208 * small);
        let text = output.stdout;
        let winner = if small > 0 { "X" } else { "O" };
        assert!(text.contains(&format!("{winner} wins by {}, ", 208 * small.abs())), "{text}");
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
