//! Tests that every program gets a manual page with its options, and completions for four shells.

use std::fs;
use std::process::Command;

fn programs() -> Vec<&'static str> {
    games::all().into_iter().map(|game| game.name).chain(["judge", "solve"]).collect()
}

#[test]
fn every_program_has_its_pages_and_completions_and_they_are_the_same_each_time() {
    let place = tempfile::tempdir().unwrap();
    let share = place.path().join("share");
    for _ in 0..2 {
        let before: Vec<_> = programs()
            .into_iter()
            .map(|name| fs::read(share.join(format!("man/man1/{name}.1"))).ok())
            .collect();
        assert!(
            Command::new(env!("CARGO_BIN_EXE_manuals")).arg(&share).status().unwrap().success()
        );
        for (name, before) in programs().into_iter().zip(before) {
            let read = |file: String| {
                let path = share.join(file);
                fs::read_to_string(&path)
                    .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
            };
            let page = read(format!("man/man1/{name}.1"));
            let option = match name {
                "judge" => "judge\\-match(1)",
                "solve" => "solve\\-wolves(1)",
                _ => "\\-\\-nodes",
            };
            assert!(page.contains(&format!(".TH {name} 1")) && page.contains(option), "{page}");
            assert!(before.is_none_or(|before| before == page.as_bytes()), "{name}: another page");
            let word = if name == "solve" { "wolves" } else { "help" };
            for file in [
                format!("bash-completion/completions/{name}"),
                format!("zsh/site-functions/_{name}"),
                format!("fish/vendor_completions.d/{name}.fish"),
                format!("powershell/completions/{name}.ps1"),
            ] {
                assert!(read(file.clone()).contains(word), "{file}");
            }
        }
    }
    let page = fs::read_to_string(share.join("man/man1/judge-doctor.1")).unwrap();
    assert!(page.contains("\\-\\-json") && page.contains("Exit code"), "{page}");
}

#[test]
fn a_directory_that_cannot_be_made_is_named() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("file");
    fs::write(&file, "").unwrap();
    let output =
        Command::new(env!("CARGO_BIN_EXE_manuals")).arg(file.join("share")).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("man/man1/halma.1: cannot be written")
    );
}
