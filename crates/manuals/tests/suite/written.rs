//! Tests that every program gets a manual page with its options, and completions for four shells.

use std::process::Command;
use testing::{Folder, assert_has, folder, run};

#[test]
fn every_program_has_its_pages_and_completions_and_they_are_the_same_each_time() {
    let place = folder();
    let write =
        || drop(run(Command::new(env!("CARGO_BIN_EXE_manuals")).current_dir(&place), "share", 0));
    let share = place.join("share");
    write();
    let games = games::all().into_iter().map(|game| (game.name, "\\-\\-nodes", "help"));
    let others = [("judge", "judge\\-match(1)", "help"), ("solve", "solve\\-wolves(1)", "wolves")];
    let programs: Vec<_> = games.chain(others).collect();
    let page = |name: &str| share.read(format!("man/man1/{name}.1"));
    let pages: Vec<String> = programs.iter().map(|(name, ..)| page(name)).collect();
    write();
    for ((name, option, word), before) in programs.iter().zip(pages) {
        let text = page(name);
        assert_has(&text, [&format!(".TH {name} 1"), option]);
        assert!(before == text, "{name}: another page");
        for file in [
            format!("bash-completion/completions/{name}"),
            format!("zsh/site-functions/_{name}"),
            format!("fish/vendor_completions.d/{name}.fish"),
            format!("powershell/completions/{name}.ps1"),
        ] {
            assert_has(share.read(file), [word]);
        }
    }
    assert_has(page("judge-doctor"), ["\\-\\-json", "Exit code"]);
}

#[test]
fn a_directory_that_cannot_be_made_is_named() {
    let place = folder();
    place.write("file", "");
    let mut manuals = Command::new(env!("CARGO_BIN_EXE_manuals"));
    run(manuals.current_dir(&place), "file/share", 2).has(["man/man1/halma.1: cannot be written"]);
}
