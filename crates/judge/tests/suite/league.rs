//! `judge league` becomes the program `league`.

use std::process::{Command, Output};
use testing::{Folder, copy, folder, text};

/// Says with which words it was started, and ends with a code of its own.
fn league(says: &str) -> String {
    format!("for word; do echo \"{says} <$word>\"; done\nexit 7\n")
}

#[test]
fn the_program_beside_the_judge_is_started_or_the_one_on_the_path() {
    let place = folder();
    let judge = place.join("bin/judge");
    copy(env!("CARGO_BIN_EXE_judge"), &judge);
    let path = format!("{}:/bin", place.join("path").display());
    let run = |words: &[&str]| -> Output {
        Command::new(&judge).arg("league").args(words).env("PATH", &path).output().unwrap()
    };
    let missing = run(&["serve", "course"]);
    let said = text(&missing.stderr);
    assert_eq!(missing.status.code(), Some(2), "{said}");
    let beside = judge.with_file_name("league");
    for part in [beside.to_str().unwrap(), "nor on the PATH", "make league builds it"] {
        assert!(said.contains(part), "{said}");
    }
    let words = ["serve", "--port", "0", "two words", "--help", "--", "-x"];
    for (folder, says) in [("path", "path"), ("bin", "beside")] {
        place.join(folder).write_script("league", &league(says));
        let started = run(&words);
        let told: String = words.iter().map(|word| format!("{says} <{word}>\n")).collect();
        assert_eq!((started.status.code(), text(&started.stdout)), (Some(7), told), "{started:?}");
    }
    assert_eq!(text(&run(&["--help"]).stdout), "beside <--help>\n", "its own help");
    assert_eq!(run(&[]).status.code(), Some(7));
}
