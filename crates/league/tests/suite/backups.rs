//! Backups while the league is used, restoring them, rosters, and what an operator may do wrong.

use super::place::{League, ROSTER, SHORT};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use testing::{Folder, assert_has};

#[test]
fn a_backup_is_taken_while_games_are_played_and_restored_if_it_is_whole() {
    let mut league = League::served(SHORT, ROSTER, "2");
    let [ann, cem] = league.sign_ins(["ann", "cem"]);
    league.hand_in_starter(&ann);
    league.hand_in_starter(&cem);
    league.wait_for_games(2);
    // The same program twice, as the check has built it.
    league.hand_in_starter(&ann);
    assert_eq!(
        league.sql("SELECT COUNT(*), COUNT(twin) FROM submission WHERE digest <> ''"),
        "3|1"
    );
    let (stop, uploads) = (AtomicBool::new(false), AtomicUsize::new(0));
    // At least five copies, and as many more as it takes until programs came in beside them: a busy
    // machine makes either slow.
    let copies = thread::scope(|scope| {
        let uploader = scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                let number = uploads.load(Ordering::Relaxed);
                league.hand_in(&ann, "a.py", format!("{number}{}", "x".repeat(300_000)).as_bytes());
                uploads.store(number + 1, Ordering::Relaxed);
            }
        });
        let mut copies = 0;
        while copies < 5 || (uploads.load(Ordering::Relaxed) <= 5 && !uploader.is_finished()) {
            league.command(&["backup", "course", &format!("copy{copies}.tar")], 0);
            copies += 1;
        }
        stop.store(true, Ordering::Relaxed);
        uploader.join().unwrap();
        copies
    });
    for number in 0..copies {
        let (file, folder) = (format!("copy{number}.tar"), format!("restored{number}"));
        let mode = fs::metadata(league.directory.join(&file)).unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "others of the machine do not read it: {mode:o}");
        league.command(&["restore", &folder, &file], 0);
        assert_eq!(league.command(&["check", &folder], 0), "all is well\n");
    }
    league.kill();
    cut_backups_are_refused(&league, "copy0.tar");
    let games = league.games();
    fs::remove_dir_all(&*league).unwrap();
    fs::rename(league.directory.join(format!("restored{}", copies - 1)), &*league).unwrap();
    // The leases of workers that are gone end within a minute, which this test does not wait for.
    league.sql("UPDATE job SET lease_until = 0 WHERE state = 'leased'");
    league.serve(&["--workers", "1"]);
    assert_has(league.get(&ann, "/").text(), ["The A", "Cem"]);
    league.wait_for_games(games.min(league.games()) + 2);
    league.is_well();
    league.command(&["records", "course", "all.jsonl"], 0);
    league.kill();
    let record = arena::record::Record::read(&league.directory.join("all.jsonl")).unwrap();
    assert_eq!(record.games.len(), usize::try_from(league.games()).unwrap());
    assert!(record.header.engines.iter().any(|engine| engine.name == "The A"));
    fs::remove_dir_all(league.join("files/programs")).unwrap();
    fs::write(&league.join("files/records/0").entries()[0], "{}").unwrap();
    let said = league.command(&["check", "course"], 1);
    assert_has(&said, ["its program is missing", "its record cannot be read"]);
}

/// A backup that is cut off anywhere, also between two files, is not restored.
fn cut_backups_are_refused(league: &League, copy: &str) {
    let whole = fs::read(league.directory.join(copy)).unwrap();
    let blocks = (1..12).map(|part| whole.len() * part / 12 / 512 * 512);
    for (number, end) in blocks.chain([0, 100, whole.len() - 4096]).enumerate() {
        fs::write(league.directory.join("cut.tar"), &whole[..end]).unwrap();
        let said = league.command(&["restore", &format!("cut{number}"), "cut.tar"], 2);
        assert!(said.contains("cut.tar") || said.contains("league.toml"), "{end}: {said}");
    }
    let said = league.command(&["restore", "course", copy], 2);
    assert_has(&said, ["is not empty"]);
    let said = league.command(&["restore", "new", "none.tar"], 2);
    assert!(said.contains("none.tar") && !league.directory.join("new").exists(), "{said}");
}

#[test]
fn what_an_operator_does_wrong_is_told() {
    let league = League::new(SHORT, ROSTER);
    for (words, part) in [
        (&["init", "course", "--game", "halma", "--title", "x"][..], "there is a league already"),
        (&["serve", "nowhere"], "league init nowhere"),
        (&["check", "nowhere"], "nowhere"),
        (&["link", "course", "nobody"], "no person with the login 'nobody'"),
        (&["people", "course", "none.csv"], "none.csv"),
        (&["backup", "course", "nowhere/copy.tar"], "nowhere"),
        (&["serve", "course", "--database", "mysql://x"], "expected postgres://"),
        (
            &["serve", "course", "--database", "postgres://league@localhost:1/league"],
            "cannot be reached (Connection refused (os error 111)); trying again",
        ),
    ] {
        let said = league.command(words, 2);
        assert!(said.contains(part), "{words:?}: {said}");
    }
    assert!(!league.directory.join("nowhere").exists());
    league.directory.write("bad.csv", "id,name,role\nann,Ann,king\n");
    assert_has(league.command(&["people", "course", "bad.csv"], 2), ["bad.csv:2"]);
    assert_eq!(league.sql("SELECT COUNT(*) FROM person"), "6", "a wrong roster changes nothing");
    let mode = fs::metadata(&*league).unwrap().permissions().mode();
    assert_eq!(mode & 0o077, 0, "others of the machine do not read uploads: {mode:o}");
    // A directory whose database is elsewhere is not taken for an empty league.
    fs::remove_file(league.join("league.sqlite")).unwrap();
    for words in [
        &["backup", "course", "copy.tar"][..],
        &["check", "course"],
        &["records", "course", "all.jsonl"],
    ] {
        let said = league.command(words, 2);
        assert!(said.contains("there is no database"), "{words:?}: {said}");
    }
}
