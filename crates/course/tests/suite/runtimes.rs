//! Gradings on a machine that runs programs by something else than the intake did.

use crate::common::judge;
use serde_json::Value;
use std::fs;
use std::path::Path;
use testing::intake::{PYTHON_2, submission};
use testing::{Folder, Printed, assert_has, assert_lacks, folder, repository};

const BROKEN: &str = "echo 'pyenv: python2: command not found' >&2\nexit 127\n";

/// Runs the judge with the interpreters in `bin` alone.
#[track_caller]
fn run(place: &Path, words: &str, code: i32) -> Printed {
    testing::run(judge(place).env("PATH", place.join("bin")), words, code)
}

fn set_python_2(place: &Path, lines: Option<&str>) {
    let _ = fs::remove_file(place.join("bin/python2"));
    if let Some(lines) = lines {
        place.write_script("bin/python2", lines);
    }
}

/// A folder with both interpreters and this program of `ann`, in Python 2, and of `bob`.
fn class_of_two(program: &str) -> testing::NewFolder {
    let place = folder();
    place.make("bin");
    std::os::unix::fs::symlink("/usr/bin/python3", place.join("bin/python3")).unwrap();
    set_python_2(&place, Some(PYTHON_2));
    place.write("made/ann/homework.py", format!("#!/usr/bin/env python2\n{program}"));
    place.write("made/bob/homework.py", program);
    place
}

/// The rows of the grades that have all points, by names.
fn full(place: &Path, csv: &str) -> Vec<String> {
    let mut reader = csv::Reader::from_path(place.join(csv)).unwrap();
    let rows = reader.records().map(|row| row.unwrap());
    rows.filter(|row| row[1] == row[2]).map(|row| row[0].to_string()).collect()
}

/// Grades a class of two with each fault of Python 2, and then without.
#[track_caller]
fn waits_and_is_graded_anew(place: &Path, options: &str) {
    let other = PYTHON_2.replace("2.7.18", "2.7.17");
    for (number, (text, why)) in [
        (None, "python2 is not installed here"),
        (
            Some(BROKEN),
            "`python2 --version` fails here: exit code 127, last words: 'pyenv: python2",
        ),
        (Some(&*other), "python2 is 2.7.17 here"),
    ]
    .into_iter()
    .enumerate()
    {
        set_python_2(place, text);
        let csv = format!("grades{number}.csv");
        let words = format!("grade-all {options} class --csv {csv}");
        let told = run(place, &words, 2).stderr;
        assert_has(
            &told,
            ["  ann: the intake found python2 2.7.18 (", why, "nobody has lost points"],
        );
        assert_has(&told, ["run judge intake again", "--resume goes on"]);
        assert_lacks(&told, ["bob: the intake"]);
        assert_eq!(full(place, &csv), ["bob"]);
        assert_lacks(place.read(&csv), ["ann"]);
        set_python_2(place, Some(PYTHON_2));
        run(place, &format!("{words} --resume"), 0);
        assert_eq!(full(place, &csv), ["ann", "bob"]);
        // What is graded needs no interpreter any more.
        set_python_2(place, text);
        run(place, &format!("{words} --resume"), 0);
        assert_eq!(full(place, &csv), ["ann", "bob"]);
    }
}

#[test]
fn who_lacks_the_interpreter_of_the_intake_waits_for_it_in_games() {
    let place = class_of_two(&repository("starters/halma/python").read("agent.py"));
    run(&place, "intake made --game halma --out class", 0);
    let scheme = "game = \"halma\"\n[[positions]]\ncount = 2\nclock = 5\n";
    place.write("positions.toml", scheme);
    let found = &submission(&place, "ann")["runtime"];
    assert_eq!(found["program"].as_str(), Some("python2"));
    assert_eq!(found["version"].as_str(), Some("2.7.18"));
    assert_eq!(found["path"].as_str(), place.join("bin/python2").to_str());
    waits_and_is_graded_anew(&place, "--game halma --scheme positions.toml");
    let entries: Vec<Value> = testing::events(place.join("grades0.jsonl"));
    let of_ann = |event: &&Value| event["event"] == "entry" && event["submission"] == "ann";
    let of_ann: Vec<_> = entries.iter().filter(of_ann).collect();
    assert_eq!(of_ann.len(), 2, "{of_ann:?}");
    assert!(of_ann[0]["engine"].is_null() && of_ann[0]["reason"].is_null(), "{of_ann:?}");
    assert_eq!(of_ann[0]["number"], of_ann[1]["number"]);
    assert!(of_ann[1]["engine"].is_object(), "{of_ann:?}");
    // On the machine of each part, and for one program.
    set_python_2(&place, Some(BROKEN));
    let part =
        "grade-all --game halma --scheme positions.toml class --csv part.csv --shard 1/2 --seed 1";
    assert_has(run(&place, part, 2).stderr, ["  ann: the intake found python2"]);
    let one = "--engine 'cmd=python2 homework.py' dir=class/ann/program name=ann";
    let told = run(&place, &format!("grade --game halma --scheme positions.toml {one}"), 2).stderr;
    assert_has(told, ["  ann: the intake found python2", "`python2 --version` fails here"]);
    set_python_2(&place, Some(PYTHON_2));
    run(&place, &format!("{part} --resume"), 0);
    assert_eq!(full(&place, "part.csv"), ["ann"]);
}

