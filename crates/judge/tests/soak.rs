//! The soak itself, in small: the agents as they are built for tests, under clocks that no test may time.

mod common;

use common::{events, judge, run, text};
use serde_json::Value;
use std::path::Path;
use std::process::Command;
use std::sync::Once;

/// `cargo test` of the whole workspace builds the agents; that of the judge alone does not.
fn build_agents() {
    static BUILT: Once = Once::new();
    BUILT.call_once(|| {
        let beside = Path::new(env!("CARGO_BIN_EXE_judge")).parent().unwrap();
        let names = text(&run(beside, &["games", "--names"], 0).stdout);
        for name in names.lines().filter(|name| !beside.join(name).is_file()) {
            let built = Command::new(env!("CARGO")).args(["build", "-p", name]).output().unwrap();
            assert!(built.status.success(), "{}", text(&built.stderr));
        }
    });
}

#[test]
fn every_agent_answers_dozens_of_random_positions_with_legal_plays() {
    build_agents();
    let directory = tempfile::tempdir().unwrap();
    let words = ["soak", "-n", "60", "--clock", "0.001,0.01", "--jobs", "2", "--seed", "7", "--record", "record"];
    let output = run(directory.path(), &words, 0);
    assert!(text(&output.stdout).contains("all: 60 answers, 0 failures"), "{}", text(&output.stdout));
    let events = events(&directory.path().join("record"));
    assert_eq!(events.len(), 61);
    assert!(events.iter().all(|event| event["fault"] == Value::Null), "{events:#?}");
}

#[test]
fn a_killed_agent_leaves_a_whole_play_or_none() {
    build_agents();
    let directory = tempfile::tempdir().unwrap();
    // How long an agent may take to its first output is not for a test; what it leaves is.
    let words = ["soak", "--kill", "-n", "60", "--clock", "0.01,0.1", "--seed", "7", "--record", "record"];
    let output = judge(directory.path()).args(words).output().unwrap();
    assert!(matches!(output.status.code(), Some(0 | 1)), "{}", text(&output.stderr));
    for event in events(&directory.path().join("record")) {
        assert!(matches!(event["fault"].as_str(), None | Some("no output")), "{event:#}");
    }
}

#[test]
fn an_agent_that_answers_nothing_is_found_out() {
    let directory = tempfile::tempdir().unwrap();
    // Copied by another process: a program that this one has open for writing could not be run while another test's
    // child still holds it.
    let copy_of = |program: &str, name: &str| {
        let copy = directory.path().join(name);
        assert!(Command::new("cp").arg(program).arg(&copy).status().unwrap().success());
        copy
    };
    let copy = copy_of(env!("CARGO_BIN_EXE_judge"), "judge");
    copy_of("/bin/true", "halma");
    let soak = ["soak", "-n", "4", "--game", "halma"];
    let output = Command::new(&copy).current_dir(directory.path()).args(soak).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("all: 4 answers, 4 failures"), "{}", text(&output.stdout));
}
