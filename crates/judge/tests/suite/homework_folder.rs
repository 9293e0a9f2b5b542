//! Homework that is no game: folders with `homework.toml`, packages of Kattis, checkers.

use crate::common::{judge, run};
use serde_json::Value;
use std::path::Path;
use testing::archive::zip;
use testing::{Folder, Printed, assert_has, assert_lacks, copy, folder, repository};

pub(super) fn homework(place: &Path, toml: &str, files: &[(&str, &str)]) {
    place.write("hw/homework.toml", toml);
    for (name, text) in files {
        place.write(format!("hw/{name}"), text);
    }
}

fn graded(place: &Path, program: &str) -> Printed {
    place.write("program.py", program);
    run(place, "grade --game ./hw --engine 'cmd=python3 program.py' dir=.", 0)
}

pub(super) const DOUBLE: &str = "name = \"double\"\ntitle = \"Double\"\ninput = \"input{n}.txt\"\n";

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

fn triples() -> String {
    DOUBLES.replace("2 *", "3 *")
}

#[test]
fn numbered_pairs_with_several_accepted_outputs_are_graded_as_they_lie() {
    let place = folder();
    pairs(&place);
    let said = graded(&place, DOUBLES).has(["Double: ", "3 of 3 points\n", "3 of 3 cases right"]);
    // The cases are in the order of their numbers.
    let order = ["case 1 ", "case 2 ", "case 10 "].map(|name| said.stdout.find(name).unwrap());
    assert!(order.is_sorted(), "{said:?}");
    let eight =
        "if open('input.txt').read() == '4\\n':\n    open('output.txt', 'w').write('eight')\n";
    graded(&place, &format!("{DOUBLES}{eight}")).has(["3 of 3 points"]);
    let said = graded(&place, &triples()).has([
        "output.txt:1: expected '6', found '9'",
        "found: 9\n           ^\n",
        "input.txt:\n    | 3\n",
        "expected '8', found '12' (the first of 2 accepted files)",
        "0 of 3 points",
    ]);
    said.lacks(["never read"]);
    // A program that looks for another file is told so, where the file system keeps times.
    let other =
        "import os\nif not os.path.exists('Input.txt'):\n    open('output.txt', 'w').write('1')\n";
    let said = graded(&place, other);
    let words = "found '1' (the program never read input.txt, and program.py names 'Input.txt')";
    if said.stdout.contains("never read") {
        said.has([words]);
    }
    // What is wrong in a homework: crates/homework. Commands of games say that it is none.
    place.edit("hw/homework.toml", "input{n}.txt", "none{n}");
    run(&place, "homework-test ./hw", 2).has(["homework.toml:3: no file is called none{n}"]);
    pairs(&place);
    let toml = place.read("hw/homework.toml");
    place.write("hw/homework.toml", format!("{toml}[environment]\npythonn = \"3\"\n"));
    run(&place, "homework-test ./hw", 2).has(["homework.toml:7: unknown field `pythonn`"]);
    pairs(&place);
    run(&place, "perft ./hw --depth 1", 2).has(["double: a homework, and no game"]);
}

