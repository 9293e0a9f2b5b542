//! Tests of the parts of a class that several machines grade.

use crate::common::{grade, run, student};
use std::fs;
use testing::{Folder, assert_has, assert_lacks, events, folder};

#[test]
fn parts_of_a_class_make_the_whole() {
    let place = folder();
    student(&place, "ann", "PLAY");
    student(&place, "bob, jr", "echo oh no >&2; exit 1");
    place.write("class/eve/command", "./missing\n");
    let graded = |options: &str| {
        place.remove("grades.csv");
        grade(&place, &format!("--own-commands {options}"), 0).stdout
    };
    let mut students: Vec<String> = Vec::new();
    for part in ["1", "2"] {
        graded(&format!("--shard {part}/2 --record part-{part}.jsonl"));
        let csv = place.read("grades.csv");
        students.extend(csv.lines().skip(1).map(|line| line[..3].to_string()));
    }
    students.sort();
    assert_eq!(students, ["\"bo", "ann", "eve"]);
    let told = run(&place, "merge part-2.jsonl part-1.jsonl --output all.jsonl", 0);
    assert!(told.stdout.starts_with("3 submissions, 9 tests finished\n"), "{told:?}");
    let length = || fs::metadata(place.join("all.jsonl")).unwrap().len();
    let before = length();
    let joined = graded("--resume --record all.jsonl");
    assert_eq!(length(), before, "nothing is played again");
    let whole = graded("");
    let points =
        |table: &str| -> Vec<String> { table.lines().map(|line| line[..24].to_string()).collect() };
    assert_eq!(points(&joined), points(&whole));
    run(&place, "replay --text all.jsonl", 0);
    run(&place, "merge part-1.jsonl grades.jsonl --output again.jsonl", 0);
    let record = place.read("part-1.jsonl");
    let other = record.replace("\"submission\":\"ann\"", "\"submission\":\"zed\"");
    place.write("strange.jsonl", other);
    let refused = |other: &str, words: &str| {
        run(&place, &format!("merge part-1.jsonl {other} --output no.jsonl"), 2).has([words]);
        assert!(!place.join("no.jsonl").exists());
    };
    refused("strange.jsonl", "'ann' and 'zed' have the same number");
    // Another count is another scheme.
    graded("--shard 1/2 --record other.jsonl --singles 3");
    refused("other.jsonl", "another class than part-1.jsonl, or graded by another scheme");
}

#[test]
fn a_class_has_a_seed_that_is_drawn_and_kept_and_its_parts_need_the_same_one() {
    let place = folder();
    place.write("class/eve/command", "./missing\n");
    let graded = |options: &str, code| {
        let words = "grade-all --game halma class --own-commands --singles 1 --games 0";
        run(&place, &format!("{words} {options}"), code)
    };
    let seed = |record: &str| events(place.join(record))[0]["seed"].as_u64().unwrap();
    let told = graded("--record one.jsonl", 0).stderr;
    assert_has(told, [&format!("seed {}, drawn for dice, cards", seed("one.jsonl"))]);
    graded("--record other.jsonl", 0);
    assert_ne!(seed("one.jsonl"), seed("other.jsonl"), "nobody knows it before");
    let before = place.read("one.jsonl");
    assert_lacks(graded("--record one.jsonl --resume", 0).stderr, ["drawn"]);
    graded("--record one.jsonl --resume --seed 1", 2).has(["graded by another scheme"]);
    assert_eq!(place.read("one.jsonl"), before);
    let refused = graded("--shard 1/2 --record part-1.jsonl", 2);
    refused.has(["--shard: all parts need the same dice, cards and openings"]);
    assert!(!place.join("part-1.jsonl").exists());
    graded("--shard 1/2 --record part-1.jsonl --seed 5", 0);
    graded("--shard 2/2 --record part-2.jsonl --seed 6", 0);
    let merged = run(&place, "merge part-1.jsonl part-2.jsonl --output all.jsonl", 2);
    merged
        .has(["graded with seed 6, and part-1.jsonl with seed 5: give all parts the same --seed"]);
}
