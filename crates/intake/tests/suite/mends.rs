//! Tests of what stays over several downloads.

use crate::judge;
use std::fs;
use std::path::Path;
use testing::archive::zip_of;
use testing::downloads::{BROKEN, SYSTEMS, download, unpack};
use testing::intake::{FIRST, submission};
use testing::{Folder, Printed, Words, assert_has, folder};

/// Takes a source in with Python 3 alone: a search for other interpreters takes time.
#[track_caller]
fn intake(place: &Path, source: &str, options: impl Words, code: i32) -> Printed {
    let only = place.join("bin");
    if fs::create_dir(&only).is_ok() {
        std::os::unix::fs::symlink("/usr/bin/python3", only.join("python3")).unwrap();
    }
    testing::intake::intake(judge(place).env("PATH", only), source, options, code)
}

fn program(place: &Path, student: &str) -> Vec<u8> {
    fs::read(place.join("class").join(student).join("program/homework.py")).unwrap()
}

#[test]
fn what_was_mended_in_a_download_stays_until_the_student_hands_in_other_files() {
    let news = [FIRST, b"# again\n"].concat();
    let mended = [b"# mended\n", FIRST].concat();
    for (system, has_numbers, path_of) in SYSTEMS {
        let place = folder();
        let place = &*place;
        let take = |source: &str, options: &[&str], code| {
            let output = intake(place, source, options, code);
            let (told, table) = (output.stderr, output.stdout);
            assert_has(&told, [&format!("{system} download")]);
            println!("{system}, {source} {options:?}:\n{table}");
            table
        };
        let line = |table: &str, name: &str| {
            table.lines().find(|line| line.starts_with(name)).unwrap().to_string()
        };
        let first = [("ann", 1, FIRST), ("cem", 1, BROKEN), ("gus", 1, FIRST)];
        place.write("1.zip", zip_of(&download(path_of, &first)));
        take("1.zip", &[], 1);
        unpack(place, "unpacked", &download(path_of, &first));
        let own = place.join("unpacked").join(path_of(2, "cem", 1));
        fs::write(own, &mended).unwrap();
        let table = take("unpacked", &[], 0);
        assert_has(line(&table, "cem"), ["they count as mended by you"]);
        assert_has(&table, ["2 unchanged"]);
        place.write("2.zip", zip_of(&download(path_of, &[first[0], first[1], ("gus", 2, &news)])));
        let table = take("2.zip", &[], 0);
        assert_has(
            line(&table, "cem"),
            ["the version that you have mended stays: the upload is still"],
        );
        assert_eq!(
            (program(place, "cem"), program(place, "gus")),
            (mended.clone(), news.clone()),
            "{system}"
        );
        let table = take("1.zip", &[], 0);
        let why = if has_numbers {
            "this download has an older upload ("
        } else {
            "was replaced by a later one, which stays"
        };
        assert_has(line(&table, "gus"), [why]);
        assert_eq!(
            (program(place, "cem"), program(place, "gus")),
            (mended.clone(), news.clone()),
            "{system}"
        );
        let again = download(path_of, &[first[0], ("cem", 3, &news), ("gus", 2, &news)]);
        place.write("3.zip", zip_of(&again));
        unpack(place, "3", &again);
        // One system with numbers and one without have the rest.
        let all = ["Canvas", "Moodle"].contains(&system);
        for source in if all { &["3.zip", "3"][..] } else { &["3.zip"] } {
            let table = take(source, &[], 1);
            assert_has(
                line(&table, "cem"),
                ["--take-upload 'cem' takes it and puts yours aside, --keep-mended 'cem'"],
            );
            assert_eq!(program(place, "cem"), mended, "{system}");
        }
        if !all {
            continue;
        }
        take("1.zip", &["--take-upload", "gus"], 0);
        assert_eq!(program(place, "gus"), FIRST, "{system}");
        let before = submission(place, "cem");
        let table = take("3.zip", &["--keep-mended", "cem"], 0);
        assert_has(line(&table, "cem"), ["as you chose"]);
        let table = take("3.zip", &[], 0);
        assert_has(line(&table, "cem"), ["the version that you have mended stays"]);
        assert_eq!(program(place, "cem"), mended, "{system}");
        assert_eq!(submission(place, "cem")["digest"], before["digest"], "grades are kept");
        let table = take("3.zip", &["--take-upload", "cem"], 0);
        assert_has(
            line(&table, "cem"),
            ["the version that you had mended is in class/.mended/cem"],
        );
        assert_eq!(program(place, "cem"), news, "{system}");
        assert_eq!(
            fs::read(place.join("class/.mended/cem/program/homework.py")).unwrap(),
            mended,
            "{system}"
        );
        assert_has(take("3.zip", &[], 0), ["3 unchanged"]);
        intake(place, "3.zip", "--take-upload bob", 2);
    }
}

