//! Tests of a class whose grading is killed or interrupted, and of its record in other commands.
//! Tests of grading itself: crates/course.

mod parts;
mod tournament;

use crate::common::{grade, interrupt_twice, judge, namespaces_stand, run, student, words};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use testing::gradings::{attempts, grades};
use testing::{Folder, NewFolder, assert_has, assert_lacks, events, folder, wait};

/// The number of tests that the grading in a folder has begun.
fn begun(place: &Path) -> usize {
    let record = fs::read_to_string(place.join("grades.jsonl")).unwrap_or_default();
    record.matches("\"event\":\"attempt\"").count()
}

#[test]
fn a_class_that_is_killed_at_any_moment_goes_on_to_the_same_result() {
    let make = |place: &Path| {
        for name in ["ann", "bob", "cid", "dan"] {
            student(place, name, "PLAY");
        }
        student(place, "eve", "exit 1");
        student(place, "fay", "echo E 0,0 0,0 > output.txt");
    };
    let whole = folder();
    make(&whole);
    grade(&whole, "", 0);
    let expected = grades(&whole);
    assert_eq!(
        (expected["ann"][0].as_str(), expected["eve"][2].as_str()),
        ("14", "3 crash, 3 not played")
    );
    for (tests, workers) in [(1, 1), (9, 2), (20, 2)] {
        let place = folder();
        make(&place);
        let mut process = judge(&place)
            .args(words(&format!("--concurrency {workers}")))
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        wait("a test", || begun(&place) >= tests);
        // No handler of the judge's runs.
        process.kill().unwrap();
        process.wait().unwrap();
        grade(&place, &format!("--resume --concurrency {workers}"), 0);
        assert_eq!(grades(&place), expected, "killed in test {tests}");
        // Only what was running is played again.
        assert!(attempts(&place).values().filter(|&&count| count > 1).count() <= workers);
    }
}

#[test]
fn a_test_that_ended_the_judge_twice_is_lost_with_its_reason() {
    let place = folder();
    student(&place, "ann", "PLAY");
    grade(&place, "", 0);
    let record = place.join("grades.jsonl");
    let lines = fs::read_to_string(&record).unwrap();
    // The judge was killed in the second test, without a sandbox; then in the second and the third
    // one.
    let third = "{\"event\":\"attempt\",\"game\":3}\n";
    let begun =
        |test: u32| lines.find(&format!("{{\"event\":\"attempt\",\"game\":{test}")).unwrap();
    let (second, cut) = (begun(2), begun(3));
    let once = "{\"event\":\"attempt\",\"game\":2}\n";
    let kept: String = lines[..second].to_string();
    fs::write(&record, format!("{kept}{once}{}", &lines[cut..cut + 20])).unwrap();
    grade(&place, "--resume", 0);
    assert_eq!(grades(&place)["ann"][0], "14");
    fs::write(&record, format!("{kept}{once}{once}{third}")).unwrap();
    grade(&place, "--resume --reports reports", 0);
    let ann = &grades(&place)["ann"];
    assert_eq!(
        (ann[0].as_str(), ann[2].as_str()),
        ("13", "2 draw by move limit, 1 ended the judge")
    );
    let report = place.read("reports/ann.txt");
    assert_has(&report, ["ended the judge: the judge ended 2 times while this test was running"]);
    assert_eq!(attempts(&place)[&2], 2);
}

#[test]
fn the_record_of_a_class_can_be_replayed_analysed_and_watched() {
    let place = folder();
    student(&place, "ann", "PLAY");
    student(&place, "bob", "PLAY");
    grade(&place, "--pin --concurrency 1 --analyse=100", 0);
    for words in [
        &["replay", "grades.jsonl", "--html", "games.html"][..],
        &["replay", "grades.jsonl", "--text", "--game", "11"],
        &["analyse", "grades.jsonl", "--game", "12", "--side", "bob", "--nodes", "100"],
        &["watch", "--once", "grades.jsonl"],
        &["position", "grades.jsonl", "--game", "5", "--ply", "1"],
    ] {
        run(&place, words, 0);
    }
    let words = words("--pin --concurrency 4096");
    fs::remove_file(place.join("grades.csv")).unwrap();
    let words: Vec<&str> =
        words.iter().map(|word| if word == "grades.csv" { "other.csv" } else { word }).collect();
    let told = run(&place, &words, 2);
    assert_has(&told.stderr, ["--pin: 4096 workers"]);
}

