//! Homework whose programs talk with the checker.

use crate::common::run;
use serde_json::Value;
use std::path::Path;
use testing::{Folder, assert_has, assert_lacks, folder};

const CHECKER: &str = "\
from menagerie_checker import Right, Wrong, talk

def check(case, program):
    number = int(case.input)
    if number == 77:
        raise ValueError('the teacher errs')
    program.say(100)
    for _ in range(7):
        guess = program.hear()
        if guess == str(number):
            program.say('right')
            return Right()
        program.say('higher' if guess.isdigit() and int(guess) < number else 'lower')
    return Wrong('seven guesses are not enough')

talk(check)
";

const RIGHT: &str = "\
low, high, answer = 1, int(input()), ''
while answer != 'right':
    guess = (low + high) // 2
    print(guess, flush=True)
    answer = input()
    if answer == 'higher':
        low = guess + 1
    else:
        high = guess - 1
";

/// A program, its word in the report of both cases, and what the report says.
const PROGRAMS: [(&str, &str, &str, &str); 10] = [
    ("right", RIGHT, "right", "2 of 2 cases right"),
    (
        "unlucky",
        "while True:\n    input()\n    print(1, flush=True)\n",
        "wrong",
        "seven guesses are not enough",
    ),
    ("silent", "import time\ntime.sleep(1000)\n", "too slow", "does it flush what it writes?"),
    (
        "unflushed",
        "import sys\nprint(50)\nfor line in sys.stdin:\n    pass\n",
        "too slow",
        "does it flush what it writes?",
    ),
    ("busy", "while True:\n    pass\n", "too slow", "s of CPU, more than 1.00 s"),
    (
        "flooding",
        "import os\nwhile True:\n    os.write(1, b'x' * 4096)\n",
        "too long",
        "what it wrote is longer than the output limit of 1 MiB",
    ),
    ("ending", "print(1)\n", "wrong", "the program said nothing more, too early"),
    ("closing", "import os, time\nos.close(1)\ntime.sleep(1000)\n", "too slow", "of wall time"),
    ("deaf", "import os\nos.close(0)\nprint(1)\n", "wrong", "the program said nothing more"),
    ("crashing", "input()\nraise ValueError('mine')\n", "crash", "ValueError: mine"),
];

fn write_homework(place: &Path) {
    place.write(
        "hw/homework.toml",
        "name = \"guess\"\ntitle = \"Guess\"\ninput = \"{n}.in\"\ntime = 1\nsamples = [\"1\"]\n\
         output_limit = 1\nright = { talk = \"python3 check.py\", time = 5 }\n",
    );
    place.write("hw/checker/check.py", CHECKER);
    place.write("hw/1.in", "33\n");
    place.write("hw/2.in", "64\n");
}

#[test]
fn a_conversation_ends_in_a_verdict_whatever_the_program_does() {
    let place = &folder();
    write_homework(place);
    for (name, program, ..) in PROGRAMS {
        place.write(format!("class/{name}/command"), "python3 homework.py");
        place.write(format!("class/{name}/homework.py"), program);
    }
    let words = "grade-all class --homework hw --own-commands --csv grades.csv --reports reports \
                 --wall-margin 2 --concurrency 2";
    run(place, words, 0);
    let grades = place.read("grades.csv").replace('"', "");
    for (name, _, word, words) in PROGRAMS {
        let points = if name == "right" { 2 } else { 0 };
        assert_has(&grades, [format!("\n{name},{points},2,").as_str()]);
        let report = place.read(format!("reports/{name}.txt"));
        println!("{report}");
        assert!(report.matches(word).count() >= 2, "{word} in {report}");
        assert_has(&report, [words]);
    }
    // Who said what, and nothing of the secret case.
    let report = place.read("reports/unlucky.txt");
    let said = "what was said:\n    | checker: 100\n    | program: 1\n    | checker: higher\n";
    assert_has(&report, [said]);
    assert_eq!(report.matches("what was said").count(), 1, "{report}");
    // The record has both for the teacher.
    let record = place.read("grades.jsonl");
    let lines = record.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let cases = lines.filter_map(|line| line["cases"]["results"].as_array().cloned());
    for case in cases.flatten() {
        let talk = case["conversation"].as_str().unwrap();
        assert!(talk.contains("checker: 100\n"), "{case}");
    }
}

#[test]
fn a_checker_that_fails_in_a_conversation_costs_no_point() {
    let place = &folder();
    write_homework(place);
    place.write("hw/submissions/accepted/right.py", RIGHT);
    place.write("hw/submissions/wrong_answer/one.py", PROGRAMS[1].1);
    place.write("hw/submissions/run_time_error/crash.py", PROGRAMS[9].1);
    run(place, "homework-test hw", 0).has([
        "accepted/right.py: 2 of 2 cases right, 2 of 2 points",
        "wrong_answer/one.py: 0 of 2 cases right",
        "All is well.",
    ]);
    // One line of the file changes.
    run(place, "homework-test hw --write-times", 0).has(["homework.toml: time = "]);
    let toml = place.read("hw/homework.toml");
    let times = toml.lines().filter(|line| line.starts_with("time = "));
    assert_eq!((times.count(), toml.lines().count()), (1, 7), "{toml}");
    place.write("hw/2.in", "77\n");
    place.write("class/ann/command", "python3 homework.py");
    place.write("class/ann/homework.py", RIGHT);
    let words = "grade-all class --homework hw --own-commands --csv grades.csv";
    run(place, words, 2).has(["the teacher errs"]);
    assert_lacks(place.read("grades.csv"), ["\nann,"]);
    // A checker that hangs, one that says too much, and one that ends without a verdict.
    place.edit("hw/homework.toml", "time = 5", "time = 0.5");
    for (body, words) in [
        ("import time\ntime.sleep(1000)\n", "no verdict within 0.5 s"),
        ("while True:\n    print('x' * 1000)\n", "no verdict within 0.5 s"),
        ("print(100)\n", "exit code 0, expected 42 for right or 43 for wrong"),
    ] {
        place.write("hw/checker/check.py", body);
        let command = "grade --homework hw --wall-margin 1 --engine";
        let command = command.split(' ').chain(["cmd=python3 class/ann/homework.py"]);
        run(place, &command.collect::<Vec<_>>(), 2).has([words]);
    }
}

#[test]
fn a_package_that_is_interactive_is_graded_by_its_validator() {
    let place = &folder();
    place.write(
        "guess/problem.yaml",
        "problem_format_version: 2025-09\nname: Guess\ntype: interactive\nlimits: {time_limit: 2}\n",
    );
    place.write("guess/data/sample/1.in", "33\n");
    place.write("guess/data/secret/2.in", "64\n");
    place.write("guess/data/secret/2.ans", "64\n");
    place.write("guess/output_validator/check.py", CHECKER);
    place.write("guess/submissions/accepted/right.py", RIGHT);
    place.write("guess/submissions/wrong_answer/one.py", PROGRAMS[1].1);
    place.write("guess/submissions/run_time_error/crash.py", PROGRAMS[9].1);
    place.write("guess/submissions/time_limit_exceeded/busy.py", PROGRAMS[4].1);
    run(place, "homework-test guess", 0)
        .has(["4 programs: 4 get what their authors say, 0 do not", "All is well."]);
}
