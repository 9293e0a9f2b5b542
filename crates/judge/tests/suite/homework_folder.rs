//! Homework that is no game: folders with `homework.toml`, packages of Kattis, checkers.

use crate::common::run;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use testing::archive::zip;
use testing::{Folder, NewFolder, assert_has, assert_lacks, folder};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Writes the files of a homework into `hw`.
fn homework(place: &Path, toml: &str, files: &[(&str, &str)]) {
    place.write("hw/homework.toml", toml);
    for (name, text) in files {
        place.write(format!("hw/{name}"), text);
    }
}

/// Copies a folder of this repository.
fn copied(place: &Path, from: &str, to: &str) {
    let from = root().join(from);
    assert!(Command::new("cp").arg("-r").arg(from).arg(place.join(to)).status().unwrap().success());
}

/// Grades a program in Python by the homework in `hw`, and returns the report.
fn graded(place: &Path, program: &str) -> String {
    place.write("program.py", program);
    let words = ["grade", "--game", "./hw", "--engine", "cmd=python3 program.py", "dir=."];
    run(place, &words, 0).stdout
}

const DOUBLE: &str = "name = \"double\"\ntitle = \"Double\"\ninput = \"input{n}.txt\"\n";

/// A homework of pairs in one folder, compared by tokens.
fn pairs(place: &Path) {
    let toml = format!("{DOUBLE}expected = \"output{{n}}*.txt\"\nright = {{ by = \"tokens\" }}\n");
    let files = [
        ("input1.txt", "3\n"),
        ("output1.txt", "6\n"),
        ("input2.txt", "4\n"),
        ("output2-1.txt", "8\n"),
        ("output2-2.txt", "eight\n"),
        ("input10.txt", "5\n"),
        ("output10.txt", "10  \n"),
        ("README", "numbers"),
        ("__MACOSX/input1.txt", "x"),
    ];
    homework(place, &toml, &files);
}

const DOUBLES: &str = "open('output.txt', 'w').write(str(2 * int(open('input.txt').read())))\n";

#[test]
fn numbered_pairs_with_several_accepted_outputs_are_graded_as_they_lie() {
    let place = folder();
    pairs(&place);
    let said = graded(&place, DOUBLES);
    assert_has(&said, ["Double: ", "3 of 3 points\n", "3 of 3 cases right"]);
    // The cases are in the order of their numbers.
    let order = ["case 1 ", "case 2 ", "case 10 "].map(|name| said.find(name).unwrap());
    assert!(order.is_sorted(), "{said}");
    let eight = format!(
        "{DOUBLES}if open('input.txt').read() == '4\\n':\n    open('output.txt', 'w').write('eight')\n"
    );
    assert_has(graded(&place, &eight), ["3 of 3 points"]);
    let wrong = DOUBLES.replace("2 *", "3 *");
    let said = graded(&place, &wrong);
    assert_has(
        &said,
        [
            "output.txt:1: expected '6', found '9'",
            "found: 9\n           ^\n",
            "input.txt:\n    | 3\n",
            "expected '8', found '12' (the first of 2 accepted files)",
            "0 of 3 points",
        ],
    );
}

