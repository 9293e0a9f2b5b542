//! Tests of the parts of a class that several machines grade.

use crate::common::{grade, run, student, words};
use std::fs;
use testing::text;

#[test]
fn parts_of_a_class_make_the_whole() {
    let place = tempfile::tempdir().unwrap();
    student(place.path(), "ann", "PLAY");
    student(place.path(), "bob, jr", "echo oh no >&2; exit 1");
    fs::create_dir_all(place.path().join("class/eve")).unwrap();
    fs::write(place.path().join("class/eve/command"), "./missing\n").unwrap();
    let graded = |options: &str| text(&grade(place.path(), &format!("--own-commands {options}"), 0).stdout);
    let mut students: Vec<String> = Vec::new();
    for part in ["1", "2"] {
        graded(&format!("--shard {part}/2 --record part-{part}.jsonl"));
        let csv = fs::read_to_string(place.path().join("grades.csv")).unwrap();
        students.extend(csv.lines().skip(1).map(|line| line[..3].to_string()));
        fs::remove_file(place.path().join("grades.csv")).unwrap();
    }
    students.sort();
    assert_eq!(students, ["\"bo", "ann", "eve"]);
    let told = run(place.path(), &["merge", "part-2.jsonl", "part-1.jsonl", "--output", "all.jsonl"], 0);
    assert!(text(&told.stdout).starts_with("3 submissions, 9 tests finished\n"), "{}", text(&told.stdout));
    let before = fs::metadata(place.path().join("all.jsonl")).unwrap().len();
    let joined = graded("--resume --record all.jsonl");
    assert_eq!(fs::metadata(place.path().join("all.jsonl")).unwrap().len(), before, "nothing is played again");
    fs::remove_file(place.path().join("grades.csv")).unwrap();
    let whole = graded("");
    let points = |table: &str| -> Vec<String> { table.lines().map(|line| line[..24].to_string()).collect() };
    assert_eq!(points(&joined), points(&whole));
    run(place.path(), &["replay", "--text", "all.jsonl"], 0);
    run(place.path(), &["merge", "part-1.jsonl", "grades.jsonl", "--output", "again.jsonl"], 0);
    let record = fs::read_to_string(place.path().join("part-1.jsonl")).unwrap();
    fs::write(place.path().join("strange.jsonl"), record.replace("\"submission\":\"ann\"", "\"submission\":\"zed\""))
        .unwrap();
    let told = run(place.path(), &["merge", "part-1.jsonl", "strange.jsonl", "--output", "no.jsonl"], 2);
    assert!(text(&told.stderr).contains("'ann' and 'zed' have the same number"), "{}", text(&told.stderr));
    assert!(!place.path().join("no.jsonl").exists());
    // Another count is another scheme.
    let words = words("--own-commands --shard 1/2 --record other.jsonl --singles 3").into_iter();
    let words: Vec<String> = words.map(|word| word.replace("grades.csv", "other.csv")).collect();
    run(place.path(), &words.iter().map(String::as_str).collect::<Vec<_>>(), 0);
    let told = run(place.path(), &["merge", "part-1.jsonl", "other.jsonl", "--output", "no.jsonl"], 2);
    assert!(
        text(&told.stderr).contains("another class than part-1.jsonl, or graded by another scheme"),
        "{}",
        text(&told.stderr)
    );
}
