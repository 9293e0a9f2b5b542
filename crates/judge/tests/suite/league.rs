//! `judge league` becomes the program `league`.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};
use testing::{copy_program, text};

/// A program `league` that says with which words it was started, and ends with a code of its own.
fn make_league(folder: &Path, says: &str) {
    fs::create_dir_all(folder).unwrap();
    let program = folder.join("league");
    fs::write(&program, format!("#!/bin/sh\nfor word; do echo \"{says} <$word>\"; done\nexit 7\n"))
        .unwrap();
    fs::set_permissions(program, fs::Permissions::from_mode(0o755)).unwrap();
}

fn run(judge: &Path, path: &Path, words: &[&str]) -> Output {
    Command::new(judge)
        .arg("league")
        .args(words)
        .env("PATH", format!("{}:/bin", path.display()))
        .output()
        .unwrap()
}

#[test]
fn the_program_beside_the_judge_is_started_or_the_one_on_the_path() {
    let directory = tempfile::tempdir().unwrap();
    let (bin, path) = (directory.path().join("bin"), directory.path().join("path"));
    fs::create_dir(&bin).unwrap();
    let judge = bin.join("judge");
    copy_program(env!("CARGO_BIN_EXE_judge"), &judge);
    let missing = run(&judge, &path, &["serve", "course"]);
    let said = text(&missing.stderr);
    assert_eq!(missing.status.code(), Some(2), "{said}");
    for part in [bin.join("league").to_str().unwrap(), "nor on the PATH", "make league builds it"] {
        assert!(said.contains(part), "{said}");
    }
    make_league(&path, "path");
    let words = ["serve", "--port", "0", "two words", "--help", "--", "-x"];
    let told =
        |says: &str| words.iter().map(|word| format!("{says} <{word}>\n")).collect::<String>();
    let started = run(&judge, &path, &words);
    assert_eq!(
        (started.status.code(), text(&started.stdout)),
        (Some(7), told("path")),
        "{}",
        text(&started.stderr)
    );
    make_league(&bin, "beside");
    let started = run(&judge, &path, &words);
    assert_eq!(
        (started.status.code(), text(&started.stdout)),
        (Some(7), told("beside")),
        "{}",
        text(&started.stderr)
    );
    let started = run(&judge, &path, &["--help"]);
    assert_eq!(text(&started.stdout), "beside <--help>\n", "its own help");
    assert_eq!(run(&judge, &path, &[]).status.code(), Some(7));
}