#[test]
fn cases_in_zips_within_zips_are_found_as_in_folders() {
    let place = folder();
    let first = zip(&[("input1.txt", b"3"), ("output1.txt", b"6"), ("__MACOSX/input1.txt", b"x")]);
    let second = zip(&[("input1.txt", b"4"), ("output1.txt", b"8"), ("input2.txt", b"5")]);
    let third = zip(&[("output2.txt", b"10")]);
    let files: [(&str, &[u8]); 2] = [("a b/set1.zip", &first), ("a b/set2.ZIP", &second)];
    place.write("hw/download.zip", zip(&files));
    place.write("hw/late.zip", third);
    let toml = DOUBLE.replace("input{n}", "download/a b/set{k}/input{n}");
    let toml = format!("{toml}expected = \"download/a b/set{{k}}/output{{n}}.txt\"\n");
    homework(&place, &toml, &[]);
    let said = run(&place, "homework-test ./hw", 2).stderr;
    assert_has(said, ["the case '2-2' has no expected file download/a b/set2/output2.txt"]);
    place.write("hw/download/a b/set2/output2.txt", "10");
    let said = graded(&place, DOUBLES);
    assert_has(&said, ["3 of 3 points\n", " 1-1 ", " 2-1 ", " 2-2 "]);
    let said = graded(&place, &DOUBLES.replace("2 *", "3 *"));
    assert_has(said, ["expected '8', found '12'", "| 4"]);
    place.write("hw/download/a b/set1/input1.txt", "3");
    let said = run(&place, "homework-test ./hw", 2).stderr;
    assert_has(said, ["two files are called download/a b/set1/input1.txt"]);
    place.write("hw/download.zip", "no zip");
    let said = run(&place, "homework-test ./hw", 2).stderr;
    assert_has(said, ["download.zip: cannot be unpacked"]);
}

#[test]
fn three_folders_blanks_at_line_ends_groups_and_secret_cases() {
    let place = folder();
    let toml = "name = \"three\"\ntitle = \"Three\"\ninput = \"in/input{n}\"\nexpected = \"solution/solution{n}\"\n\
                samples = [\"1\"]\n[right]\nignore = [\"trailing-blanks\"]\n\
                [[group]]\nname = \"hard\"\ncases = [\"2\", \"3\"]\npoints = 10\ncount = \"least\"\nhint = \"large numbers\"\n\
                [[case]]\nname = \"1\"\npoints = 4\n";
    let files = [
        ("in/input1", "1\n"),
        ("in/input2", "2\n"),
        ("in/input3", "3\n"),
        ("solution/solution1", "2  \nend\n"),
        ("solution/solution2", "4 \nend\n"),
        ("solution/solution3", "6\nend\n"),
    ];
    homework(&place, toml, &files);
    let program =
        "open('output.txt', 'w').write('%d\\nend\\n' % (2 * int(open('input.txt').read())))\n";
    let said = graded(&place, program);
    assert_has(&said, ["Group hard: 10 of 10 points  large numbers", "14 of 14 points"]);
    let wrong = program
        .replace("2 * int", "{'1': 2, '2': 4, '3': 7}.get")
        .replace(".read()", ".read().strip()");
    let said = graded(&place, &wrong);
    assert_has(&said, ["Group hard: 0 of 10 points", "4 of 14 points", "2 of 3 cases right"]);
    // The expected line of a secret case and its input stay secret.
    assert_has(&said, ["output.txt:1: '7' is not right", "hint: large numbers"]);
    assert!(!said.contains("expected '6'") && !said.contains("| 3"), "{said}");
}

#[test]
fn four_inputs_give_points_relative_to_the_staff_and_numbers_have_a_tolerance() {
    let place = folder();
    let toml = "name = \"states\"\ntitle = \"States\"\nexpected = \"{n}/states.txt\"\nleaves = \"states.txt\"\n\
                [input]\n\"a.txt\" = \"{n}/a.txt\"\n\"b.txt\" = \"{n}/b.txt\"\n\"c.txt\" = \"{n}/c.txt\"\n\"all.txt\" = \"all.txt\"\n\
                [right]\nchecker = \"python3 check.py\"\n";
    let check = "from menagerie_checker import Right, Wrong, run\n\
                 def check(case, output):\n    \
                     value = lambda text: int(text) / int(case.file('all.txt'))\n    \
                     part = 2 * value(output) / value(case.expected)\n    \
                     return Right('part %.2f' % part, points=min(1, part)) if part >= 1 else Wrong('too low', points=part / 2)\n\
                 if __name__ == '__main__':\n    run(check)\n";
    let files = [
        ("all.txt", "7"),
        ("x1/a.txt", "1"),
        ("x1/b.txt", "2"),
        ("x1/c.txt", "3"),
        ("x1/states.txt", "6"),
        ("x2/a.txt", "10"),
        ("x2/b.txt", "10"),
        ("x2/c.txt", "4"),
        ("x2/states.txt", "100"),
        ("checker/check.py", check),
    ];
    homework(&place, toml, &files);
    let program = "s = sum(int(open(f).read()) for f in ('a.txt', 'b.txt', 'c.txt')) + 0 * int(open('all.txt').read())\n\
                   open('states.txt', 'w').write(str(s))\n";
    let said = graded(&place, program);
    assert_has(&said, ["ok  part 2.00", "0.24 of 1 ", "wrong: too low", "1.24 of 2 points"]);
    let toml = format!(
        "{DOUBLE}expected = \"output{{n}}.txt\"\n[right]\nby = \"numbers\"\nabsolute = 0.1\n"
    );
    homework(&place, &toml, &[("input1.txt", "3"), ("output1.txt", "cost 6.0 nan")]);
    assert_has(graded(&place, "open('output.txt', 'w').write('cost 6.05 NaN')"), ["1 of 1 points"]);
    assert_has(graded(&place, "open('output.txt', 'w').write('cost 6.2 NaN')"), ["0 of 1 points"]);
}