#[test]
fn cases_in_zips_within_zips_are_found_as_in_folders() {
    let place = folder();
    let first = zip(&[("input1.txt", b"3"), ("output1.txt", b"6"), ("__MACOSX/input1.txt", b"x")]);
    let second = zip(&[("input1.txt", b"4"), ("output1.txt", b"8"), ("input2.txt", b"5")]);
    let files: [(&str, &[u8]); 2] = [("a b/set1.zip", &first), ("a b/set2.ZIP", &second)];
    place.write("hw/download.zip", zip(&files));
    place.write("hw/late.zip", zip(&[("output2.txt", b"10")]));
    let toml = DOUBLE.replace("input{n}", "download/a b/set{k}/input{n}");
    let toml = format!("{toml}expected = \"download/a b/set{{k}}/output{{n}}.txt\"\n");
    homework(&place, &toml, &[]);
    let refused = |words: &str| drop(run(&place, "homework-test ./hw", 2).has([words]));
    refused("the case '2-2' has no expected file download/a b/set2/output2.txt");
    place.write("hw/download/a b/set2/output2.txt", "10");
    graded(&place, DOUBLES).has(["3 of 3 points\n", " 1-1 ", " 2-1 ", " 2-2 "]);
    graded(&place, &triples()).has(["expected '8', found '12'", "| 4"]);
    place.write("hw/download/a b/set1/input1.txt", "3");
    refused(
        "two files are called download/a b/set1/input1.txt, one of them in download/a b/set1.zip",
    );
    place.write("hw/download.zip", "no zip");
    refused("download.zip: cannot be unpacked");
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
    let program = |number: &str| {
        format!(
            "n = int(open('input.txt').read())\nopen('output.txt', 'w').write('%d\\nend\\n' % ({number}))\n"
        )
    };
    let all = ["Group hard: 10 of 10 points  large numbers", "14 of 14 points"];
    graded(&place, &program("2 * n")).has(all);
    // The expected line of a secret case and its input stay secret.
    let said = graded(&place, &program("2 * n + (n == 3)"))
        .has(["Group hard: 0 of 10 points", "4 of 14 points", "2 of 3 cases right"])
        .has(["wrong: a secret case", "hint: large numbers"]);
    assert_has(&said.stderr, ["for the teacher: case 3: output.txt:1: '7' is not right"]);
    assert_lacks(&said.stdout, ["'7'", "found: ", "expected '6'", "| 3"]);
    place.write("hw/homework.toml", format!("secret_cases_tell = \"output\"\n{toml}"));
    graded(&place, &program("2 * n + (n == 3)"))
        .has(["output.txt:1: '7' is not right", "found: 7"])
        .lacks(["expected '6'", "| 3"]);
}

#[test]
fn four_inputs_give_points_relative_to_the_staff() {
    let place = folder();
    let toml = "name = \"states\"\ntitle = \"States\"\nexpected = \"{n}/states.txt\"\nleaves = \"states.txt\"\n\
                [input]\n\"a.txt\" = \"{n}/a.txt\"\n\"b.txt\" = \"{n}/b.txt\"\n\"c.txt\" = \"{n}/c.txt\"\n\"all.txt\" = \"all.txt\"\n\
                [right]\nchecker = \"python3 check.py\"\n";
    let check = "from menagerie_checker import Right, Wrong, run
def check(case, output):
    value = lambda text: int(text) / int(case.file('all.txt'))
    part = 2 * value(output) / value(case.expected)
    return Right('part %.2f' % part, points=min(1, part)) if part >= 1 else Wrong('too low', points=part / 2)
if __name__ == '__main__':
    run(check)
";
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
    let said = ["ok  part 2.00", "0.24 of 1 ", "wrong: too low", "1.24 of 2 points"];
    graded(&place, program).has(said);
}

#[test]
fn the_starter_passes_its_test_and_others_are_told_what_to_correct() {
    let place = folder();
    copy(repository("starters/homework"), place.join("paths"));
    run(&place, "homework-test ./paths", 0).has([
        "Cheap paths: 6 cases, 4 of them secret; 12 points\n",
        "The checker takes 6 expected files",
        "accepted/homework.py: 6 of 6 cases right, 12 of 12 points; the longest case ",
        "wrong_answer/fewest_steps.py: 3 of 6 cases right, 9 of 12 points",
        "All is well.",
    ]);
    // A checker and a solution that are not what they should be.
    let check = "from menagerie_checker import Right, Wrong, run\n\
                 run(lambda case, output: Right() if output == case.expected else Wrong('no'))\n";
    let right = "right = { checker = \"python3 check.py\" }\n";
    let files = [
        ("input1.txt", "3"),
        ("output1.txt", "6"),
        ("checker/check.py", &check.replace(" if output == case.expected", " if True")),
        ("submissions/accepted/three.py", &triples()),
    ];
    homework(&place, &format!("{DOUBLE}expected = \"output{{n}}.txt\"\n{right}"), &files);
    let takes_all = "TO CORRECT: case 1: an empty file is right";
    run(&place, "homework-test ./hw", 1).has([takes_all]);
    place.write("hw/checker/check.py", check);
    let said = "TO CORRECT: accepted/three.py: it does not get what its folder says";
    run(&place, "homework-test ./hw", 1).has([said]).lacks([takes_all]);
    // Students try a program on the samples alone.
    let words = "try --game ./paths --cmd 'python3 paths/submissions/accepted/homework.py'";
    run(&place, words, 0).has(["2 of 2 cases that you may know are right"]);
    // One output against one case, by its name or its input.
    run(&place, "check ./paths 3 paths/cases/3.out.txt", 0);
    let said = "case 3: wrong: the path does not lead from S to T";
    run(&place, "check ./paths paths/cases/3.in.txt paths/cases/1.out.txt", 1).has([said]);
}

