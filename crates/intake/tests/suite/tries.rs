//! Tests of an intake's second tries, which need another interpreter.

use crate::{intake, judge, run};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use testing::intake::{FIRST, said, submission};
use testing::{Folder, assert_has, class, folder, needs};

#[test]
#[ignore = "needs a quiet machine"]
fn a_first_move_that_comes_late_is_asked_for_again_with_the_clock_of_schemes() {
    needs("python3");
    let place = folder();
    let slow = "import time\nwhile time.process_time() < 2.6: pass\n";
    place.write("made/ann/homework.py", [slow.as_bytes(), FIRST].concat());
    intake(&place, "made", "", 0);
    assert_eq!(submission(&place, "ann")["state"].as_str(), Some("ready"));
}

#[test]
fn programs_of_a_homework_are_tried_again_when_what_decides_changes() {
    needs("python3");
    let place = folder();
    let toml = "name = \"one\"\ntitle = \"\"\ninput = \"i{n}\"\nexpected = \"o{n}\"\n";
    let takes = |file: &str, text: &str, unchanged: &str| {
        place.write(file, text);
        let table = run(&place, "intake made --homework hw --out class", 0).stdout;
        assert_has(table, [unchanged]);
    };
    place.write("hw/i1", "1\n");
    place.write("hw/o1", "1\n");
    place.write("made/ann/agent.py", "open('output.txt', 'w').write('1')\n");
    takes("hw/homework.toml", toml, "0 unchanged");
    // As an earlier version has left it, whose digests were others.
    let taken = place.read("class/ann/submission.toml");
    let is_other = |line: &&str| !line.starts_with("digest") && !line.starts_with("written");
    let lines: Vec<&str> =
        ["digest = '0'"].into_iter().chain(taken.lines().filter(is_other)).collect();
    takes("class/ann/submission.toml", &lines.join("\n"), "0 unchanged");
    takes("hw/README", "Read.\n", "1 unchanged");
    takes("hw/homework.toml", &format!("# One.\n{toml}"), "1 unchanged");
    takes("hw/homework.toml", &format!("{toml}programs = [\"*.py\"]\n"), "0 unchanged");
    takes("hw/o1", "one\n", "0 unchanged");
}

/// A homework's program in Python 2 that doubles the number in its input.
fn doubles(more: &str) -> String {
    let read = "text = open(sys.argv[2], 'r').read()\nnumber = int(text)\n";
    format!("import sys\n{read}{more}\nopen('next_state.txt', 'w').write(str(2 * number))\n")
}

/// Writes programs in Python 2, and a homework of four cases.
fn write_homework_in_python_2(place: &Path) {
    for number in [2, 3, 5, 8] {
        let folder = place.join(format!("cases/case{number}"));
        folder.write("input.txt", format!("{number}\n"));
        folder.write("next_state.txt", format!("{}\n", 2 * number));
    }
    for (student, text) in [
        ("operator", doubles("if number <> 3: pass")),
        ("map", doubles("number = map(int, [number])[0]")),
        ("maxint", doubles("number = min(number, sys.maxint)")),
        ("later", doubles("if number > 2: number = sys.maxint and number")),
        ("silent", doubles("pair = map(int, [number])\nlist(pair)\nnumber = sum(pair)")),
        ("slip", doubles("if number == 3 pass")),
        ("old", doubles("import os\nos.environ['OLD']")),
        ("older", doubles("import os\nnumber *= 'OLD' in os.environ")),
        ("three", doubles("print(f'{number}')")),
    ] {
        place.write(format!("made/{student}/hw1cs561s16.py"), text);
    }
}

#[test]
fn a_homework_in_python_2_is_told_by_its_grammar_and_run_by_it_where_it_is_installed() {
    let place = folder();
    write_homework_in_python_2(&place);
    let only = place.join("bin");
    fs::create_dir(&only).unwrap();
    symlink("/usr/bin/python3", only.join("python3")).unwrap();
    let words = "intake made --out class --game squirrels --homework cases";
    let table = testing::run(judge(&place).env("PATH", &only), words, 1).stdout;
    let remedy = "python2 is not installed; install it and run the intake again";
    let operator =
        "it is written in Python 2 (hw1cs561s16.py:4: `if number <> 3: pass` has the operator <>)";
    let slip =
        "first case, case2: next_state.txt is missing (exit code 1, last words: 'SyntaxError";
    for (student, state, part, is_told) in [
        ("operator", "does-not-play", operator, true),
        ("map", "does-not-play", "'map\\' object is not subscriptable", true),
        ("maxint", "does-not-play", "has no attribute \\'maxint\\'", true),
        ("later", "mended", "case case3: next_state.txt is missing", true),
        ("silent", "mended", "expected \'4\', found \'0\'", true),
        ("slip", "does-not-play", slip, false),
        ("three", "mended", "it is started with -i input.txt", false),
    ] {
        let found = submission(&place, student);
        let shown = said(&found).replace("\\\\", "\\");
        assert_has(&shown, [part]);
        assert_eq!(found["state"].as_str(), Some(state), "{student}: {found}");
        let command = found["command"].as_str();
        assert_eq!(command, Some("python3 hw1cs561s16.py -i input.txt"), "{student}");
        assert_eq!(shown.contains(remedy), is_told, "{student}: {found}");
        let is_written = shown.contains("it is written in Python 2");
        assert_eq!(is_written, student == "operator", "{student}: {found}");
    }
    assert_has(&table, ["has the operator <>"]);
    // As far as anybody asks, another interpreter, by which two of the programs are right.
    let old = "#!/bin/sh\n[ \"$1\" = --version ] && echo Python 2.7.18 && exit\n\
               OLD=1 exec /usr/bin/python3 \"$@\"\n";
    place.write("bin/python2", old);
    fs::set_permissions(only.join("python2"), fs::Permissions::from_mode(0o755)).unwrap();
    testing::run(judge(&place).env("PATH", &only), words, 1);
    for (student, how) in [("old", "crashes"), ("older", "fails")] {
        let found = submission(&place, student);
        let command = "python2 hw1cs561s16.py -i input.txt";
        assert_eq!(found["command"].as_str(), Some(command), "{found}");
        let why = format!("hw1cs561s16.py {how} as Python");
        let right = format!("`{command}`: 4 of 4 right");
        assert_has(said(&found), [&why, ": run as Python 2", &right]);
    }
}

#[test]
#[ignore = "needs mvn"]
fn maven_starts_in_the_box() {
    needs("mvn");
    let place = folder();
    class::make_some(&place.join("made"), |made| made.student == "maven-java");
    intake(&place, "made", "", 0);
    let log = place.read("class/maven-java/build.log");
    assert!(log.starts_with("$ mvn ") && log.contains("in offline mode"), "{log}");
    let found = submission(&place, "maven-java");
    assert_has(said(&found), ["pom.xml failed (mvn: exit code 1"]);
}

#[test]
#[ignore = "needs g++"]
fn a_program_that_compiles_is_used_where_the_one_beside_it_does_not() {
    let place = folder();
    let source = "#include <fstream>\nint main() { std::ofstream(\"output.txt\") << \"E 14,11 13,10\\n\"; }\n";
    place.write("made/ann/homework11.cpp", source);
    place.write("made/ann/homework.cpp", "int main() { return missing; }\n");
    intake(&place, "made", "", 0);
    let found = submission(&place, "ann");
    assert_eq!(found["language"].as_str(), Some("C++11"), "{found:?}");
    assert_has(
        said(&found),
        [
            "homework.cpp failed (g++: exit code 1): built as C++11",
            "homework11.cpp is used, not homework.cpp",
        ],
    );
}