#[test]
fn the_starter_and_the_examples_pass_their_tests() {
    let place = folder();
    copied(&place, "starters/homework", "paths");
    let said = run(&place, "homework-test ./paths", 0).stdout;
    assert_has(
        &said,
        [
            "Cheap paths: 6 cases, 4 of them secret; 12 points\n",
            "The checker takes 6 expected files",
            "accepted/homework.py: 6 of 6 cases right, 12 of 12 points; the longest case ",
            "wrong_answer/fewest_steps.py: 3 of 6 cases right, 9 of 12 points",
            "All is well.",
        ],
    );
    for example in ["mountain-trail", "two-houses", "flower-kinds"] {
        copied(&place, &format!("examples/homework/{example}"), example);
        let said = run(&place, format!("homework-test ./{example}").as_str(), 0).stdout;
        assert_has(&said, ["All is well."]);
    }
    // A checker and a solution that are not what they should be.
    let check = "from menagerie_checker import Right, Wrong, run\n\
                 run(lambda case, output: Right() if output == case.expected else Wrong('no'))\n";
    let toml = format!(
        "{DOUBLE}expected = \"output{{n}}.txt\"\nright = {{ checker = \"python3 check.py\" }}\n"
    );
    let files = [
        ("input1.txt", "3"),
        ("output1.txt", "6"),
        ("checker/check.py", &check.replace(" if output == case.expected", " if True")),
        ("submissions/accepted/three.py", &DOUBLES.replace("2 *", "3 *")),
    ];
    homework(&place, &toml, &files);
    let said = run(&place, "homework-test ./hw", 1).stdout;
    let takes_all = "TO CORRECT: case 1: an empty file is right";
    assert_has(&said, [takes_all]);
    place.write("hw/checker/check.py", check);
    let said = run(&place, "homework-test ./hw", 1).stdout;
    assert_has(&said, ["TO CORRECT: accepted/three.py: it does not get what its folder says"]);
    assert_lacks(&said, [takes_all]);
    // Students try a program on the samples alone.
    let try_it =
        ["try", "--game", "./paths", "--cmd", "python3 paths/submissions/accepted/homework.py"];
    assert_has(run(&place, &try_it, 0).stdout, ["2 of 2 cases that you may know are right"]);
    // One output against one case, by its name or its input.
    run(&place, "check ./paths 3 paths/cases/3.out.txt", 0);
    let said = run(&place, "check ./paths paths/cases/3.in.txt paths/cases/1.out.txt", 1).stdout;
    assert_has(said, ["case 3: wrong: the path does not lead from S to T"]);
}

