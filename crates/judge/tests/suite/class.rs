//! Tests of a class whose grading is killed or interrupted, and of its record in other commands.
//! Tests of grading itself: crates/course.

mod parts;
mod tournament;

use crate::common::{grade, interrupt_twice, judge, namespaces_stand, run, student, words};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};
use testing::gradings::{attempts, grades};
use testing::{Folder, NewFolder, Printed, assert_has, assert_lacks, events, folder, wait};

fn begun(place: &Path) -> usize {
    let record = fs::read_to_string(place.join("grades.jsonl")).unwrap_or_default();
    record.matches("\"event\":\"attempt\"").count()
}

/// Starts a grading, and waits until it has begun a test more than were begun before.
fn start(place: &Path, options: &str) -> Child {
    let before = begun(place);
    let mut judge = judge(place);
    judge.args(words(options)).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut process = judge.spawn().unwrap();
    wait("a test", || {
        let is_there = begun(place) > before;
        assert!(is_there || process.try_wait().unwrap().is_none(), "it has ended by itself");
        is_there
    });
    process
}

/// Ends the judge, of which no handler runs.
fn kill(mut process: Child) {
    process.kill().unwrap();
    process.wait().unwrap();
}

fn of_ann(place: &Path) -> [String; 2] {
    let mut ann = grades(place).remove("ann").unwrap();
    [ann.remove(0), ann.remove(1)]
}

#[test]
fn a_class_that_is_killed_at_any_moment_goes_on_to_the_same_result() {
    let make = |place: &Path| {
        student(place, "ann", "PLAY");
        student(place, "bob", "PLAY");
        student(place, "eve", "exit 1");
        student(place, "fay", "echo E 0,0 0,0 > output.txt");
    };
    let whole = folder();
    make(&whole);
    grade(&whole, "", 0);
    let expected = grades(&whole);
    assert_eq!((&*expected["ann"][0], &*expected["eve"][2]), ("14", "3 crash, 3 not played"));
    for (tests, workers) in [(1, 1), (6, 2), (12, 2)] {
        let place = folder();
        make(&place);
        let process = start(&place, &format!("--concurrency {workers}"));
        wait("a test", || begun(&place) >= tests);
        kill(process);
        grade(&place, &format!("--resume --concurrency {workers}"), 0);
        assert_eq!(grades(&place), expected, "killed in test {tests}");
        // Only what was running is played again.
        assert!(attempts(&place).values().filter(|&&count| count > 1).count() <= workers);
    }
}

/// The points of ann without one position, and what she lost.
const LOST: [&str; 2] = ["13", "2 draw by move limit, 1 ended the judge"];

#[test]
fn the_record_of_a_class_can_be_replayed_analysed_and_watched() {
    let place = folder();
    student(&place, "ann", "PLAY");
    student(&place, "bob", "PLAY");
    grade(&place, "--pin --concurrency 1 --analyse=100", 0);
    for words in [
        "replay grades.jsonl --html games.html",
        "replay grades.jsonl --text --game 11",
        "analyse grades.jsonl --game 12 --side bob --nodes 100",
        "watch --once grades.jsonl",
        "position grades.jsonl --game 5 --ply 1",
    ] {
        run(&place, words, 0);
    }
    place.remove("grades.csv");
    place.remove("grades.jsonl");
    grade(&place, "--pin --concurrency 4096", 2).has(["--pin: 4096 workers"]);
}

#[test]
fn what_was_running_when_the_judge_was_told_twice_to_stop_is_no_attempt() {
    let place = folder();
    student(&place, "ann", "grep -q SINGLE input.txt && sleep 2; PLAY");
    for options in ["--wall-margin 60", "--wall-margin 60 --resume"] {
        let mut process = start(&place, options);
        interrupt_twice(&mut process);
        assert_eq!(process.wait().unwrap().code(), Some(130));
        let last = events(place.join("grades.jsonl")).pop().unwrap();
        assert_eq!((&last["event"], &last["error"]), (&"result".into(), &"stopped by ^C".into()));
    }
    assert_eq!(attempts(&place), BTreeMap::from([(1, 2)]));
    student(&place, "bob", "PLAY");
    let record = place.read("grades.jsonl");
    grade(&place, "--resume --wall-margin 60", 0);
    assert_lacks(&record, ["ended the judge"]);
    assert_eq!(of_ann(&place)[0], "14");
}

/// Kills the judge in one and the same test, so many times, and then lets it go on.
fn killed_in_one_test(options: &str, kills: usize) -> (NewFolder, Printed) {
    let place = folder();
    // The first test takes a while; the others do not, so that nothing but the first one is killed.
    student(&place, "ann", "grep -q SINGLE input.txt && sleep 1; PLAY");
    let options = format!("--wall-margin 60 {options}");
    for round in 0..kills {
        let resume = if round > 0 { "--resume" } else { "" };
        kill(start(&place, &format!("{options} {resume}")));
    }
    let told = grade(&place, &format!("{options} --resume --reports reports"), 0);
    (place, told)
}

#[test]
fn a_judge_that_is_killed_from_outside_costs_an_honest_student_nothing() {
    // Without namespaces the player may have killed the judge.
    if !namespaces_stand() {
        return costs_the_student_that_test("");
    }
    let (place, told) = killed_in_one_test("", 3);
    assert_eq!(attempts(&place)[&1], 4, "each time in the first test");
    assert_eq!(of_ann(&place)[0], "14", "{told:?}");
    assert_lacks(place.read("reports/ann.txt"), ["ended the judge"]);
    told.has([
        "ann, position 1 (",
        "the judge ended 3 times while this test was running",
        "not because of the program",
        "it is played again",
    ]);
}

#[test]
fn a_judge_that_a_player_can_have_killed_is_not_started_again_without_end() {
    costs_the_student_that_test("--sandbox off --yes-unsafe");
}

/// Nothing kept the program from killing the judge, which was killed twice: the test is lost, and
/// no other.
fn costs_the_student_that_test(options: &str) {
    let (place, told) = killed_in_one_test(options, 2);
    assert_eq!(attempts(&place)[&1], 2, "{told:?}");
    assert_eq!(of_ann(&place), LOST);
    let words = "no sandbox kept the program from causing that; the test is not tried again";
    assert_has(place.read("reports/ann.txt"), [words]);
}
