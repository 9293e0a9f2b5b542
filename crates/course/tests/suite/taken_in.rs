//! Tests of gradings of what an intake has made.

use crate::common::{intake, judge, run};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use testing::class::{self, Made};
use testing::gradings::TINY;
use testing::{Folder, folder, wait};

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

#[test]
fn programs_in_python_and_c_of_several_styles_are_graded() {
    // Every style has a test of the intake; of those that play, a part is enough here.
    let styles =
        ["plain-", "zip-", "parts-", "crashes-", "silent-", "report-alone", "broken-c", "try-"];
    let place = folder();
    let made = class::make_some(&place.join("made"), |made| {
        made.is_basic() && styles.iter().any(|style| made.student.starts_with(style))
    });
    assert!(made.len() >= 8, "{}", made.len());
    println!("{}", intake(&place, "made", "--concurrency 2 --build-time 30", 1).stdout);
    is_graded(&place, &made);
}