#[test]
fn bad_homework_is_told_with_file_line_and_name() {
    let place = folder();
    let message = |toml: &str| -> String {
        pairs(&place);
        place.write("hw/homework.toml", toml);
        run(&place, "homework-test ./hw", 2).stderr
    };
    let with = |line: &str| format!("{DOUBLE}{line}\n");
    for (toml, words) in [
        (with("expected = \"none{n}.txt\""), "homework.toml:4: no file is called none{n}.txt"),
        (
            with("expected = \"output{n}-1.txt\""),
            "homework.toml:4: the case '1' has no expected file output1-1.txt",
        ),
        (
            with("expected = \"../x{n}\""),
            "homework.toml:4: expected the path of files in the folder",
        ),
        (with("leaves = \"a/b\""), "homework.toml:4: expected the name of a file, found 'a/b'"),
        (
            with("leaves = \"a.txt\""),
            "homework.toml:4: a.txt: a pattern of expected files or a checker is needed",
        ),
        (
            with("expected = \"output{n}*.txt\"\nbeside = { cost = \"cost{n}\" }"),
            "homework.toml:5: no file is called cost{n}",
        ),
        (with("expected = \"output{n}*.txt\"\ntime = -1"), "homework.toml:5: expected CPU seconds"),
        (
            with("expected = \"output{n}*.txt\"\nsamples = [\"7\"]"),
            "homework.toml:5: no case is called 7",
        ),
        (
            with("expected = \"output{n}*.txt\"\n[right]\nchecker = \"python3 x.py\""),
            "homework.toml:6: no folder checker",
        ),
        (
            with("expected = \"output{n}*.txt\"\n[right]\nabsolute = 1"),
            "homework.toml:6: a tolerance is for by = \"numbers\"",
        ),
        (
            with("expected = \"output{n}*.txt\"\n[[case]]\nname = \"77\""),
            "homework.toml:5: no case is called '77'",
        ),
        (with("excepted = 1"), "homework.toml:4: unknown field `excepted`"),
    ] {
        assert_has(message(&toml), [words]);
    }
    let two = with("expected = \"output{n}*.txt\"").replace("input{n}.txt", "*/input{n}.txt");
    pairs(&place);
    place.write("hw/a/input1.txt", "1");
    place.write("hw/b/input1.txt", "1");
    place.write("hw/homework.toml", &two);
    let said = run(&place, "homework-test ./hw", 2).stderr;
    assert_has(&said, ["homework.toml:3: two files are the input of the case"]);
    pairs(&place);
    fs::remove_file(place.join("hw/input2.txt")).unwrap();
    let said = run(&place, "homework-test ./hw", 2).stderr;
    assert_has(&said, ["homework.toml:4: output2-1.txt: the case '2' has no input file"]);
    // Commands of games say that it is none.
    pairs(&place);
    assert_has(run(&place, "perft ./hw --depth 1", 2).stderr, ["double: a homework, and no game"]);
}

#[test]
fn what_programs_leave_instead_of_an_answer_is_told_and_costs_them_alone() {
    let place = folder();
    pairs(&place);
    for (program, words) in [
        ("pass", "output.txt is missing"),
        ("import os; os.mkfifo('output.txt')", "output.txt is not a file"),
        ("import os; os.symlink('/etc/passwd', 'output.txt')", "output.txt is not a file"),
        ("import os; os.mkdir('output.txt')", "output.txt is not a file"),
        (
            "open('output.txt', 'w', encoding='utf-16').write('6')",
            "output.txt is UTF-16, expected UTF-8",
        ),
        ("open('output.txt', 'w')", "output.txt: expected 1 words, found 0"),
        ("open('output.txt', 'wb').write(b'\\0' * 9)", "output.txt:1: expected '6', found '"),
        ("open('output.txt', 'w').truncate(5 << 20)", "output.txt is longer than 1 KiB"),
        ("open('output.txt', 'w').truncate(5 << 30)", "OSError: [Errno 27] File too large"),
        ("import os; os.link('input.txt', 'output.txt')", "output.txt:1: expected '6', found '3'"),
        ("import os; os.kill(os.getpid(), 11)", "output.txt is missing (ended by signal 11"),
        ("raise KeyError('x')", "output.txt is missing (exit code 1, last words: 'KeyError: "),
    ] {
        let said = graded(&place, program);
        assert_has(&said, [words, "0 of 3 points"]);
    }
    // An output that was handed in is no answer.
    place.write("output.txt", "6");
    assert_has(graded(&place, "pass"), ["output.txt is missing"]);
}

