//! Tests of `scripts/install`: it copies an archive's files, and uninstalls exactly these.

#![cfg(target_os = "linux")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn archive(place: &Path) -> PathBuf {
    let folder = place.join("archive");
    for (file, text) in [("bin/halma", "program"), ("share/man/man1/halma.1", "page")] {
        fs::create_dir_all(folder.join(file).parent().unwrap()).unwrap();
        fs::write(folder.join(file), text).unwrap();
    }
    folder
}

fn install(place: &Path, words: &[&str], code: i32) -> Output {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/install");
    let output =
        Command::new(script).args(words).current_dir(place).env_remove("DESTDIR").output().unwrap();
    assert_eq!(output.status.code(), Some(code), "{words:?}: {output:?}");
    output
}

#[test]
fn what_was_installed_is_removed_again_and_nothing_else() {
    let place = tempfile::tempdir().unwrap();
    let (folder, prefix) = (archive(place.path()), place.path().join("prefix"));
    let words = ["--prefix", "prefix", "--from", folder.to_str().unwrap()];
    // The second installation replaces the first, and removes a file that the archive no longer
    // has.
    fs::write(folder.join("bin/old"), "").unwrap();
    install(place.path(), &words, 0);
    fs::remove_file(folder.join("bin/old")).unwrap();
    install(place.path(), &words, 0);
    assert!(!prefix.join("bin/old").exists());
    assert_eq!(fs::read_to_string(prefix.join("bin/halma")).unwrap(), "program");
    assert_eq!(fs::metadata(prefix.join("bin/halma")).unwrap().permissions().mode() & 0o777, 0o755);
    assert_eq!(
        fs::metadata(prefix.join("share/man/man1/halma.1")).unwrap().permissions().mode() & 0o777,
        0o644
    );
    let foreign = prefix.join("share/man/man1/other.1");
    fs::write(&foreign, "").unwrap();
    install(place.path(), &["--prefix", "prefix", "--uninstall"], 0);
    assert!(
        foreign.exists()
            && !prefix.join("bin").exists()
            && !prefix.join("share/menagerie").exists()
    );
    let again = install(place.path(), &["--prefix", "prefix", "--uninstall"], 2);
    assert!(
        String::from_utf8_lossy(&again.stderr).contains("nothing was installed below"),
        "{again:?}"
    );
}

#[test]
fn a_list_that_leads_elsewhere_removes_nothing() {
    let place = tempfile::tempdir().unwrap();
    let list = place.path().join("prefix/share/menagerie/installed");
    fs::create_dir_all(list.parent().unwrap()).unwrap();
    fs::create_dir(place.path().join("prefix/bin")).unwrap();
    let kept = place.path().join("kept");
    fs::write(&kept, "").unwrap();
    for line in ["../kept", "bin/../../kept", "/etc/hostname"] {
        fs::write(&list, format!("{line}\n")).unwrap();
        install(place.path(), &["--prefix", "prefix", "--uninstall"], 1);
        assert!(kept.exists() && list.exists(), "{line}");
    }
}

#[test]
fn a_folder_without_programs_and_an_empty_prefix_are_refused() {
    let place = tempfile::tempdir().unwrap();
    let output = install(place.path(), &["--prefix", "prefix", "--from", "."], 2);
    assert!(String::from_utf8_lossy(&output.stderr).contains("./bin: missing"), "{output:?}");
    install(place.path(), &["--prefix", "", "--from", "."], 2);
}
