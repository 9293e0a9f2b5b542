//! A class of homework whose output files are compared.

use crate::common::run;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use testing::archive::zip;
use testing::intake::{said, submission};
use testing::{Folder, assert_has, assert_lacks, folder};

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
    ]);
    place.write("download.zip", download);
    let words = "intake download.zip --game squirrels --homework cases --out class";
    run(&place, words, 1);
    // What programs are told of themselves: crates/intake.
    let left_out = "left out: next_state.txt: an answer to some case";
    assert_has(said(&submission(&place, "Bob")), [left_out]);
    assert_eq!(submission(&place, "Bob")["command"].as_str(), Some("python3 hw1.py -i input.txt"));
    let words = "grade-all --game squirrels class --homework cases --csv grades.csv --reports reports --concurrency 2";
    run(&place, words, 0);
    let grades = place.read("grades.csv");
    let rows: Vec<Vec<&str>> =
        grades.lines().skip(1).map(|line| line.split(',').collect()).collect();
    let points: Vec<_> = rows.iter().map(|row| (row[0], row[1], row[4])).collect();
    let expected = [
        ("Ann", "4", ""),
        ("Bob", "4", ""),
        ("Cid", "1", "3 wrong"),
        ("Dee", "0", "4 no output"),
        ("Eve", "0", "not run: no program among the files: notes.md"),
        ("Fay", "1", "3 wrong"),
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
    assert_has(place.read("slow.csv"), ["\"1 not played, 3 too slow\""]);
}

const GRADE: &str =
    "grade-all class --homework hw --own-commands --csv grades.csv --reports reports --resume";

/// A class of two and a homework of two cases, graded; returns the record.
fn graded(place: &Path) -> String {
    let toml = "name = \"double\"\ntitle = \"Double\"\ninput = \"input{n}.txt\"\n\
                expected = \"output{n}.txt\"\npoints = 5\n";
    place.write("hw/homework.toml", toml);
    for number in [2, 3] {
        place.write(format!("hw/input{number}.txt"), format!("{number}\n"));
        place.write(format!("hw/output{number}.txt"), format!("{}\n", 2 * number));
    }
    let program = PLAIN.replace("next_state", "output");
    for (name, program) in [("ann", program.clone()), ("bob", program.replace("2 * number", "6"))] {
        place.write(format!("class/{name}/command"), "python3 homework.py");
        place.write(format!("class/{name}/homework.py"), program);
    }
    run(place, GRADE, 0);
    assert_eq!(points(place), [("ann".into(), 10.0), ("bob".into(), 5.0)]);
    place.read("grades.jsonl")
}

fn points(place: &Path) -> Vec<(String, f64)> {
    let grades = place.read("grades.csv");
    let fields = grades.lines().skip(1).map(|line| line.split(',').collect::<Vec<_>>());
    fields.map(|line| (line[0].to_string(), line[1].parse().unwrap())).collect()
}

#[test]
fn what_does_not_decide_about_results_counts_anew_and_runs_nothing() {
    let place = folder();
    let record = graded(&place);
    assert_eq!(record.matches("\"attempt\"").count(), 2, "{record}");
    place.edit("hw/homework.toml", "points = 5\n", "# a comment\n\npoints = 5\n");
    place.write("hw/README.md", "Doubles.");
    place.edit("hw/homework.toml", "Double", "Twice");
    let told = run(&place, GRADE, 0);
    assert_lacks(&told.stdout, ["Changed since"]);
    // Other points, and what a delay costs: none within the grace, else each day that has begun.
    place.edit(
        "hw/homework.toml",
        "points = 5\n",
        "points = 10\n[late]\npoints = 3\ngrace = 1\nmost = 5\n",
    );
    place.write("late.csv", "submission,late\nann,25:30:00\nbob,0:45\n");
    let told = run(&place, &format!("{GRADE} --late late.csv"), 0);
    assert_has(&told.stdout, ["ann: 15 points, 10 before", "bob: 10 points, 5 before"]);
    assert_has(
        place.read("grades.csv"),
        ["5 points off: 25.5 h late, 1 h of grace: 2 days at 3 points each, at most 5"],
    );
    assert_has(place.read("reports/ann.txt"), ["Late: 5 points off", "15 of 20 points"]);
    assert_eq!(place.read("grades.jsonl"), record);
    // A factor, whatever the number of days.
    place.edit(
        "hw/homework.toml",
        "points = 3\ngrace = 1\nmost = 5\n",
        "percent = 20\nmost = 20\n",
    );
    run(&place, &format!("{GRADE} --late late.csv"), 0);
    assert_eq!(points(&place), [("ann".into(), 16.0), ("bob".into(), 8.0)]);
    place.edit("hw/homework.toml", "percent", "grace = 1\npoints = 1\npercent");
    run(&place, GRADE, 2).has(["homework.toml:", "late: expected either points or percent"]);
    place.edit("hw/homework.toml", "points = 1\npercent", "percent");
    // What decides runs again.
    place.write("hw/output2.txt", "6\n");
    run(&place, GRADE, 0);
    assert_eq!(points(&place), [("ann".into(), 10.0), ("bob".into(), 20.0)]);
    assert_eq!(place.read("grades.jsonl").matches("\"attempt\"").count(), 4);
}