#[test]
#[ignore = "long"]
fn a_checker_that_prints_a_gigabyte_is_stopped_or_heard() {
    let place = folder();
    let prints = "    for _ in range(1 << 10): print('x' * (1 << 20))\n    return";
    class_with(&place, &CHECK.replace("    return", prints));
    place.write("answer.txt", "6");
    let said = run(&place, "check ./hw 1 answer.txt", 2).stderr;
    assert_has(said, ["the checker: no verdict within 1 s of CPU time"]);
    place.write("hw/checker/check.py", CHECK.replace("    return", prints));
    let toml = place.read("hw/homework.toml").replace("time = 1\n", "time = 60\n");
    place.write("hw/homework.toml", toml);
    assert_has(run(&place, "check ./hw 1 answer.txt", 0).stdout, ["case 1: right"]);
}

/// A class of three with a homework whose checker is this text.
fn class_with(place: &Path, check: &str) {
    let toml = format!(
        "{DOUBLE}expected = \"output{{n}}.txt\"\n[right]\nchecker = \"python3 check.py\"\ntime = 1\n"
    );
    let files =
        [("input1.txt", "3"), ("output1.txt", "6"), ("input2.txt", "4"), ("output2.txt", "8")];
    homework(place, &toml, &files);
    place.write("hw/checker/check.py", check);
    place.write("made/ann/homework.py", DOUBLES);
    place.write("made/bob/homework.py", DOUBLES.replace("2 *", "3 *"));
    let cpp = "#include <fstream>\nint main() { int n; std::ifstream(\"input.txt\") >> n; std::ofstream(\"output.txt\") << 2 * n; }\n";
    place.write("made/cid/homework.cpp", cpp);
}

const CHECK: &str = "\
from menagerie_checker import Right, Wrong, run
def check(case, output):
    return Right() if int(output) == int(case.expected) else Wrong('not the double')
if __name__ == '__main__':
    run(check)
";

#[test]
fn a_class_is_graded_and_a_fault_of_the_checker_costs_nobody_a_point() {
    let place = folder();
    class_with(&place, CHECK);
    run(&place, "intake made --homework hw --out class", 0);
    let words = "grade-all class --homework hw --csv grades.csv --reports reports --concurrency 2";
    run(&place, words, 0);
    let rows = |place: &NewFolder| -> Vec<String> {
        let grades = place.read("grades.csv");
        grades
            .lines()
            .skip(1)
            .map(|line| line.split(',').take(3).collect::<Vec<_>>().join(","))
            .collect()
    };
    let all = ["ann,2,2", "bob,0,2", "cid,2,2"];
    assert_eq!(rows(&place), all);
    assert_has(place.read("reports/bob.txt"), ["wrong: not the double", "0 of 2 points"]);
    let words = format!("{words} --resume");
    for (fault, why) in [
        ("while True: pass", "no verdict within 1 s of CPU time"),
        ("import nothing_of_the_kind", "ModuleNotFoundError: No module named"),
        ("import os; os.kill(os.getpid(), 11)", "ended by signal 11"),
        ("raise SystemExit(0)", "exit code 0, expected 42 for right or 43 for wrong"),
        (
            "for _ in range(1 << 6): print('x' * (1 << 20))\n    return None",
            "check: expected Right(...) or Wrong(...), found None",
        ),
        (
            "open('feedback/score.txt', 'w').write('7'); raise SystemExit(42)",
            "feedback/score.txt: expected a number from 0 to 1",
        ),
    ] {
        // It fails for one answer of one student.
        let faulty = CHECK.replace(
            "    return",
            &format!(
                "    if output == '9':\n        {}\n    return",
                fault.replace("\n    ", "\n        ")
            ),
        );
        place.write("hw/checker/check.py", &faulty);
        let said = run(&place, &words, 2).stderr;
        assert_has(
            &said,
            [
                "1 submission was not graded, since the checker failed",
                "bob: case 1: the checker: ",
                why,
            ],
        );
        assert_eq!(rows(&place), [all[0], all[2]], "{fault}");
    }
    // A checker cannot write to the class, nor to the homework.
    let writes = CHECK.replace(
        "    return",
        &format!(
            "    try: open({:?}, 'w').write('x')\n    except OSError: pass\n    return",
            place.join("class/bob/x").display().to_string()
        ),
    );
    place.write("hw/checker/check.py", &writes);
    run(&place, &words, 0);
    assert_eq!(rows(&place), all);
    assert!(!place.join("class/bob/x").exists());
}