#[test]
fn what_was_mended_in_a_students_folder_stays_whatever_else_changes() {
    let place = folder();
    let place = &*place;
    let path_of = SYSTEMS[0].2;
    place.write("1.zip", zip_of(&download(path_of, &[("cem", 1, BROKEN), ("gus", 1, FIRST)])));
    intake(place, "1.zip", "", 1);
    place.write("class/cem/program/homework.py", FIRST);
    let file = place.join("class/cem/submission.toml");
    let edited = fs::read_to_string(&file).unwrap().replace("does-not-play", "mended");
    fs::write(&file, &edited).unwrap();
    let table = intake(place, "1.zip", "--build-time 59", 0).stdout;
    assert_has(&table, ["its folder, which you have edited, stays", "1 unchanged"]);
    assert_eq!(
        (program(place, "cem"), fs::read_to_string(&file).unwrap()),
        (FIRST.to_vec(), edited)
    );
    let news = [FIRST, b"# again\n"].concat();
    place.write("2.zip", zip_of(&download(path_of, &[("cem", 2, &news), ("gus", 1, FIRST)])));
    let table = intake(place, "2.zip", "", 1).stdout;
    assert_has(&table, ["--take-upload 'cem'"]);
    assert_eq!(program(place, "cem"), FIRST);
    // A download that was mended before any intake, and then the download itself.
    let mended = download(path_of, &[("dee", 1, FIRST)]);
    unpack(place, "early", &mended);
    intake(place, "early", "", 0);
    place.write("early.zip", zip_of(&download(path_of, &[("dee", 1, BROKEN)])));
    for why in [
        "the files of this upload that you have mended in a directory stay",
        "the version that you have mended stays",
    ] {
        let table = intake(place, "early.zip", "", 0).stdout;
        assert_has(&table, [why]);
        assert_eq!(program(place, "dee"), FIRST);
    }
    // A slip in the edit loses nothing either.
    fs::write(&file, "state = \"readdy\"\n").unwrap();
    let table = intake(place, "2.zip", "", 1).stdout;
    assert_has(&table, ["correct the file, or delete the folder"]);
    assert_eq!(program(place, "cem"), FIRST);
}

#[test]
fn a_student_keeps_the_folder_where_a_namesake_comes_or_goes() {
    let place = folder();
    let place = &*place;
    let one = ("lee_3001_9001_homework.py".to_string(), BROKEN.to_vec());
    let ann = ("ann_3009_9009_homework.py".to_string(), FIRST.to_vec());
    place.write("1.zip", zip_of(&[one.clone(), ann.clone()]));
    intake(place, "1.zip", "", 1);
    unpack(place, "unpacked", &[("lee_3001_9001_homework.py".to_string(), FIRST.to_vec())]);
    intake(place, "unpacked", "", 0);
    let other = ("lee_3002_9002_homework.py".to_string(), [FIRST, b"# other\n"].concat());
    place.write("2.zip", zip_of(&[one, other.clone(), ann]));
    let table = intake(place, "2.zip", "", 0).stdout;
    assert_has(&table, ["lee (3001)", "the version that you have mended stays"]);
    assert_eq!(
        (program(place, "lee (3001)"), program(place, "lee (3002)")),
        (FIRST.to_vec(), other.1.clone())
    );
    assert!(!place.join("class/lee").exists());
    // In a zip of late uploads alone, the namesake has the bare name.
    let place = folder();
    let place = &*place;
    place.write("1.zip", zip_of(&[("lee_3001_9001_homework.py".to_string(), FIRST.to_vec())]));
    intake(place, "1.zip", "", 0);
    place.write("late.zip", zip_of(&[other]));
    intake(place, "late.zip", "", 0);
    assert_eq!(program(place, "lee"), FIRST);
    assert_eq!(submission(place, "lee (3002)")["id"].as_str(), Some("3002"));
}