#[test]
fn who_lacks_the_interpreter_of_the_intake_waits_for_it_in_a_homework() {
    let place = class_of_two("open('next_state.txt', 'w').write(open('input.txt').read())\n");
    for number in [2, 3] {
        place.write(format!("cases/case{number}/input.txt"), format!("{number}\n"));
        place.write(format!("cases/case{number}/next_state.txt"), format!("{number}\n"));
    }
    let options = "--game squirrels --homework cases";
    run(&place, &format!("intake made {options} --out class"), 0);
    // A submission of an earlier version has no version: only what does not run can be told.
    let ann = place.read("class/ann/submission.toml");
    place.write("class/ann/submission.toml", ann.split_once("[runtime]").unwrap().0);
    let words = |csv: &str| format!("grade-all {options} class --csv {csv}");
    set_python_2(&place, Some(BROKEN));
    assert_has(run(&place, &words("old.csv"), 2).stderr, ["  ann: the intake found python2, and"]);
    // Another version counts once the intake has tried the program with it.
    place.write("class/ann/submission.toml", &ann);
    set_python_2(&place, Some(&PYTHON_2.replace("2.7.18", "2.7.17")));
    run(&place, &words("new.csv"), 2);
    run(&place, &format!("intake made {options} --out class"), 0);
    assert_eq!(submission(&place, "ann")["runtime"]["version"].as_str(), Some("2.7.17"));
    run(&place, &format!("{} --resume", words("new.csv")), 0);
    assert_eq!(full(&place, "new.csv"), ["ann", "bob"]);
}

#[test]
fn a_module_that_is_missing_or_of_another_version_makes_its_programs_wait() {
    let program =
        "import doubles\nopen('next_state.txt', 'w').write(doubles.of(open('input.txt').read()))\n";
    let place = class_of_two("open('next_state.txt', 'w').write('4\\n')\n");
    place.write("made/bob/homework.py", program);
    place.write("cases/case1/input.txt", "2\n");
    place.write("cases/case1/next_state.txt", "4\n");
    let module = "def of(text): return '%d\\n' % (2 * int(text))\n__version__ = ";
    let path = "modules/site-packages/doubles.py";
    place.write(path, format!("{module}'1.0'\n"));
    let shown = place.join("modules/site-packages");
    let shown = shown.display();
    let options = "--game squirrels --homework cases";
    let intake =
        format!("intake made {options} --out class --read-only {shown} --env PYTHONPATH={shown}");
    run(&place, &intake, 0);
    let found = submission(&place, "bob")["runtime"].to_string();
    assert_has(found, ["doubles 1.0"]);
    let words = format!("grade-all {options} class --csv grades.csv");
    place.write(path, format!("{module}'2.0'\n"));
    let told = run(&place, &words, 2).stderr;
    assert_has(
        told,
        ["  bob: the intake found python3 ", "its module doubles 1.0 is doubles 2.0 here"],
    );
    fs::remove_file(place.join(path)).unwrap();
    let words = format!("{words} --resume");
    assert_has(run(&place, &words, 2).stderr, ["its module doubles 1.0 is missing here"]);
    place.write(path, format!("{module}'1.0'\n"));
    run(&place, &words, 0);
    assert_eq!(full(&place, "grades.csv"), ["ann", "bob"]);
}