#[test]
fn a_class_has_parts_a_page_results_for_gradescope_and_words_for_the_teacher() {
    let place = folder();
    let check = CHECK.replace("not the double'", "not the double', teacher='found %s' % output");
    class_with(&place, &check);
    run(&place, "intake made --homework hw --out class", 0);
    for part in ["1", "2"] {
        let words = format!("grade-all class --homework hw --shard {part}/2 --csv part{part}.csv");
        run(&place, words.as_str(), 0);
    }
    let said = run(&place, "merge part1.jsonl part2.jsonl --output all.jsonl", 0).stdout;
    assert_has(said, ["3 submissions graded\n", "judge grade-all ... --resume --record all.jsonl"]);
    // The joined record has all results: no program is needed any more.
    for student in ["ann", "bob", "cid"] {
        fs::remove_dir_all(place.join(format!("class/{student}/program"))).unwrap();
        place.make(format!("class/{student}/program"));
    }
    let words = "grade-all class --game ./hw --resume --record all.jsonl --csv grades.csv \
                 --page class.html --reports reports --report gradescope";
    run(&place, words, 0);
    let grades = place.read("grades.csv");
    assert_has(&grades, ["\nann,2,2,", "\nbob,0,2,", "\ncid,2,2,"]);
    let page = place.read("class.html");
    assert_has(&page, ["Double: 3 submissions", "The checker's words for the teacher", "found 9"]);
    assert_has(&page, ["class-pages/reports/bob.html", "mean 1.3"]);
    let report = place.read("class-pages/reports/bob.html");
    assert_has(&report, ["wrong: not the double", "MiB", "input.txt:", "| 3"]);
    let results = place.read("reports/bob.json");
    let json: Value = serde_json::from_str(&results).unwrap();
    let scores =
        |key: &'static str| json["tests"].as_array().unwrap().iter().map(move |test| &test[key]);
    assert_eq!((json["score"].as_f64(), scores("max_score").count()), (Some(0.0), 2));
    assert!(scores("status").all(|status| status == "failed"), "{results}");
    for of_students in [&report, &results] {
        assert_lacks(of_students, ["found 9", "for_teacher"]);
    }
    // One program, and one answer: the teacher sees the words, the report has none of them.
    place.write("program.py", DOUBLES.replace("2 *", "3 *"));
    let words = "grade --homework hw --report json --engine";
    let mut words: Vec<&str> = words.split(' ').collect();
    words.extend(["cmd=python3 program.py", "dir=."]);
    let output = run(&place, &words, 0);
    assert_has(&output.stderr, ["for the teacher: case 1: found 9"]);
    assert_lacks(&output.stdout, ["found 9"]);
    let json: Value = serde_json::from_str(&output.stdout).unwrap();
    // Python itself takes some MiB.
    assert!(json["tests"][0]["case"]["memory"].as_u64().unwrap() > 1 << 20, "{json}");
    place.write("output.txt", "9");
    let said = run(&place, "check ./hw 1 output.txt", 1).stdout;
    assert_has(said, ["case 1: wrong: not the double\n  for the teacher: found 9\n"]);
    let words = ["try", "--homework", "hw", "--cmd", "python3 program.py"];
    assert_has(run(&place, &words, 1).stdout, ["WRONG  not the double", " MiB "]);
}

