//! The soak itself, in small: the agents as they are built for tests, under clocks that no test may
//! time.

use crate::{events, program, run, text};
use serde_json::Value;
use std::process::Command;

/// Builds what is not there yet.
fn build_agents() {
    for game in games::all() {
        program(game.name);
    }
}

#[test]
fn every_agent_answers_dozens_of_random_positions_with_legal_moves() {
    build_agents();
    let directory = tempfile::tempdir().unwrap();
    let words = [
        "soak",
        "-n",
        "120",
        "--clock",
        "0.001,0.01",
        "--jobs",
        "2",
        "--seed",
        "7",
        "--record",
        "record",
    ];
    let output = run(directory.path(), &words, 0);
    let table = text(&output.stdout);
    assert!(
        table.starts_with("seed 7, 2 at a time, ") && table.contains(", 0 failures"),
        "{table}"
    );
    let events = events(&directory.path().join("record"));
    assert_eq!(events.len(), 121);
    assert!(events.iter().all(|event| event["fault"] == Value::Null), "{events:#?}");
    for source in ["random moves", "self-play", "hand-made", "after the end"] {
        assert!(events.iter().any(|event| event["position"] == source), "{source}: {table}");
    }
    let refused = events.iter().filter(|event| event["output"] == false).count();
    assert!(refused > 2, "positions after the end are refused");
}

#[test]
fn agents_of_the_lowest_priority_beside_a_busy_thread_answer_too_and_every_game_as_often_as_asked()
{
    build_agents();
    let directory = tempfile::tempdir().unwrap();
    let words = [
        "soak", "--each", "3", "--clock", "0.01", "--nice", "19", "--busy", "1", "--args",
        "--hash 2",
    ];
    let table = text(&run(directory.path(), &words, 0).stdout);
    let heading = table.lines().next().unwrap();
    assert!(
        heading.contains("nice 19, 1 busy threads beside, agents run with --hash 2"),
        "{table}"
    );
    let sum: u32 = ["answers", "refusals"].map(|word| count_before(&table, word)).iter().sum();
    assert_eq!(sum, 15, "{table}");
}

/// The number before this word in the table's line about all.
fn count_before(table: &str, word: &str) -> u32 {
    let line = table.lines().find(|line| line.starts_with("all: ")).unwrap();
    let words: Vec<&str> = line.split([' ', ',']).collect();
    let place = words.iter().position(|found| *found == word).unwrap();
    words[place - 1].parse().unwrap()
}

#[test]
fn a_killed_agent_leaves_a_whole_move_or_none() {
    build_agents();
    let directory = tempfile::tempdir().unwrap();
    // How long an agent may take to its first output is not for a test; what it leaves is.
    let words = [
        "soak", "--kill", "--each", "8", "--clock", "0.01,0.1", "--seed", "7", "--record", "record",
    ];
    let output = Command::new(env!("CARGO_BIN_EXE_lab"))
        .current_dir(directory.path())
        .args(words)
        .output()
        .unwrap();
    assert!(matches!(output.status.code(), Some(0 | 1)), "{}", text(&output.stderr));
    let table = text(&output.stdout);
    for event in events(&directory.path().join("record")) {
        assert!(matches!(event["fault"].as_str(), None | Some("no output")), "{event:#}");
    }
    let kills = table
        .lines()
        .skip(2)
        .take(5)
        .map(|line| line.split_whitespace().nth(1).unwrap().to_string());
    assert!(kills.into_iter().all(|kills| kills == "8"), "{table}");
}

#[test]
fn an_agent_that_answers_nothing_is_found_out() {
    let directory = tempfile::tempdir().unwrap();
    // Copied by another process: a program that this one has open for writing could not be run
    // while another test's child still holds it.
    let copy_of = |program: &str, name: &str| {
        let copy = directory.path().join(name);
        assert!(Command::new("cp").arg(program).arg(&copy).status().unwrap().success());
        copy
    };
    let copy = copy_of(env!("CARGO_BIN_EXE_lab"), "lab");
    copy_of("/bin/true", "halma");
    let soak = ["soak", "-n", "4", "--game", "halma"];
    let output = Command::new(&copy).current_dir(directory.path()).args(soak).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains(", 4 failures"), "{}", text(&output.stdout));
}
