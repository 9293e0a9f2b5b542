//! The starters of every game and language: `judge try` takes each, and each plays a game without a fault. Languages that the
//! machine lacks are left out, with a word.

mod common;

use common::{ends, judge, run, text};
use std::path::{Path, PathBuf};
use std::process::Command;

const GAMES: [&str; 5] = ["halma", "wolves", "squirrels", "foxgame", "foxgeese"];

fn starter(game: &str, file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../starters").join(game).join(file)
}

fn is_there(program: &str, words: &[&str]) -> bool {
    let found = Command::new(program).args(words).output().is_ok_and(|output| output.status.success());
    if !found {
        println!("skipped: there is no {program} here");
    }
    found
}

fn compile(program: &str, words: &[&str], source: &Path) {
    let output = Command::new(program).args(words).arg(source).output().unwrap();
    assert!(output.status.success(), "{}: {}", source.display(), text(&output.stderr));
    assert!(output.stderr.is_empty(), "{}: {}", source.display(), text(&output.stderr));
}

/// A starter is taken by `judge try`, and plays a game on each side against a random player.
#[track_caller]
fn plays(game: &str, command: &str) {
    let place = tempfile::tempdir().unwrap();
    let tried = judge(place.path()).args(["try", "--game", game, "--plies", "30", "--cmd", command]).output().unwrap();
    assert!(tried.status.success(), "{game}: {}{}", text(&tried.stdout), text(&tried.stderr));
    let player = format!("cmd={command}");
    let words =
        ["match", "--game", game, "--games", "2", "--max-plies", "20", "--record", "record", "--each", "time=100"];
    let players = ["--engine", "name=starter", &player, "--engine", "engine=reference:random"];
    run(place.path(), &[&words[..], &players].concat(), 0);
    for end in ends(&place.path().join("record")) {
        assert!(end["fault"].is_null(), "{game}: {end:#}");
    }
}

#[test]
fn the_starters_in_python_are_taken() {
    if !is_there("python3", &["--version"]) {
        return;
    }
    for game in GAMES {
        plays(game, &format!("python3 {}", starter(game, "python/agent.py").display()));
    }
}

#[test]
fn the_starters_in_cpp_are_taken() {
    if !is_there("g++", &["--version"]) {
        return;
    }
    let place = tempfile::tempdir().unwrap();
    for game in GAMES {
        let program = place.path().join(game);
        let words = ["-O2", "-Wall", "-Wextra", "-std=c++17", "-o", program.to_str().unwrap()];
        compile("g++", &words, &starter(game, "cpp/agent.cpp"));
        plays(game, program.to_str().unwrap());
    }
}

#[test]
fn the_starters_in_java_are_taken() {
    if !is_there("javac", &["-version"]) {
        return;
    }
    let place = tempfile::tempdir().unwrap();
    for game in GAMES {
        let classes = place.path().join(game);
        compile("javac", &["-Xlint:all", "-d", classes.to_str().unwrap()], &starter(game, "java/Agent.java"));
        plays(game, &format!("java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp {} Agent", classes.display()));
    }
}