#[test]
#[ignore = "long"]
fn the_examples_pass_their_tests() {
    let place = folder();
    for example in ["mountain-trail", "two-houses", "flower-kinds"] {
        copy(repository("examples/homework").join(example), place.join(example));
        run(&place, &format!("homework-test ./{example}"), 0).has(["All is well."]);
    }
}

pub(super) const CHECK: &str = "\
from menagerie_checker import Right, Wrong, run
def check(case, output):
    return Right() if int(output) == int(case.expected) else Wrong('not the double')
if __name__ == '__main__':
    run(check)
";

/// The checker with lines of Python before the verdict.
fn check_after(lines: &str) -> String {
    CHECK.replace("    return", &format!("{lines}\n    return"))
}

#[test]
#[ignore = "long"]
fn a_checker_that_prints_a_gigabyte_is_stopped_or_heard() {
    let place = folder();
    class_with(&place, &check_after("    for _ in range(1 << 10): print('x' * (1 << 20))"));
    place.write("answer.txt", "6");
    let said = "the checker: no verdict within 1 s of CPU time";
    run(&place, "check ./hw 1 answer.txt", 2).has([said]);
    place.edit("hw/homework.toml", "time = 1\n", "time = 60\n");
    run(&place, "check ./hw 1 answer.txt", 0).has(["case 1: right"]);
}

/// A class of two that is taken in, with a homework whose checker is this text.
pub(super) fn class_with(place: &Path, check: &str) {
    let right = "[right]\nchecker = \"python3 check.py\"\ntime = 1\n";
    let toml = format!("{DOUBLE}expected = \"output{{n}}.txt\"\n{right}");
    let files = [("input1.txt", "3"), ("output1.txt", "6"), ("checker/check.py", check)];
    homework(place, &toml, &files);
    place.write("made/ann/homework.py", DOUBLES);
    place.write("made/bob/homework.py", triples());
    run(place, "intake made --homework hw --out class", 0);
}

#[test]
fn a_class_is_graded_and_a_fault_of_the_checker_costs_nobody_a_point() {
    let place = folder();
    class_with(&place, CHECK);
    let words =
        "grade-all class --homework hw --csv grades.csv --reports reports --concurrency 2 --resume";
    let rows = || -> Vec<String> {
        let grades = place.read("grades.csv");
        let first_three = |line: &str| line.split(',').take(3).collect::<Vec<_>>().join(",");
        grades.lines().skip(1).map(first_three).collect()
    };
    run(&place, words, 0);
    let all = ["ann,1,1", "bob,0,1"];
    assert_eq!(rows(), all);
    assert_has(place.read("reports/bob.txt"), ["wrong: not the double", "0 of 1 points"]);
    for (fault, why) in [
        ("while True: pass", "no verdict within 1 s of CPU time"),
        ("import nothing_of_the_kind", "ModuleNotFoundError: No module named"),
        ("import os; os.kill(os.getpid(), 11)", "ended by signal 11"),
        ("raise SystemExit(0)", "exit code 0, expected 42 for right or 43 for wrong"),
        (
            "for _ in range(1 << 4): print('x' * (1 << 20))\n        return None",
            "check: expected Right(...) or Wrong(...), found None",
        ),
        (
            "open('feedback/score.txt', 'w').write('7'); raise SystemExit(42)",
            "feedback/score.txt: expected a number from 0 to 1",
        ),
    ] {
        // It fails for one answer of one student.
        let faulty = check_after(&format!("    if output == '9':\n        {fault}"));
        place.write("hw/checker/check.py", faulty);
        run(&place, words, 2).has([
            "not graded yet, since the checker fails, which costs nobody a point",
            "bob: 1 test waits: case 1: the checker: ",
            why,
        ]);
        assert_eq!(rows(), all[..1], "{fault}");
    }
    // A checker cannot write to the class, nor to the homework.
    let file = place.join("class/bob/x");
    let writes = format!("    try: open({file:?}, 'w').write('x')\n    except OSError: pass");
    place.write("hw/checker/check.py", check_after(&writes));
    run(&place, words, 0);
    assert_eq!(rows(), all);
    assert!(!file.exists());
}

