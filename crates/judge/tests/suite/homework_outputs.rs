//! Outputs of homework: what students are told of secret cases, long and binary outputs.

use crate::common::run;
use crate::homework_folder::{CHECK, DOUBLE, class_with, graded, homework};
use testing::{Folder, Printed, assert_has, assert_lacks, folder};

/// What a program leaves to standard error, in its output, by its exit code or a signal of a secret
/// case is in no text for students, nor what a checker says of it.
#[test]
fn nothing_that_a_program_wrote_in_a_secret_case_reaches_a_student() {
    let place = folder();
    let check = CHECK.replace("'not the double'", "'CHECKER-WORDS ' + case.input");
    class_with(&place, &check);
    place.edit("hw/homework.toml", "title", "samples = []\ntitle");
    place.remove("class");
    for (name, how) in [
        ("cat", "import sys; sys.exit('STOLEN-3')"),
        ("dan", "open('output.txt', 'w').write('9'); raise SystemExit(77)"),
        ("eve", "import os; os.kill(os.getpid(), 11)"),
    ] {
        place.write(format!("made/{name}/homework.py"), how);
    }
    run(&place, "intake made --homework hw --out class", 1);
    for format in ["text", "html", "json", "gradescope"] {
        let words = format!(
            "grade-all class --homework hw --csv {format}.csv --reports {format} --report {format} \
             --page class.html"
        );
        run(&place, &words, 0);
        for name in ["bob", "cat", "dan", "eve"] {
            let suffix = match format {
                "text" => "txt",
                "gradescope" => "json",
                other => other,
            };
            let report = place.read(format!("{format}/{name}.{suffix}"));
            assert_has(&report, ["a secret case"]);
            assert_lacks(&report, ["STOLEN", "CHECKER", "77", "signal", "exit code", "found"]);
        }
    }
    assert_has(place.read("class.html"), ["CHECKER-WORDS", "STOLEN-3"]);
    assert_has(place.read("text.jsonl"), ["CHECKER-WORDS", "STOLEN-3"]);
}

#[test]
fn a_long_right_output_and_a_binary_one_are_right() {
    let place = folder();
    let toml = format!("{DOUBLE}expected = \"output{{n}}.txt\"\nright = {{ by = \"numbers\" }}\n");
    homework(&place, &toml, &[("input1.txt", "3"), ("output1.txt", "6")]);
    place.write("program.py", "open('output.txt', 'w').write(' ' * 5000 + '6.0' + '\\n' * 99)\n");
    place.write("output.txt", format!("{}6.0\n", " ".repeat(5000)));
    run(&place, "check ./hw 1 output.txt", 0);
    graded(&place, &place.read("program.py")).has(["1 of 1 points"]);
    run(&place, "try --homework hw --cmd 'python3 program.py'", 0);
    place.write("hw/submissions/accepted/long.py", place.read("program.py"));
    run(&place, "homework-test ./hw", 0).has(["1 of 1 points"]);
    place.remove("hw/submissions");
    // One limit for every command.
    place.write("longer.py", "open('output.txt', 'w').write(' ' * (2 << 20) + '6')\n");
    place.write("output.txt", format!("{}6", " ".repeat(2 << 20)));
    let toml = place.read("hw/homework.toml");
    for (limit, code) in [("", 0), ("output_limit = 1\n", 1)] {
        place.write("hw/homework.toml", format!("{limit}{toml}"));
        let has = |said: Printed| match code {
            0 => said,
            _ => said.has(["output.txt is longer than the output limit of 1 MiB"]),
        };
        has(run(&place, "check ./hw 1 output.txt", code));
        has(run(&place, "try --homework hw --cmd 'python3 longer.py'", code));
        let grade = "grade --game ./hw --fail-under 1 --engine 'cmd=python3 longer.py' dir=.";
        has(run(&place, grade, code));
        place.write("hw/submissions/accepted/long.py", place.read("longer.py"));
        has(run(&place, "homework-test ./hw", code));
        place.remove("hw/submissions");
    }
    place.write("hw/homework.toml", toml);
    // Bytes that look like UTF-16.
    place.edit("hw/homework.toml", "numbers", "exact");
    for (byte, points) in [(0xe9, "1 of 1 points"), (0xe8, "0 of 1 points")] {
        place.write("hw/output1.txt", [b"a\0b\0c\0".as_slice(), &[byte]].concat());
        let program = "open('output.txt', 'wb').write(b'a\\0b\\0c\\0\\xe9')";
        graded(&place, program).has([points]);
    }
}