#[test]
fn what_was_running_when_the_judge_was_told_twice_to_stop_is_no_attempt() {
    let place = folder();
    student(&place, "ann", "grep -q SINGLE input.txt && sleep 2; PLAY");
    for round in 0..2 {
        let mut words = words("--wall-margin 60");
        words.extend((round > 0).then(|| "--resume".to_string()));
        let before = begun(&place);
        let mut process =
            judge(&place).args(words).stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        wait("a test", || begun(&place) > before);
        interrupt_twice(&mut process);
        assert_eq!(process.wait().unwrap().code(), Some(130));
        let last = events(place.join("grades.jsonl")).pop().unwrap();
        assert_eq!(
            (&last["event"], &last["error"]),
            (&"result".into(), &"stopped by ^C".into()),
            "{last}"
        );
    }
    assert_eq!(attempts(&place), BTreeMap::from([(1, 2)]));
    student(&place, "bob", "PLAY");
    let record = place.read("grades.jsonl");
    grade(&place, "--resume --wall-margin 60", 0);
    assert_lacks(&record, ["ended the judge"]);
    assert_eq!(grades(&place)["ann"][0], "14");
}

/// Kills the judge in one and the same test, so many times, and then lets it go on.
fn killed_in_one_test(options: &str, kills: usize) -> (NewFolder, String) {
    let place = folder();
    let there = &*place;
    // The first test takes a while; the others do not, so that nothing but the first one is killed.
    student(there, "ann", "grep -q SINGLE input.txt && sleep 1; PLAY");
    let options = format!("--wall-margin 60 {options}");
    for round in 0..kills {
        let mut words = words(&options);
        words.extend((round > 0).then(|| "--resume".to_string()));
        let before = begun(there);
        let mut process =
            judge(there).args(words).stderr(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
        wait("a test", || {
            let is_there = begun(there) > before;
            let goes_on = is_there || process.try_wait().unwrap().is_none();
            assert!(goes_on, "the judge has ended by itself in round {round}");
            is_there
        });
        assert!(
            Command::new("kill")
                .args(["-9", &process.id().to_string()])
                .status()
                .unwrap()
                .success()
        );
        process.wait().unwrap();
    }
    let told = grade(there, &format!("{options} --resume --reports reports"), 0);
    (place, told.stderr)
}

#[test]
fn a_judge_that_is_killed_from_outside_costs_an_honest_student_nothing() {
    // Without namespaces the player may have killed the judge.
    if !namespaces_stand() {
        return costs_the_student_that_test("");
    }
    let (place, told) = killed_in_one_test("", 3);
    assert_eq!(attempts(&place)[&1], 4, "each time in the first test");
    assert_eq!(grades(&place)["ann"][0], "14", "{told}");
    assert_lacks(place.read("reports/ann.txt"), ["ended the judge"]);
    assert_has(
        &told,
        [
            "ann, position 1 (",
            "the judge ended 3 times while this test was running",
            "not because of the program",
            "it is played again",
        ],
    );
}

#[test]
fn a_judge_that_a_player_can_have_killed_is_not_started_again_without_end() {
    costs_the_student_that_test("--sandbox off --yes-unsafe");
}

/// Nothing kept the program from killing the judge, which was killed twice: the test is lost, and
/// no other.
fn costs_the_student_that_test(options: &str) {
    let (place, told) = killed_in_one_test(options, 2);
    assert_eq!(attempts(&place)[&1], 2, "{told}");
    assert_eq!(
        (grades(&place)["ann"][0].as_str(), grades(&place)["ann"][2].as_str()),
        ("13", "2 draw by move limit, 1 ended the judge")
    );
    let report = place.read("reports/ann.txt");
    assert_has(
        &report,
        ["no sandbox kept the program from causing that; the test is not tried again"],
    );
}
