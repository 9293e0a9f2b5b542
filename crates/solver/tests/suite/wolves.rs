//! Tests of the program `solve wolves`.

use engine::Side;
use engine::conformance::Run;
use std::fs;
use std::path::Path;
use wolves::embedded;
use wolves::table::{LayerTable, file};

fn solve(directory: &Path, arguments: &[&str]) -> Run {
    crate::solve("wolves", directory, &[arguments, &["--out", "."]].concat())
}

/// The output line about a number of sheep, without its CPU time.
fn counts(output: &Run, sheep: u32) -> String {
    let begin = format!("{sheep}  ");
    let line = output.stdout.lines().find(|line| line.starts_with(&begin)).unwrap();
    line.rsplit_once("  ").unwrap().0.to_string()
}

#[test]
fn two_wolves_against_3_to_6_sheep_count_as_the_rules_page_says() {
    let directory = tempfile::tempdir().unwrap();
    let output = solve(directory.path(), &["--wolves", "2", "--sheep", "6"]);
    output.succeeds();
    let expected = [
        (3, "86779", "46417 / 4 / 40358", "8163 / 23 / 78593"),
        (4, "433895", "19590 / 104 / 414201", "64 / 633 / 433198"),
        (5, "1648801", "45 / 5202 / 1643554", "0 / 26762 / 1622039"),
        (6, "4946403", "0 / 401977 / 4544426", "0 / 1506854 / 3439549"),
    ];
    for (sheep, stored, wolves_to_move, sheep_to_move) in expected {
        let line = counts(&output, sheep);
        let parts: Vec<&str> =
            line.split("  ").map(|part| part.split(" (").next().unwrap()).collect();
        assert_eq!(parts, [&sheep.to_string(), stored, wolves_to_move, sheep_to_move]);
    }
}

#[test]
fn every_value_follows_from_its_successors_whatever_the_number_of_threads() {
    for (wolves, sheep) in [("1", "5"), ("2", "5"), ("3", "4")] {
        let [first, second] = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
        let one = ["--wolves", wolves, "--sheep", sheep, "--verify", "--threads", "1"];
        let output = solve(first.path(), &one);
        output.succeeds();
        assert!(output.stdout.contains("positions checked, 0 wrong"));
        solve(second.path(), &["--wolves", wolves, "--sheep", sheep, "--threads", "3"]);
        for entry in fs::read_dir(first.path()).unwrap() {
            let entry = entry.unwrap();
            let again = second.path().join(entry.file_name());
            assert!(fs::read(entry.path()).unwrap() == fs::read(again).unwrap(), "{entry:?}");
        }
    }
}

#[test]
fn a_finished_layer_is_read_and_a_damaged_one_refused_and_left_alone() {
    let directory = tempfile::tempdir().unwrap();
    let arguments = ["--wolves", "2", "--sheep", "4"];
    let first = solve(directory.path(), &["--wolves", "2", "--sheep", "3"]);
    let second = solve(directory.path(), &arguments);
    assert!(second.stdout.lines().any(|line| line.starts_with("3  ") && line.ends_with("  read")));
    assert_eq!(counts(&first, 3), counts(&second, 3));
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 2, "no temporary file is left");

    let path = file(directory.path(), 2, 3);
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let Run { code, stderr: message, .. } = solve(directory.path(), &arguments);
    assert_eq!(code, Some(2));
    assert!(message.contains("wolves-2-03.table") && message.contains("damaged"), "{message}");
    assert_eq!(fs::read(&path).unwrap(), bytes);
}

#[test]
fn a_wrong_value_is_found_by_the_check() {
    let directory = tempfile::tempdir().unwrap();
    solve(directory.path(), &["--wolves", "1", "--sheep", "3"]);
    let table = LayerTable::open(directory.path(), 1, 3).unwrap();
    let [mut wolves, sheep] = Side::BOTH.map(|side| table.codes(side).unwrap().to_vec());
    let drawn = wolves.iter().position(|&code| code == 0).unwrap();
    wolves[drawn] = 2;
    let path = file(directory.path(), 1, 3);
    tables::write(&path, &wolves::table::subject(1, 3), &[&wolves, &sheep]).unwrap();
    let output = solve(directory.path(), &["--wolves", "1", "--sheep", "3", "--verify"]);
    assert_eq!(output.code, Some(1), "{}", output.stdout);
}

#[test]
fn the_outcomes_in_the_agent_are_those_of_the_tables() {
    let directory = tempfile::tempdir().unwrap();
    for (wolves, most_sheep) in [(1, 5), (2, 5)] {
        let [pack, flock] = [wolves, most_sheep].map(|count| count.to_string());
        solve(directory.path(), &["--wolves", &pack, "--sheep", &flock]);
        for sheep in 3..=most_sheep {
            let table = LayerTable::open(directory.path(), wolves, sheep).unwrap();
            let sets = table.layer().ranking.sets();
            for side in Side::BOTH {
                // Every position with wolves to move. With sheep to move, where outcomes are
                // derived, one in seven.
                for number in (0..table.layer().positions()).step_by(1 + 6 * side.index()) {
                    let position = table.layer().position(number, &sets, side);
                    let expected = table.value(&position).unwrap().outcome();
                    assert_eq!(embedded::outcome(&position), Some(expected), "{position:?}");
                }
            }
        }
    }
}
