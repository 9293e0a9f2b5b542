//! Tests of gradings of what an intake has made.

use crate::common::{intake, judge, run};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use testing::archive::{forged, zip};
use testing::class::{self, Made};
use testing::gradings::TINY;
use testing::intake::FIRST;
use testing::{Folder, assert_has, folder, needs, wait};

/// Grades a class that was taken in, with the judge killed on the way: honest players lose nothing,
/// and everybody is on the page, with a report.
fn is_graded(place: &Path, made: &[Made]) {
    let words = format!(
        "grade-all --game halma class {TINY} --concurrency 2 --csv grades.csv --page class.html"
    );
    let mut words: Vec<&str> = words.split(' ').collect();
    let mut killed =
        judge(place).args(&words).stderr(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
    // Some tests are over then, and some are running.
    let record = || fs::read_to_string(place.join("grades.jsonl")).unwrap_or_default();
    wait("three tests", || record().matches("\"event\":\"end\"").count() >= 3);
    killed.kill().unwrap();
    killed.wait().unwrap();
    words.push("--resume");
    println!("{}", run(place, &words, 0).stdout);
    let mut reader = csv::Reader::from_path(place.join("grades.csv")).unwrap();
    let rows: BTreeMap<String, csv::StringRecord> =
        reader.records().map(|row| row.unwrap()).map(|row| (row[0].to_string(), row)).collect();
    assert_eq!(rows.len(), made.len());
    let page = place.read("class.html");
    for made in made {
        let row = &rows[&made.student];
        assert!(
            page.contains(&format!(">{}<", made.student)),
            "{} is not on the page",
            made.student
        );
        if made.state == "needs-you" || made.missing().is_some() {
            assert!(row[1] == *"0" && row[4].starts_with("not run: "), "{row:?}");
        } else if made.honest {
            // The position gives its point, the game that ends at its limit half of its ten.
            assert_eq!((&row[1], &row[4]), ("6", "1 draw by move limit"), "{row:?}");
        }
    }
}

/// Takes in and grades a part of the class.
#[track_caller]
fn are_graded(wanted: impl Fn(&Made) -> bool) {
    let place = folder();
    let made = class::make_some(&place.join("made"), wanted);
    assert!(made.len() >= 8, "{}", made.len());
    println!("{}", intake(&place, "made", "--concurrency 2 --build-time 30", 1).stdout);
    is_graded(&place, &made);
}

#[test]
fn programs_in_python_and_c_of_several_styles_are_graded() {
    // Every style has a test of the intake; of those that play, a part is enough here.
    let styles =
        ["plain-", "zip-", "parts-", "crashes-", "silent-", "report-alone", "broken-c", "try-"];
    are_graded(|made| {
        made.is_basic() && styles.iter().any(|style| made.student.starts_with(style))
    });
}

#[test]
#[ignore = "needs java, g++ and node"]
fn programs_in_other_languages_are_graded() {
    ["javac", "java", "g++", "node"].into_iter().for_each(needs);
    are_graded(|made| !made.is_basic());
}

#[test]
fn a_folder_that_has_another_name_than_its_student_is_graded_by_it() {
    let place = folder();
    let names = ["ann", "intake.toml"].map(|name| format!("class/{name}/homework.py"));
    let files: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), FIRST)).collect();
    place.write("download.zip", zip(&files));
    intake(&place, "download.zip", "", 0);
    let words = "grade-all --game halma class --singles 1 --games 0 --csv grades.csv".split(' ');
    run(&place, &words.collect::<Vec<_>>(), 0);
    let grades = place.read("grades.csv");
    assert!(grades.contains("\nintake.toml~2,") && grades.lines().count() == 3, "{grades}");
}

#[test]
fn a_report_says_what_could_not_be_unpacked() {
    let place = folder();
    place.write("made/ann/hw.zip", forged(14, 0));
    intake(&place, "made", "", 1);
    let words = "grade-all --game halma class --singles 1 --games 0 --csv grades.csv --reports reports --report text";
    run(&place, words, 0);
    let report = place.read("reports/ann.txt");
    let line =
        "hw.zip: hw/homework.py cannot be unpacked (method 14, LZMA): hand in an ordinary zip";
    assert_has(&report, [line]);
}
