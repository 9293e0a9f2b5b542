//! What a player is charged: the CPU time of its whole process tree. Measured against the CPU clocks of the players'
//! own threads, so that a busy machine changes nothing.

mod common;

use common::{events, example, run};

/// The CPU seconds that a player is charged for its first turn.
fn charged(waste: &str) -> f64 {
    let directory = tempfile::tempdir().unwrap();
    let player = format!("cmd={} {waste}", example("glutton"));
    let words = ["match", "--game", "halma", "--record", "record", "--engine", "name=player", &player]
        .into_iter()
        .chain(["--engine", "name=other", "engine=reference:random", "--openings", "start", "--games", "2"])
        .chain(["--max-plies", "2", "--each", "time=100", "--wall-margin", "100"]);
    run(directory.path(), &words.collect::<Vec<_>>(), 0);
    let events = events(&directory.path().join("record"));
    let start = events.iter().find(|event| event["event"] == "start").unwrap();
    let side = if start["players"][0] == "player" { "BLACK" } else { "WHITE" };
    let mv = events.iter().find(|event| event["event"] == "move" && event["game"] == 1 && event["side"] == side);
    mv.unwrap()["cpu"].as_f64().unwrap()
}

#[track_caller]
fn assert_within_5_percent(waste: &str, expected: f64) {
    let found = charged(waste);
    println!("{waste}: charged {found:.4} s, used {expected} s");
    assert!((found / expected - 1.0).abs() < 0.05, "{waste}: charged {found} s, used {expected} s");
}

#[test]
fn two_threads_are_charged_together() {
    assert_within_5_percent("threads 2 0.5", 1.0);
}

#[test]
fn one_thread_is_charged() {
    assert_within_5_percent("threads 1 0.5", 0.5);
}

#[test]
fn children_that_were_waited_for_are_charged() {
    assert_within_5_percent("children 2 0.4", 0.8);
}

#[test]
fn a_grandchild_that_nobody_waited_for_is_charged() {
    // Longer than the others, for the shell and the two more programs that are started count as well.
    assert_within_5_percent("orphan 1.5", 1.5);
}
