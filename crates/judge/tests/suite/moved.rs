//! A command that has moved to `lab` is handed on.

use crate::common::{copy_program, text};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

/// Runs a copy of the judge in a directory.
fn judge(directory: &Path, words: &[&str]) -> Output {
    let judge = directory.join("judge");
    if !judge.exists() {
        copy_program(env!("CARGO_BIN_EXE_judge"), &judge);
    }
    Command::new(judge).args(words).output().unwrap()
}

#[test]
fn lab_beside_the_judge_gets_the_arguments_and_decides_the_exit_code() {
    let place = tempfile::tempdir().unwrap();
    let lab = place.path().join("lab");
    fs::write(&lab, "#!/bin/sh\nprintf '<%s>' \"$@\"\nexit 7\n").unwrap();
    fs::set_permissions(&lab, fs::Permissions::from_mode(0o755)).unwrap();
    let run = judge(place.path(), &["learn", "--game", "halma", "two words", "--help"]);
    assert_eq!((run.status.code(), text(&run.stdout).as_str()), (Some(7), "<learn><--game><halma><two words><--help>"));
    let said = text(&run.stderr);
    assert!(said.contains("moved to lab learn") && said.contains("next version"), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
}

#[test]
fn without_lab_the_message_names_the_remedy() {
    let place = tempfile::tempdir().unwrap();
    let run = judge(place.path(), &["learn", "--game", "halma"]);
    assert_eq!(run.status.code(), Some(2));
    assert!(text(&run.stderr).contains("cargo build --release -p lab"), "{}", text(&run.stderr));
    let help = text(&judge(place.path(), &["--help"]).stdout);
    assert!(help.contains("  tournament "), "{help}");
    assert!(["learn", "soak", "tune"].iter().all(|moved| !help.contains(&format!("\n  {moved} "))), "{help}");
}
