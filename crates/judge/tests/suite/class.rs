//! Tests of a class whose grading is killed or interrupted, and of its record in other commands. Tests of grading itself:
//! crates/course.

mod parts;
mod tournament;

use crate::common::{grade, judge, namespaces_stand, run, student, words};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;
use testing::gradings::{attempts, grades};
use testing::{events, text, wait};

#[test]
fn a_class_that_is_killed_at_any_moment_goes_on_to_the_same_result() {
    let make = |place: &Path| {
        for name in ["ann", "bob", "cid", "dan"] {
            student(place, name, "PLAY");
        }
        student(place, "eve", "exit 1");
        student(place, "fay", "echo E 0,0 0,0 > output.txt");
    };
    let whole = tempfile::tempdir().unwrap();
    make(whole.path());
    grade(whole.path(), "", 0);
    let expected = grades(whole.path());
    assert_eq!((expected["ann"][0].as_str(), expected["eve"][2].as_str()), ("14", "3 crash, 3 not played"));
    for (moment, workers) in [(40, 1), (90, 2), (150, 1), (230, 2), (330, 2)] {
        let place = tempfile::tempdir().unwrap();
        make(place.path());
        let mut process =
            judge(place.path()).args(words(&format!("--concurrency {workers}"))).stderr(Stdio::null()).spawn().unwrap();
        sleep(Duration::from_millis(moment));
        // No handler of the judge's runs.
        process.kill().unwrap();
        process.wait().unwrap();
        grade(place.path(), &format!("--resume --concurrency {workers}"), 0);
        assert_eq!(grades(place.path()), expected, "killed after {moment} ms");
        // Only what was running is played again.
        if place.path().join("grades.jsonl").exists() {
            assert!(attempts(place.path()).values().filter(|&&count| count > 1).count() <= workers);
        }
    }
}

#[test]
fn a_test_that_ended_the_judge_twice_is_lost_with_its_reason() {
    let place = tempfile::tempdir().unwrap();
    student(place.path(), "ann", "PLAY");
    grade(place.path(), "", 0);
    let record = place.path().join("grades.jsonl");
    let lines = fs::read_to_string(&record).unwrap();
    // The judge was killed in the second test, without a sandbox; then in the second and the third one.
    let third = "{\"event\":\"attempt\",\"game\":3}\n";
    let begun = |test: u32| lines.find(&format!("{{\"event\":\"attempt\",\"game\":{test}")).unwrap();
    let (second, cut) = (begun(2), begun(3));
    let once = "{\"event\":\"attempt\",\"game\":2}\n";
    let kept: String = lines[..second].to_string();
    fs::write(&record, format!("{kept}{once}{}", &lines[cut..cut + 20])).unwrap();
    grade(place.path(), "--resume", 0);
    assert_eq!(grades(place.path())["ann"][0], "14");
    fs::write(&record, format!("{kept}{once}{once}{third}")).unwrap();
    grade(place.path(), "--resume --reports reports", 0);
    let ann = &grades(place.path())["ann"];
    assert_eq!((ann[0].as_str(), ann[2].as_str()), ("13", "2 draw by move limit, 1 ended the judge"));
    let report = fs::read_to_string(place.path().join("reports/ann.txt")).unwrap();
    assert!(report.contains("ended the judge: the judge ended 2 times while this test was running"), "{report}");
    assert_eq!(attempts(place.path())[&2], 2);
}

#[test]
fn the_record_of_a_class_can_be_replayed_analysed_and_watched() {
    let place = tempfile::tempdir().unwrap();
    student(place.path(), "ann", "PLAY");
    student(place.path(), "bob", "PLAY");
    grade(place.path(), "--pin --concurrency 1 --analyse=100", 0);
    for words in [
        &["replay", "grades.jsonl", "--html", "games.html"][..],
        &["replay", "grades.jsonl", "--text", "--game", "11"],
        &["analyse", "grades.jsonl", "--game", "12", "--side", "bob", "--nodes", "100"],
        &["watch", "--once", "grades.jsonl"],
        &["position", "grades.jsonl", "--game", "5", "--ply", "1"],
    ] {
        run(place.path(), words, 0);
    }
    let words = words("--pin --concurrency 4096");
    fs::remove_file(place.path().join("grades.csv")).unwrap();
    let words: Vec<&str> = words.iter().map(|word| if word == "grades.csv" { "other.csv" } else { word }).collect();
    let told = run(place.path(), &words, 2);
    assert!(text(&told.stderr).contains("--pin: 4096 workers"), "{}", text(&told.stderr));
}

