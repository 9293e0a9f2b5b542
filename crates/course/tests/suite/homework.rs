//! A class of homework whose output files are compared.

use crate::common::run;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use testing::archive::zip;
use testing::intake::{said, submission};
use testing::{Folder, assert_has, assert_lacks, folder, works};

/// Doubles the number in its input, called as the homework calls it.
const NAMED: &str = "\
import sys
number = int(open(sys.argv[sys.argv.index('-i') + 1]).read())
open('next_state.txt', 'w').write('%d\\n' % (2 * number))
";

/// The same without a command line.
const PLAIN: &str = "\
number = int(open('input.txt').read())
open('next_state.txt', 'w').write('%d\\r\\n' % (2 * number))
";

/// Four numbers and their doubles.
fn write_cases(place: &Path) {
    for number in [2, 3, 5, 8] {
        let folder = place.join(format!("cases/case{number}"));
        folder.write("input.txt", format!("{number}\n"));
        folder.write("next_state.txt", format!("{}\n", 2 * number));
    }
}

#[test]
fn a_class_of_homework_is_taken_in_and_graded_by_its_cases() {
    let place = folder();
    write_cases(&place);
    let once = PLAIN.replace("2 * number", "6");
    // A task that comes last counts, whatever was left out before.
    let last = PLAIN.replace("2 * number", "{8: 16}[number]");
    let named_zip = zip(&[("hw1.py", NAMED.as_bytes()), ("next_state.txt", b"6\n")]);
    let download = zip(&[
        ("Ann_1_assignsubmission_file_/homework.py", PLAIN.as_bytes()),
        ("Bob_2_assignsubmission_file_/hw.zip", &named_zip),
        ("Cid_3_assignsubmission_file_/homework.py", once.as_bytes()),
        ("Dee_4_assignsubmission_file_/homework.py", b"print('nothing')\n"),
        ("Eve_5_assignsubmission_file_/notes.md", b"later"),
        ("Fay_6_assignsubmission_file_/homework.py", last.as_bytes()),
        ("Two_7_assignsubmission_file_/homework.py", b"if 1 <> 2: print('a')\n"),
    ]);
    place.write("download.zip", download);
    let words = "intake download.zip --game squirrels --homework cases --out class";
    println!("{}", run(&place, words, 1).stdout);
    for (student, state, part) in [
        ("Ann", "ready", ""),
        ("Bob", "mended", "it is started with -i input.txt"),
        ("Bob", "mended", "left out: next_state.txt: an answer to some case"),
        ("Cid", "ready", ""),
        ("Dee", "does-not-play", "first case, case2: next_state.txt is missing"),
        ("Eve", "needs-you", "no program among the files: notes.md"),
    ] {
        let found = submission(&place, student);
        assert!(
            found["state"].as_str() == Some(state) && said(&found).contains(part),
            "{student}: {found}"
        );
    }
    assert_eq!(submission(&place, "Bob")["command"].as_str(), Some("python3 hw1.py -i input.txt"));
    let words = "grade-all --game squirrels class --homework cases --csv grades.csv --reports reports --concurrency 2";
    run(&place, words, 0);
    let grades = place.read("grades.csv");
    println!("{grades}");
    let rows: Vec<Vec<&str>> =
        grades.lines().skip(1).map(|line| line.split(',').collect()).collect();
    let points: Vec<_> = rows.iter().map(|row| (row[0], row[1], row[4])).collect();
    let expected = [
        ("Ann", "4", ""),
        ("Bob", "4", ""),
        ("Cid", "1", "3 wrong"),
        ("Dee", "0", "4 wrong"),
        ("Eve", "0", "not run: no program among the files: notes.md"),
        ("Fay", "1", "3 wrong"),
        ("Two", "0", "4 wrong"),
    ];
    assert_eq!(points, expected);
    let report = |name: &str| place.read(format!("reports/{name}"));
    assert_has(report("Ann.txt"), ["4 of 4 cases right: 100.0 %"]);
    let cid = report("Cid.txt");
    assert_has(&cid, ["WRONG  next_state.txt:1: expected '10', found '6'", "1 of 4 cases right"]);
    // A student who has only the report sees the input of a failed case alone.
    assert_has(&cid, ["case5", "\n    input.txt:\n    | 5\n", "    | 8\n"]);
    assert_lacks(&cid, ["    | 3\n"]);
    let bob = report("Bob.txt");
    assert_has(
        &bob,
        ["Mended by the intake: tried: `python3 hw1.py`: 0 of 4 right; `python3 hw1.py -i"],
    );
    // Whether or not Python 2 is installed.
    let two = report("Two.txt");
    let remedy = "it is written in Python 2 (homework.py:1: `if 1 <> 2: print('a')` has the operator <>): python2 ";
    assert!(works("python2") || two.contains(remedy), "{two}");
    assert_has(report("Eve.txt"), ["no program among the files: notes.md"]);
    let words_json = "grade-all --game squirrels class --homework cases --csv json.csv --reports json --report json";
    run(&place, words_json, 0);
    let json = place.read("json/Bob.json");
    assert_has(&json, ["\"Mended by the intake: it is started with -i input.txt\""]);
    assert_lacks(&json, ["\"input\""]);
    let json: Value = serde_json::from_str(&place.read("json/Cid.json")).unwrap();
    assert_eq!(json["cases"][2]["input"], json!(["5"]));
    // Three cases that use up their time end a submission.
    place.write("slow/Gil/homework.py", "while True:\n    pass\n");
    let slow =
        "grade-all --game squirrels slow --homework cases --case-time 0.3 --csv slow.csv --cmd";
    let slow: Vec<&str> = slow.split(' ').chain(["python3 homework.py"]).collect();
    run(&place, &slow, 0);
    assert_has(place.read("slow.csv"), ["3 wrong, 1 not run"]);
    // A finished class is not graded again; without --resume it is refused.
    run(&place, words, 2);
    fs::remove_dir_all(place.join("class/Ann/program")).unwrap();
    place.make("class/Ann/program");
    run(&place, &format!("{words} --resume"), 0);
    assert_eq!(place.read("grades.csv"), grades);
}
