//! Tests of `scripts/install`: it copies an archive's files, and uninstalls exactly these.

#![cfg(target_os = "linux")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use testing::{Folder, Printed, folder, repository, run};

fn install(place: &Path, words: &str, code: i32) -> Printed {
    let mut script = Command::new(repository("scripts/install"));
    run(script.current_dir(place).env_remove("DESTDIR"), words, code)
}

#[test]
fn what_was_installed_is_removed_again_and_nothing_else() {
    let place = folder();
    // An unpacked archive. The second installation replaces the first, and removes a file that the
    // archive no longer has.
    for (file, text) in
        [("bin/halma", "program"), ("share/man/man1/halma.1", "page"), ("bin/old", "")]
    {
        place.join("archive").write(file, text);
    }
    let words = format!("--prefix prefix --from '{}/archive'", place.display());
    install(&place, &words, 0);
    place.remove("archive/bin/old");
    install(&place, &words, 0);
    let prefix = place.join("prefix");
    assert!(!prefix.join("bin/old").exists());
    assert_eq!(prefix.read("bin/halma"), "program");
    let mode = |file: &str| fs::metadata(prefix.join(file)).unwrap().permissions().mode() & 0o777;
    assert_eq!([mode("bin/halma"), mode("share/man/man1/halma.1")], [0o755, 0o644]);
    prefix.write("share/man/man1/other.1", "");
    install(&place, "--prefix prefix --uninstall", 0);
    let exist = ["share/man/man1/other.1", "bin", "share/menagerie"];
    assert_eq!(exist.map(|path| prefix.join(path).exists()), [true, false, false]);
    let again = install(&place, "--prefix prefix --uninstall", 2);
    again.has(["nothing was installed below"]);
}

#[test]
fn a_list_that_leads_elsewhere_removes_nothing() {
    let place = folder();
    let list = "prefix/share/menagerie/installed";
    place.make("prefix/bin");
    place.write("kept", "");
    for line in ["../kept", "bin/../../kept", "/etc/hostname"] {
        place.write(list, format!("{line}\n"));
        install(&place, "--prefix prefix --uninstall", 1);
        assert!(place.join("kept").exists() && place.join(list).exists(), "{line}");
    }
}

#[test]
fn a_folder_without_programs_and_an_empty_prefix_are_refused() {
    let place = folder();
    install(&place, "--prefix prefix --from .", 2).has(["./bin: missing"]);
    install(&place, "--prefix '' --from .", 2);
}
