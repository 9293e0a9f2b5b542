//! Tests of what stays over several downloads.

use crate::judge;
use std::fs;
use std::path::Path;
use testing::archive::zip_of;
use testing::downloads::{BROKEN, SYSTEMS, download, unpack};
use testing::intake::{FIRST, submission};
use testing::{Folder, Printed, Words, assert_has, folder, text};

/// Takes a source in with Python 3 alone: a search for other interpreters takes time.
#[track_caller]
fn intake(place: &Path, source: &str, options: impl Words, code: i32) -> Printed {
    let only = place.join("bin");
    if fs::create_dir(&only).is_ok() {
        std::os::unix::fs::symlink("/usr/bin/python3", only.join("python3")).unwrap();
    }
    testing::intake::intake(judge(place).env("PATH", only), source, options, code)
}

#[track_caller]
fn assert_programs(place: &Path, expected: &[(&str, &[u8])]) {
    for (student, program) in expected {
        let found = place.read(format!("class/{student}/program/homework.py"));
        assert_eq!(found, text(program), "{student}");
    }
}

/// Expects words in a student's line of a table.
#[track_caller]
fn assert_told(table: &str, student: &str, part: &str) {
    assert_has(table.lines().find(|line| line.starts_with(student)).unwrap(), [part]);
}

#[test]
fn what_was_mended_in_a_download_stays_until_the_student_hands_in_other_files() {
    let news = &[FIRST, b"# again\n"].concat();
    let mended = &[b"# mended\n", FIRST].concat();
    // One system that numbers its uploads, and one that does not.
    let two = SYSTEMS.into_iter().filter(|(system, ..)| ["Canvas", "Moodle"].contains(system));
    for (system, has_numbers, path_of) in two {
        let place = folder();
        let take = |source: &str, options: &[&str], code| {
            let output = intake(&place, source, options, code);
            assert_has(output.stderr, [&format!("{system} download")]);
            println!("{system}, {source} {options:?}:\n{}", output.stdout);
            output.stdout
        };
        let first = [("ann", 1, FIRST), ("cem", 1, BROKEN), ("gus", 1, FIRST)];
        place.write("1.zip", zip_of(&download(path_of, &first)));
        take("1.zip", &[], 1);
        unpack(&place, "unpacked", &download(path_of, &first));
        place.join("unpacked").write(path_of(2, "cem", 1), mended);
        let table = take("unpacked", &[], 0);
        assert_told(&table, "cem", "they count as mended by you");
        assert_has(&table, ["2 unchanged"]);
        place.write("2.zip", zip_of(&download(path_of, &[first[0], first[1], ("gus", 2, news)])));
        let stays = "the version that you have mended stays: the upload is still";
        assert_told(&take("2.zip", &[], 0), "cem", stays);
        assert_programs(&place, &[("cem", mended), ("gus", news)]);
        let why = if has_numbers {
            "this download has an older upload ("
        } else {
            "was replaced by a later one, which stays"
        };
        assert_told(&take("1.zip", &[], 0), "gus", why);
        assert_programs(&place, &[("cem", mended), ("gus", news)]);
        let again = download(path_of, &[first[0], ("cem", 3, news), ("gus", 2, news)]);
        place.write("3.zip", zip_of(&again));
        unpack(&place, "3", &again);
        for source in ["3.zip", "3"] {
            let choice = "--take-upload 'cem' takes it and puts yours aside, --keep-mended 'cem'";
            assert_told(&take(source, &[], 1), "cem", choice);
            assert_programs(&place, &[("cem", mended)]);
        }
        take("1.zip", &["--take-upload", "gus"], 0);
        assert_programs(&place, &[("gus", FIRST)]);
        let before = submission(&place, "cem");
        assert_told(&take("3.zip", &["--keep-mended", "cem"], 0), "cem", "as you chose");
        assert_told(&take("3.zip", &[], 0), "cem", "the version that you have mended stays");
        assert_programs(&place, &[("cem", mended)]);
        assert_eq!(submission(&place, "cem")["digest"], before["digest"], "grades are kept");
        let aside = "the version that you had mended is in class/.mended/cem";
        assert_told(&take("3.zip", &["--take-upload", "cem"], 0), "cem", aside);
        assert_programs(&place, &[("cem", news), (".mended/cem", mended)]);
        assert_has(take("3.zip", &[], 0), ["3 unchanged"]);
        intake(&place, "3.zip", "--take-upload bob", 2);
    }
}