#[test]
fn what_was_running_when_the_judge_was_told_twice_to_stop_is_no_attempt() {
    let place = tempfile::tempdir().unwrap();
    student(place.path(), "ann", "sleep 0.5; PLAY");
    for round in 0..3 {
        let mut words = words("--wall-margin 60");
        words.extend((round > 0).then(|| "--resume".to_string()));
        let mut process = judge(place.path()).args(words).stderr(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
        let record = place.path().join("grades.jsonl");
        let begun = || fs::read_to_string(&record).unwrap_or_default().matches("\"event\":\"attempt\"").count();
        let before = begun();
        wait("a test", || begun() > before);
        for _ in 0..2 {
            let pid = process.id().to_string();
            assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
            sleep(Duration::from_millis(100));
        }
        assert_eq!(process.wait().unwrap().code(), Some(130));
        let last = events(&record).pop().unwrap();
        assert_eq!((&last["event"], &last["error"]), (&"result".into(), &"stopped by ^C".into()), "{last}");
    }
    assert_eq!(attempts(place.path()), BTreeMap::from([(1, 3)]));
    student(place.path(), "bob", "PLAY");
    let record = fs::read_to_string(place.path().join("grades.jsonl")).unwrap();
    grade(place.path(), "--resume --wall-margin 60", 0);
    assert!(!record.contains("ended the judge"));
    assert_eq!(grades(place.path())["ann"][0], "14");
}

/// Kills the judge in one and the same test, so many times, and then lets it go on.
fn killed_in_one_test(options: &str, kills: usize) -> (tempfile::TempDir, String) {
    let place = tempfile::tempdir().unwrap();
    let there = place.path();
    // The first test takes a while; the others do not, so that nothing but the first one is killed.
    student(there, "ann", "grep -q SINGLE input.txt && sleep 1; PLAY");
    let options = format!("--wall-margin 60 {options}");
    let record = there.join("grades.jsonl");
    let begun = || fs::read_to_string(&record).unwrap_or_default().matches("\"event\":\"attempt\"").count();
    for round in 0..kills {
        let mut words = words(&options);
        words.extend((round > 0).then(|| "--resume".to_string()));
        let before = begun();
        let mut process = judge(there).args(words).stderr(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
        wait("a test", || {
            let is_there = begun() > before;
            let goes_on = is_there || process.try_wait().unwrap().is_none();
            assert!(goes_on, "the judge has ended by itself in round {round}");
            is_there
        });
        assert!(Command::new("kill").args(["-9", &process.id().to_string()]).status().unwrap().success());
        process.wait().unwrap();
    }
    let told = grade(there, &format!("{options} --resume --reports reports"), 0);
    (place, text(&told.stderr))
}

#[test]
fn a_judge_that_is_killed_from_outside_costs_an_honest_student_nothing() {
    // Without namespaces the player may have killed the judge.
    if !namespaces_stand() {
        return costs_the_student_that_test("");
    }
    let (place, told) = killed_in_one_test("", 6);
    assert_eq!(attempts(place.path())[&1], 7, "each time in the first test");
    assert_eq!(grades(place.path())["ann"][0], "14", "{told}");
    assert!(!fs::read_to_string(place.path().join("reports/ann.txt")).unwrap().contains("ended the judge"));
    assert!(
        told.contains("ann, position 1 (") && told.contains("the judge ended 6 times while this test was running"),
        "{told}"
    );
    assert!(told.contains("not because of the program") && told.contains("it is played again"), "{told}");
}

#[test]
fn a_judge_that_a_player_can_have_killed_is_not_started_again_without_end() {
    costs_the_student_that_test("--sandbox off --yes-unsafe");
}

/// Nothing kept the program from killing the judge, which was killed twice: the test is lost, and no other.
fn costs_the_student_that_test(options: &str) {
    let (place, told) = killed_in_one_test(options, 2);
    assert_eq!(attempts(place.path())[&1], 2, "{told}");
    assert_eq!(
        (grades(place.path())["ann"][0].as_str(), grades(place.path())["ann"][2].as_str()),
        ("13", "2 draw by move limit, 1 ended the judge")
    );
    let report = fs::read_to_string(place.path().join("reports/ann.txt")).unwrap();
    assert!(report.contains("no sandbox kept the program from causing that; the test is not tried again"), "{report}");
}