/// A package of Kattis with this validator: print twice the number.
fn package(place: &Path, yaml: &str, validator: &[(&str, &str)]) {
    place.write("twice/problem.yaml", yaml);
    for (name, number) in
        [("sample/1", 3), ("secret/a/1", 5), ("secret/a/2", 6), ("secret/b/1", 70)]
    {
        place.write(format!("twice/data/{name}.in"), format!("{number}\n"));
        place.write(format!("twice/data/{name}.ans"), format!("{}\n", 2 * number));
    }
    place.write("twice/data/secret/a/testdata.yaml", "range: 0 30\ngrader_flags: min\n");
    place.write("twice/data/secret/b/testdata.yaml", "range: 0 70\n");
    for (name, text) in validator {
        place.write(format!("twice/{name}"), text);
    }
    place.write("twice/submissions/accepted/twice.py", "print(2 * int(input()))\n");
    place.write(
        "twice/submissions/wrong_answer/small.py",
        "n = int(input())\nprint(2 * n if n < 9 else 0)\n",
    );
    place.write(
        "twice/submissions/run_time_error/late.py",
        "n = int(input())\nprint(2 * n)\nraise SystemExit(3)\n",
    );
}

const VALIDATOR_IN_CPP: &str = "\
#include <fstream>\n#include <iostream>\n#include <string>\n\
int main(int, char **argv) {\n\
    std::ifstream input(argv[1]); std::string folder = argv[3]; int n, found;\n\
    input >> n;\n\
    if (!(std::cin >> found)) { std::ofstream(folder + \"teammessage.txt\") << \"no number\"; return 43; }\n\
    if (found != 2 * n) { std::ofstream(folder + \"teammessage.txt\") << \"not twice \" << n; return 43; }\n\
    return 42;\n}\n";

const VALIDATOR_IN_PYTHON: &str = "\
import sys
n, found = int(open(sys.argv[1]).read()), sys.stdin.read().split()
sys.exit(42 if found == [str(2 * n)] else 43)
";