/// A checker that says which process has imported it.
const STAYING: &str = "\
import os, random, tempfile
from menagerie_checker import Right, Wrong, run

TOKEN = '%r' % random.random()
seen = []

def check(case, output):
    seen.append(output)
    if len(seen) > 1 or os.path.exists('seen'):
        return Wrong('it was here before')
    # LEAVES
    return Right(TOKEN) if output.strip() == case.expected.strip() else Wrong(TOKEN)

run(check)
";

#[test]
fn a_checker_in_python_is_imported_once_and_each_answer_is_its_first() {
    let place = folder();
    graded(&place);
    place.edit("hw/homework.toml", "points", "right = { checker = \"python3 check.py\" }\npoints");
    for number in 4..9 {
        place.write(format!("hw/input{number}.txt"), format!("{number}\n"));
        place.write(format!("hw/output{number}.txt"), format!("{}\n", 2 * number));
    }
    let tokens = |checker: &str| {
        place.write("hw/checker/check.py", checker);
        ["grades.jsonl", "grades.csv"]
            .iter()
            .for_each(|name| fs::remove_file(place.join(name)).unwrap());
        let printed = run(&place, GRADE, 0);
        assert_eq!(points(&place), [("ann".into(), 35.0), ("bob".into(), 5.0)]);
        let stays = format!("{printed:?}").contains("; a user for each box");
        let record = place.read("grades.jsonl");
        let lines = record.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let mut cases = lines.filter_map(|line| line["cases"]["results"].as_array().cloned());
        let of_ann = cases.next().unwrap();
        let mut tokens: Vec<_> = of_ann.iter().map(|case| case["remark"].to_string()).collect();
        assert_eq!(tokens.len(), 7);
        tokens.sort();
        tokens.dedup();
        (tokens.len(), stays)
    };
    // Where boxes have no users of their own, each answer has a process.
    let (count, stays) = tokens(STAYING);
    assert_eq!(count, if stays { 1 } else { 7 });
    // What a check leaves in a folder is gone with its process.
    assert_eq!(tokens(&STAYING.replace("# LEAVES", "open('seen', 'w').close()")), (7, stays));
    let in_tmp = "open(tempfile.gettempdir() + '/seen', 'w').close()";
    assert_eq!(tokens(&STAYING.replace("# LEAVES", in_tmp)), (7, stays));
    // A fault is that of the answer, and the next class has a process again.
    place.write("hw/checker/check.py", STAYING.replace("# LEAVES", "raise ValueError('mine')"));
    ["grades.jsonl", "grades.csv"]
        .iter()
        .for_each(|name| fs::remove_file(place.join(name)).unwrap());
    run(&place, GRADE, 2).has(["case 2: the checker", "ValueError: mine"]);
}

/// The digest of a homework in records of version 0.3.
fn earlier_digest(homework: &Path) -> String {
    let mut bytes = b"30".to_vec();
    let homework = fs::canonicalize(homework).unwrap();
    for name in ["homework.toml", "input2.txt", "input3.txt", "output2.txt", "output3.txt"] {
        let path = homework.join(name);
        for part in [path.as_os_str().as_encoded_bytes(), &fs::read(&path).unwrap()] {
            bytes.extend(part.len().to_le_bytes());
            bytes.extend(part);
        }
    }
    checksum(&bytes)
}

fn checksum(bytes: &[u8]) -> String {
    format!("{:08x}", crc32fast::hash(bytes))
}

#[test]
fn a_record_of_an_earlier_version_goes_on() {
    let place = folder();
    let record = graded(&place);
    let mut lines = record.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let entry = lines.find(|line| line["submission"] == "ann").unwrap();
    let mut runs = lines.find(|line| line["event"] == "result").unwrap()["cases"].take();
    (runs["results"][0]["score"], runs["results"][0]["wall"]) = (json!(0.5), json!(100));
    let program = entry["digest"].as_str().unwrap();
    let digest = earlier_digest(&place.join("hw")) + &checksum(b"ann") + program;
    let line = json!({ "digest": digest, "runs": runs, "submission": "ann" });
    let earlier = format!("{{\"class\":{{\"homework\":\"double\"}}}}\n{line}\n");
    place.write("grades.jsonl", format!("{earlier}{{\"digest\":\"8"));
    // Bob is run, and then nobody.
    for _ in 0..2 {
        run(&place, GRADE, 0);
        assert_eq!(points(&place), [("ann".into(), 7.5), ("bob".into(), 5.0)]);
        assert_has(place.read("reports/ann.txt"), ["Score: 7.5 of 10 in 10"]);
        let record = place.read("grades.jsonl");
        assert!(record.starts_with(&earlier), "{record}");
        assert_eq!(record.matches("\"attempt\"").count(), 1, "{record}");
    }
}