#[test]
fn what_was_mended_in_a_students_folder_stays_whatever_else_changes() {
    let place = folder();
    let path_of = SYSTEMS[0].2;
    place.write("1.zip", zip_of(&download(path_of, &[("cem", 1, BROKEN), ("gus", 1, FIRST)])));
    intake(&place, "1.zip", "", 1);
    place.write("class/cem/program/homework.py", FIRST);
    let file = "class/cem/submission.toml";
    let edited = place.read(file).replace("does-not-play", "mended");
    place.write(file, &edited);
    let table = intake(&place, "1.zip", "--build-time 59", 0).stdout;
    assert_has(&table, ["its folder, which you have edited, stays", "1 unchanged"]);
    assert_programs(&place, &[("cem", FIRST)]);
    assert_eq!(place.read(file), edited);
    let news = [FIRST, b"# again\n"].concat();
    place.write("2.zip", zip_of(&download(path_of, &[("cem", 2, &news), ("gus", 1, FIRST)])));
    assert_has(intake(&place, "2.zip", "", 1).stdout, ["--take-upload 'cem'"]);
    assert_programs(&place, &[("cem", FIRST)]);
    // A download that was mended before any intake, and then the download itself.
    unpack(&place, "early", &download(path_of, &[("dee", 1, FIRST)]));
    intake(&place, "early", "", 0);
    place.write("early.zip", zip_of(&download(path_of, &[("dee", 1, BROKEN)])));
    for why in [
        "the files of this upload that you have mended in a directory stay",
        "the version that you have mended stays",
    ] {
        assert_has(intake(&place, "early.zip", "", 0).stdout, [why]);
        assert_programs(&place, &[("dee", FIRST)]);
    }
    // A slip in the edit loses nothing either.
    place.write(file, "state = \"readdy\"\n");
    let table = intake(&place, "2.zip", "", 1).stdout;
    assert_has(&table, ["correct the file, or delete the folder"]);
    assert_programs(&place, &[("cem", FIRST)]);
}

#[test]
fn a_student_keeps_the_folder_where_a_namesake_comes_or_goes() {
    let place = folder();
    let lee = "lee_3001_9001_homework.py";
    let ann = ("ann_3009_9009_homework.py", FIRST);
    let own = [FIRST, b"# other\n"].concat();
    let other = ("lee_3002_9002_homework.py", &own[..]);
    place.write("1.zip", zip_of(&[(lee, BROKEN), ann]));
    intake(&place, "1.zip", "", 1);
    unpack(&place, "unpacked", &[(lee.to_string(), FIRST.to_vec())]);
    intake(&place, "unpacked", "", 0);
    place.write("2.zip", zip_of(&[(lee, BROKEN), other, ann]));
    let table = intake(&place, "2.zip", "", 0).stdout;
    assert_has(&table, ["lee (3001)", "the version that you have mended stays"]);
    assert_programs(&place, &[("lee (3001)", FIRST), ("lee (3002)", other.1)]);
    assert!(!place.join("class/lee").exists());
    // In a zip of late uploads alone, the namesake has the bare name.
    let place = folder();
    place.write("1.zip", zip_of(&[(lee, FIRST)]));
    intake(&place, "1.zip", "", 0);
    place.write("late.zip", zip_of(&[other]));
    intake(&place, "late.zip", "", 0);
    assert_programs(&place, &[("lee", FIRST)]);
    assert_eq!(submission(&place, "lee (3002)")["id"].as_str(), Some("3002"));
}
