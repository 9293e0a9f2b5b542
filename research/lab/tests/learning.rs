//! Tests that learning gives the same result in one run and interrupted, with one job and with
//! several.

use crate::{run, text};
use std::fs;
use std::path::Path;

fn learn(place: &Path, directory: &str, iterations: &str, jobs: &str) -> String {
    let words =
        "learn --game halma --games 6 --nodes 20 --pairs 1 --match-nodes 20 --seed 5".split(' ');
    let words: Vec<&str> = words
        .chain(["--directory", directory, "--iterations", iterations, "--jobs", jobs])
        .collect();
    text(&run(place, &words, 0).stdout)
}

#[test]
fn learning_that_was_cut_in_the_middle_of_a_game_goes_on_as_if_it_had_not_been() {
    let place = tempfile::tempdir().unwrap();
    let place = place.path();
    let said = learn(place, "whole", "2", "1");
    assert!(said.contains("digest ") && said.contains("seed 5"), "{said}");
    let read = |name: &str| fs::read_to_string(place.join(name)).unwrap();

    learn(place, "cut", "1", "2");
    assert_eq!(read("cut/version-001.txt"), read("whole/version-001.txt"));
    // Two games and a part of the third had been written.
    let games = read("whole/games-002.txt");
    let second = games.match_indices('\n').nth(1).unwrap().0;
    fs::write(place.join("cut/games-002.txt"), &games[..second + 40]).unwrap();
    let said = learn(place, "cut", "2", "2");
    assert!(said.contains("version-002.txt"), "{said}");
    for name in ["games-002.txt", "version-002.txt"] {
        assert_eq!(read(&format!("cut/{name}")), read(&format!("whole/{name}")), "{name}");
    }
    assert_ne!(read("whole/version-000.txt"), read("whole/games-001.txt"));
}

#[test]
fn a_game_without_anything_to_learn_is_refused() {
    let place = tempfile::tempdir().unwrap();
    let output = run(place.path(), &["learn", "--game", "wolves", "--directory", "here"], 2);
    assert!(text(&output.stderr).contains("expected a game that can learn, halma"));
}