#[test]
fn a_class_has_a_page_results_for_gradescope_and_words_for_the_teacher() {
    let place = folder();
    let check = CHECK.replace("not the double'", "not the double', teacher='found %s' % output");
    let check = check.replace("    return", "    __import__('time').sleep(1)\n    return");
    class_with(&place, &check);
    let words = "grade-all class --game ./hw --csv grades.csv \
                 --page class.html --reports reports --report gradescope";
    run(&place, words, 0);
    assert_has(place.read("grades.csv"), ["\nann,1,1,", "\nbob,0,1,"]);
    // The time of a homework is what passed, with the checker's.
    for line in place.read("grades.jsonl").lines().filter(|line| line.contains("\"result\"")) {
        let result: Value = serde_json::from_str(line).unwrap();
        let program = result["cases"]["results"][0]["wall"].as_f64().unwrap();
        assert!(result["wall"].as_f64().unwrap() >= program + 1.0, "{line}");
    }
    let page = place.read("class.html");
    assert_has(&page, ["Double: 2 submissions", "The checker's words for the teacher", "found 9"]);
    assert_has(&page, ["class-pages/reports/bob.html", "mean 0.5"]);
    let report = place.read("class-pages/reports/bob.html");
    assert_has(&report, ["wrong: not the double", "MiB", "input.txt:", "| 3"]);
    let results = place.read("reports/bob.json");
    let json: Value = serde_json::from_str(&results).unwrap();
    let tests = json["tests"].as_array().unwrap();
    assert_eq!((json["score"].as_f64(), tests.len()), (Some(0.0), 1));
    assert!(tests.iter().all(|test| test["status"] == "failed"), "{results}");
    for of_students in [&report, &results] {
        assert_lacks(of_students, ["found 9", "for_teacher"]);
    }
    // One program, and one answer: the teacher sees the words, the report has none of them.
    place.write("program.py", triples());
    let words = "grade --homework hw --report json --engine 'cmd=python3 program.py' dir=.";
    let output = run(&place, words, 0);
    assert_has(&output.stderr, ["for the teacher: case 1: found 9"]);
    assert_lacks(&output.stdout, ["found 9"]);
    let json: Value = serde_json::from_str(&output.stdout).unwrap();
    // Python itself takes some MiB.
    assert!(json["tests"][0]["case"]["memory"].as_u64().unwrap() > 1 << 20, "{json}");
    place.write("output.txt", "9");
    let said = "case 1: wrong: not the double\n  for the teacher: found 9\n";
    run(&place, "check ./hw 1 output.txt", 1).has([said]);
    let words = "try --homework hw --cmd 'python3 program.py'";
    run(&place, words, 1).has(["WRONG  not the double", " MiB "]);
}

fn write_case(place: &Path, name: &str, number: u32) {
    place.write(format!("twice/data/{name}.in"), format!("{number}\n"));
    place.write(format!("twice/data/{name}.ans"), format!("{}\n", 2 * number));
}

/// A package of Kattis: print twice the number.
fn package(place: &Path) {
    for (name, number) in [("sample/1", 3), ("secret/a/1", 5), ("secret/b/1", 70)] {
        write_case(place, name, number);
    }
    let yaml = "name: Twice\ntype: scoring\nvalidation: custom\nlimits:\n  time_limit: 5\n";
    let small = "n = int(input())\nprint(2 * n if n < 9 else 0)\n";
    for (name, text) in [
        ("problem.yaml", yaml),
        ("data/testdata.yaml", "on_reject: continue\n"),
        ("data/secret/a/testdata.yaml", "range: 0 30\ngrader_flags: min\n"),
        ("data/secret/b/testdata.yaml", "range: 0 70\n"),
        ("submissions/accepted/twice.py", "print(2 * int(input()))\n"),
        ("submissions/wrong_answer/small.py", small),
        ("output_validators/v/validate.cc", VALIDATOR_IN_CPP),
    ] {
        place.join("twice").write(name, text);
    }
}

