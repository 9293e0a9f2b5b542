//! Outputs of homework: what students are told of secret cases, and forty outputs of which all
//! commands say the same.

use crate::autograder::{results, unpacked};
use crate::common::run;
use crate::homework_folder::{CHECK, DOUBLE, class_with, homework};
use serde_json::Value;
use std::collections::BTreeMap;
use testing::{Folder, assert_has, assert_lacks, folder};

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
fn a_byte_that_changes_in_an_expected_file_is_graded_anew() {
    let place = folder();
    let toml = format!("{DOUBLE}expected = \"output{{n}}.txt\"\nright = {{ by = \"exact\" }}\n");
    homework(&place, &toml, &[("input1.txt", "3")]);
    // Bytes that look like UTF-16.
    let program = "open('output.txt', 'wb').write(b'a\\0b\\0c\\0\\xe9')";
    place.write("class/ann/homework.py", program);
    let words =
        "grade-all class --homework hw --cmd 'python3 homework.py' --csv grades.csv --resume";
    for (byte, points) in [(0xe9, 1), (0xe8, 0)] {
        place.write("hw/output1.txt", [b"a\0b\0c\0".as_slice(), &[byte]].concat());
        run(&place, words, 0);
        assert_has(place.read("grades.csv"), [&format!("\nann,{points},1,")]);
    }
}

/// What a program writes into output.txt, what its shell does then, the expected file, and what is
/// wrong.
type Output = (&'static [u8], &'static str, &'static [u8], &'static str);

const OUTPUTS: [Output; 40] = [
    (b"6\n", "", b"6\n", ""),
    (b"7\n", "", b"6\n", "output.txt:1: expected '6', found '7'"),
    (b"6\n", "while :; do :; done", b"6\n", "s of CPU, more than 0.30 s"),
    (b"6", "", b"6\n", ""),
    (b"6\r\n", "", b"6\n", ""),
    (b"6\n", "", b"6\r\n", ""),
    (b"6\n\n\n", "", b"6\n", ""),
    (b"6 \t\n", "", b"6\n", ""),
    (b" 6\n", "", b"6\n", "expected '6', found ' 6'"),
    (b"6  7\n", "", b"6 7\n", "expected '6 7', found '6  7'"),
    (b"", ": > output.txt", b"6\n", "output.txt: expected 1 lines, found 0"),
    (b"", ": > output.txt", b"", ""),
    (b"\n\n", "", b"", ""),
    (b"", "", b"6\n", "output.txt is missing"),
    (b"", "", b"", "output.txt is missing"),
    (b"", "echo 6 > Output.txt", b"6\n", "output.txt is missing, and Output.txt is another name"),
    (b"", "echo 6", b"6\n", "output.txt is missing"),
    (b"", "mkdir output.txt", b"6\n", "output.txt is not a file"),
    (b"", "mkfifo output.txt", b"6\n", "output.txt is not a file"),
    (b"", "ln -s /etc/passwd output.txt", b"6\n", "output.txt is not a file"),
    (b"", "ln input.txt output.txt", b"6\n", "output.txt:1: expected '6', found '"),
    (b"", "exit 3", b"6\n", "output.txt is missing (exit code 3)"),
    (b"7\n", "exit 3", b"6\n", "found '7' (exit code 3)"),
    (b"6\n", "kill -9 $$", b"6\n", ""),
    (b"", "kill -11 $$", b"6\n", "is missing (ended by signal 11"),
    (b"", "echo why >&2; exit 1", b"6\n", "(exit code 1, last words: 'why')"),
    (b"6\n", "echo why >&2", b"6\n", ""),
    (b"6", "head -c 999999 /dev/zero | tr '\\0' '\\n' >> output.txt", b"6\n", ""),
    (b"", "head -c 2000000 /dev/zero > output.txt", b"6\n", "the output limit of 1 MiB"),
    (b"6\n7\n", "", b"6\n", "output.txt: expected 1 lines, found 2"),
    (b"6\n", "", b"6\n7\n", "output.txt: expected 2 lines, found 1"),
    (b"7\n6\n", "", b"6\n7\n", "output.txt:1: expected '6', found '7'"),
    (b"6\r7\r", "", b"6\n7\n", "output.txt:1: expected '6', found '6\\r7'"),
    (b"\xef\xbb\xbf6\n", "", b"6\n", ""),
    (b"\xff\xfe6\0\n\0", "", b"6\n", "(output.txt is UTF-16, expected UTF-8)"),
    (b"\xe9\n", "", b"\xe9\n", ""),
    (b"\xe8\n", "", b"\xe9\n", "at byte 1 expected 0xe9, found 0xe8"),
    (b"e\xcc\x81\n", "", b"\xc3\xa9\n", "expected '\\u{e9}', found 'e\\u{301}'"),
    (b"6\0\n", "", b"6\n", "found '6\\u{0}' (1 NUL byte)"),
    (b"6\x1b[31m\n", "", b"6\n", "expected '6', found '6\\u{1b}[31m'"),
];

