//! docs/students.md by its own words: its commands, in an empty folder, one after the other.

mod common;

use common::text;
use std::fs;
use std::path::Path;
use std::process::Command;

/// The commands that a section shows: the lines behind four blanks, without those that show what is printed.
fn commands(page: &str, section: &str) -> String {
    let text = page.split("\n## ").find(|text| text.starts_with(section)).unwrap();
    let lines = text.lines().filter_map(|line| line.strip_prefix("    "));
    lines.filter(|line| line.starts_with(char::is_alphabetic)).map(|line| format!("{line}\n")).collect()
}

#[test]
fn the_commands_lead_from_an_empty_folder_to_a_program_that_is_taken() {
    if !Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success()) {
        println!("skipped: there is no python3 here");
        return;
    }
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = fs::read_to_string(repository.join("docs/students.md")).unwrap();
    let empty = tempfile::tempdir().unwrap();
    let judge = Path::new(env!("CARGO_BIN_EXE_judge")).parent().unwrap();
    let path = format!("{}:{}", judge.display(), std::env::var("PATH").unwrap());
    let run = |section: &str| {
        let mut shell = Command::new("sh");
        shell.args(["-e", "-c", &commands(&page, section)]).current_dir(empty.path());
        let output = shell.env("MENAGERIE", &repository).env("PATH", &path).output().unwrap();
        assert!(output.status.success(), "{section}: {}{}", text(&output.stdout), text(&output.stderr));
        text(&output.stdout)
    };
    let first = run("The first legal move");
    assert!(first.contains("WHITE plays "), "{first}");
    let rules = run("The rules");
    assert!(rules.contains("# Halma: the rules") && rules.contains("40 legal moves:"), "{rules}");
    let tried = run("Before you hand it in");
    assert!(tried.contains("All is well: a grader would take this program."), "{tried}");
}