const VALIDATOR_IN_CPP: &str = "\
#include <fstream>\n#include <iostream>\n#include <string>\n\
int main(int, char **argv) {\n\
    std::ifstream input(argv[1]); std::string folder = argv[3]; int n, found;\n\
    input >> n;\n\
    if (std::cin >> found && found == 2 * n) return 42;\n\
    std::ofstream(folder + \"teammessage.txt\") << \"not twice \" << n;\n\
    return 43;\n}\n";

#[test]
fn packages_of_kattis_are_graded_as_they_are() {
    let place = folder();
    package(&place);
    let late = "n = int(input())\nprint(2 * n)\nraise SystemExit(3)\n";
    place.write("twice/submissions/run_time_error/late.py", late);
    // A program that no machine runs is named, and changes nothing.
    place.write("twice/submissions/accepted/other.language", "print twice\n");
    // What a compiler says of its own end is nothing about the program.
    let ends = "#error : internal compiler error: x\n";
    place.write("twice/submissions/accepted/ends.cpp", ends);
    place.write("twice/submissions/mixed/small.py", "# @EXPECTED_RESULTS@: RUN-ERROR\nprint(6)\n");
    place.make("temporary");
    let mut judge = judge(&place);
    judge.env("TMPDIR", place.join("temporary"));
    testing::run(&mut judge, "homework-test ./twice", 1).has([
        "Twice: 3 cases, 2 of them secret; 100 points",
        "accepted/other.language: cannot be run: no program among the files",
        "mixed/small.py: 1 of 3 cases right, 0 of 100 points; ",
        "found: wrong answer; its authors say: run-time error",
        "6 programs: 3 get what their authors say, 1 do not; 2 cannot be run here",
        "accepted/ends.cpp: cannot be run: the compiler itself failed\n",
        "TO CORRECT: mixed/small.py: it gets wrong answer",
        "accepted/twice.py: 3 of 3 cases right, 100 of 100 points",
        "wrong_answer/small.py: 2 of 3 cases right, 30 of 100 points",
        "run_time_error/late.py: 0 of 3 cases right",
    ]);
    // The built validator does not stay.
    let left = place.join("temporary").entries();
    assert!(!left.iter().any(|path| path.to_string_lossy().contains("/checker-")), "{left:?}");
    place.write("five.py", "print(10)\n");
    run(&place, "grade --game ./twice --engine 'cmd=python3 five.py'", 0).has([
        "wrong: a secret case",
        "for the teacher: case secret-b-1: not twice 70",
        "Group b: 0 of 70 points",
    ]);
    place.remove("twice/submissions/mixed");
    // Files of the package are added before a program is built, for C++ with the main function.
    let driver = "#include <iostream>\nint twice(int);\n\
        int main() { int n; std::cin >> n; std::cout << twice(n); }\n";
    for (name, text) in [
        ("include/cpp/driver.cpp", driver),
        ("include/default/factor.py", "FACTOR = 2\n"),
        ("submissions/accepted/part.cpp", "int twice(int n) { return 2 * n; }\n"),
        ("submissions/accepted/twice.py", "import factor\nprint(factor.FACTOR * int(input()))\n"),
        ("submissions/accepted/alone.py", "print(2 * int(input()))\n"),
    ] {
        place.join("twice").write(name, text);
    }
    run(&place, "homework-test ./twice", 0).has([
        "accepted/part.cpp: 3 of 3 cases right",
        "accepted/twice.py: 3 of 3 cases right",
        "accepted/alone.py: 3 of 3 cases right",
    ]);
    place.write("twice/output_validators/v/validate.cc", "int main() { return 0; }\n");
    run(&place, "homework-test ./twice", 1).has([
        "accepted/twice.py: not judged; its authors say: accepted\n",
        "the checker: exit code 0, expected 42",
    ]);
}