/// Each case's input is the shell's part; a homework in C starts the shell.
#[test]
fn all_commands_say_the_same_of_forty_outputs() {
    const STARTS_SHELL: &str = "#include <unistd.h>\n\
        int main(void) { return execl(\"/bin/sh\", \"sh\", \"input.txt\", (char *)0); }\n";
    let place = folder();
    let toml = format!("{DOUBLE}expected = \"output{{n}}.txt\"\noutput_limit = 1\ntime = 0.3\n");
    homework(&place, &toml, &[("submissions/accepted/homework.c", STARTS_SHELL)]);
    place.write("made/ann/homework.c", STARTS_SHELL);
    for ((written, then, expected, _), number) in OUTPUTS.iter().zip(1..) {
        let octal: String = written.iter().map(|byte| format!("\\{byte:03o}")).collect();
        let writes = format!("printf '{octal}' > output.txt\n");
        let script = if written.is_empty() { String::new() } else { writes } + then;
        place.write(format!("hw/input{number}.txt"), script);
        place.write(format!("hw/output{number}.txt"), expected);
    }
    let right = OUTPUTS.iter().filter(|output| output.3.is_empty()).count();
    let said = run(&place, "homework-test ./hw", 1);
    let first = format!("case 2: {}", OUTPUTS[1].3);
    said.has([&format!("{right} of 40 cases right, {right} of 40 points"), &first]);
    run(&place, "intake made --homework hw --out class", 0);
    let words = "grade-all class --homework hw --csv grades.csv --report json --reports reports";
    run(&place, words, 0);
    let said = run(&place, "try --homework hw --cmd 'sh input.txt'", 1);
    let tried: BTreeMap<&str, &str> = said.stdout.lines().filter_map(case_of_try).collect();
    // An output that was handed in is no answer.
    place.write("output.txt", "6\n");
    let words = "grade --game ./hw --report json --engine 'cmd=sh input.txt' dir=.";
    let of_json = |text: &str| {
        let report: Value = serde_json::from_str(text).unwrap();
        report["tests"].as_array().unwrap().clone()
    };
    let graded = of_json(&run(&place, words, 0).stdout);
    let of_class = of_json(&place.read("reports/ann.json"));
    unpacked(&place, "--game ./hw", "autograder/source");
    let uploaded = results(&place, &place.join("made/ann"));
    for ((written, then, _, wrong), number) in OUTPUTS.iter().zip(1..) {
        let why = format!("case {number}: {written:?} {then}");
        let how = tried[&*number.to_string()];
        assert!(how.contains(wrong) && (how == "ok") == wrong.is_empty(), "{why}: {how}");
        for tests in [&graded, &of_class] {
            let wrong = tests[number - 1]["case"]["wrong"].as_str();
            assert_eq!(wrong.is_none(), how == "ok", "{why}: {wrong:?}");
            // The measured time differs.
            if !then.starts_with("while") {
                assert_eq!(wrong, how.strip_prefix("WRONG  "), "{why}");
            }
        }
        let test = &uploaded["tests"][number - 1];
        assert_eq!(test["score"].as_f64() == Some(1.0), wrong.is_empty(), "{why}: {test}");
        assert!(test["output"].as_str().unwrap().contains(wrong), "{why}: {test}");
        if then.is_empty() && !written.is_empty() {
            place.write("output.txt", written);
            let code = i32::from(!wrong.is_empty());
            run(&place, &format!("check ./hw {number} output.txt"), code).has([wrong]);
        }
    }
    place.write("hw/homework.toml", format!("{toml}time_of_all = 0.25\n"));
    let why = "after all cases together have 0.25 s of CPU";
    let said = run(&place, "try --homework hw --cmd 'sh input.txt'", 1);
    said.has([&format!("Not run: 37, {why}"), "1 of 40 cases"]);
    let said = run(&place, "grade --game ./hw --engine 'cmd=sh input.txt'", 0);
    said.has([why, "1 of 40 points"]);
}

/// The name of a case, and what `judge try` says of it.
fn case_of_try(line: &str) -> Option<(&str, &str)> {
    let (start, how) = line.split_once(" MiB  ")?;
    Some((start.split_whitespace().next()?, how))
}