#[test]
fn packages_of_kattis_are_graded_as_they_are() {
    let place = folder();
    let scoring = "name: Twice\ntype: scoring\nvalidation: custom\nlimits:\n  time_limit: 5\n";
    package(&place, scoring, &[("output_validators/v/validate.cc", VALIDATOR_IN_CPP)]);
    let said = run(&place, "homework-test ./twice", 0).stdout;
    assert_has(
        &said,
        [
            "Twice: 4 cases, 3 of them secret; 100 points",
            "accepted/twice.py: 4 of 4 cases right, 100 of 100 points",
            "wrong_answer/small.py: 3 of 4 cases right, 30 of 100 points",
            "run_time_error/late.py: 0 of 4 cases right",
            "All is well.",
        ],
    );
    let words = [
        "grade",
        "--game",
        "./twice",
        "--engine",
        "cmd=python3 twice/submissions/wrong_answer/small.py",
    ];
    let temporary = place.join("temporary");
    fs::create_dir(&temporary).unwrap();
    let mut judge = Command::new(env!("CARGO_BIN_EXE_judge"));
    let said = testing::run(judge.current_dir(&*place).env("TMPDIR", &temporary), &words, 0);
    assert_has(said.stdout, ["wrong: not twice 70", "Group b: 0 of 70 points"]);
    // The built validator does not stay.
    let is_built = |path: &PathBuf| path.to_string_lossy().contains("/checker-");
    assert!(!temporary.entries().iter().any(is_built));
    fs::remove_dir_all(place.join("twice")).unwrap();
    package(
        &place,
        "name: Twice\nvalidation: custom\n",
        &[("output_validators/check.py", VALIDATOR_IN_PYTHON)],
    );
    let submissions = place.join("twice/submissions");
    fs::rename(submissions.join("run_time_error/late.py"), place.join("late.py")).unwrap();
    let said = run(&place, "homework-test ./twice", 0).stdout;
    assert_has(&said, ["1 points", "small.py: 3 of 4 cases right, 0 of 1 points", "All is well."]);
    fs::remove_dir_all(place.join("twice/output_validators")).unwrap();
    place
        .write("twice/problem.yaml", "name:\n  en: Twice\nvalidator_flags: float_tolerance 1e-6\n");
    assert_has(run(&place, "homework-test ./twice", 0).stdout, ["All is well."]);
    fs::remove_dir_all(submissions.join("wrong_answer")).unwrap();
    // Groups within groups are sums; a group without settings has those of the folder above.
    place.write("twice/problem.yaml", "name: Twice\ntype: scoring\n");
    for (number, name) in (1..).zip(["c/d/1", "c/d/2", "c/e/1"]) {
        place.write(format!("twice/data/secret/{name}.in"), format!("{number}\n"));
        place.write(format!("twice/data/secret/{name}.ans"), format!("{}\n", 2 * number));
    }
    place.write("twice/data/secret/c/testdata.yaml", "accept_score: 7\ngrader_flags: sum\n");
    place.write("twice/data/secret/c/e/1.files/table.txt", "12");
    place.write("twice/data/secret/c/e/1.yaml", "hint: a table\n");
    place.write(
        "twice/submissions/partially_accepted/table.py",
        "import os\nn = int(input())\nknows = n != 1 and (n != 3 or os.path.exists('table.txt'))\n\
         print(2 * n if knows else 0)\n",
    );
    let said = run(&place, "homework-test ./twice", 0).stdout;
    assert_has(&said, ["121 points", "table.py: 5 of 7 cases right, 114 of 121 points"]);
    let words = ["grade", "--game", "./twice", "--engine", "cmd=python3 late.py"];
    let said = run(&place, &words, 0).stdout;
    assert_has(said, ["Group c-d: 0 of 14 points", "Group c-e: 0 of 7 points", "hint: a table"]);
    for (file, text, words) in [
        ("secret/c/testdata.yaml", "grader_flags: min\n", "groups of groups are supported as sums"),
        ("secret/c/d/testdata.yaml", "grader_flags: max\n", "testdata.yaml: max is not supported"),
        ("secret/c/d/1.args", "-x\n", "c/d/1.args: files .args are not supported"),
        ("secret/c/d/1.yaml", "args: [-x]\n", "1.yaml: args of a single case is not supported"),
        (
            "secret/c/d/testdata.yaml",
            "output_validator_flags: case_sensitive\n",
            "the validator has other arguments for ",
        ),
    ] {
        let path = place.join("twice/data").join(file);
        let before = fs::read(&path).ok();
        place.write(&path, text);
        assert_has(run(&place, "homework-test ./twice", 2).stderr, [words]);
        match before {
            Some(before) => fs::write(&path, before).unwrap(),
            None => fs::remove_file(&path).unwrap(),
        }
    }
    fs::remove_dir_all(place.join("twice/data/secret/c")).unwrap();
    fs::remove_dir_all(place.join("twice/submissions/partially_accepted")).unwrap();
    for (yaml, words) in [
        (
            "name: x\nvalidation: custom interactive\n",
            "problem.yaml: validation: interactive problems are not supported",
        ),
        (
            "name: x\ntype: multi-pass\n",
            "problem.yaml: type: multi-pass problems are not supported",
        ),
    ] {
        place.write("twice/problem.yaml", yaml);
        assert_has(run(&place, "homework-test ./twice", 2).stderr, [words]);
    }
    place.write("twice/problem.yaml", "name: x\n");
    fs::remove_file(place.join("twice/data/secret/b/1.ans")).unwrap();
    assert_has(run(&place, "homework-test ./twice", 2).stderr, ["no file b/1.ans"]);
}
