//! Tests of an intake's second tries that need another interpreter, and of a class in the naming
//! scheme of each course system.

use crate::common::{intake, judge};
use std::fs;
use std::path::Path;
use testing::archive::zip;
use testing::intake::{FIRST, said, states, submission};
use testing::{Folder, assert_has, class, folder, needs, text};

/// Programs whose packing the course systems change, and which are quick to take in.
const PACKED: [&str; 8] = [
    "plain-python",
    "plain-c",
    "parts-python",
    "try-hw.7z",
    "try-notebook",
    "try-package",
    "try-empty",
    "report-alone",
];

#[test]
fn a_class_is_found_in_the_names_of_every_course_system() {
    let place = folder();
    let made =
        class::make_some(&place.join("made"), |made| PACKED.contains(&made.student.as_str()));
    assert_eq!(made.len(), PACKED.len());
    let mut packed: [Vec<(String, Vec<u8>)>; 4] = Default::default();
    for (number, made) in made.iter().enumerate() {
        let folder = place.join("made").join(&made.student);
        let files = files_below(&folder, "");
        let named: Vec<(&str, &[u8])> =
            files.iter().map(|(name, bytes)| (name.as_str(), &bytes[..])).collect();
        // Several files are handed in as a zip.
        let (name, one) = match &named[..] {
            [(name, bytes)] => (*name, bytes.to_vec()),
            several => ("hw.zip", zip(several)),
        };
        let student = &made.student;
        packed[0].push((format!("{student}_LATE_{number}_9{number}_{name}"), one.clone()));
        packed[3]
            .push((format!("Homework_{student}_attempt_2026-11-23-10-00-0{number}_{name}"), one));
        for (name, bytes) in files {
            packed[1].push((
                format!("{student}_1{number}_assignsubmission_file_/{name}"),
                bytes.clone(),
            ));
            packed[2].push((format!("assignment_1_export/submission_{number}/{name}"), bytes));
        }
    }
    let names: String = made
        .iter()
        .enumerate()
        .map(|(number, made)| {
            format!("submission_{number}:\n  :submitters:\n  - :name: {}\n", made.student)
        })
        .collect();
    packed[2].push(("assignment_1_export/submission_metadata.yml".to_string(), names.into_bytes()));
    for (system, files) in ["Canvas", "Moodle", "Gradescope", "Blackboard"].into_iter().zip(packed)
    {
        let files: Vec<(&str, &[u8])> =
            files.iter().map(|(name, bytes)| (name.as_str(), &bytes[..])).collect();
        place.write("download.zip", zip(&files));
        let output = intake(&place, "download.zip", "--concurrency 2", 1);
        let told = output.stderr;
        assert_has(&told, [&format!("8 students, {system} download")]);
        let found = states(&place);
        for made in &made {
            let (state, said) = &found[&made.student];
            let is_zipped = said.contains("hw.zip was unpacked") && made.state == "ready";
            assert_eq!(
                state,
                if is_zipped { "mended" } else { made.state },
                "{system}, {}: {said}",
                made.student
            );
        }
        fs::remove_dir_all(place.join("class")).unwrap();
    }
}

/// The files below a folder, with their paths relative to it.
fn files_below(folder: &Path, above: &str) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap()) {
        let name = format!("{above}{}", entry.file_name().into_string().unwrap());
        match entry.file_type().unwrap().is_dir() {
            true => files.extend(files_below(&entry.path(), &format!("{name}/"))),
            false => files.push((name, fs::read(entry.path()).unwrap())),
        }
    }
    files
}

#[test]
#[ignore = "needs a quiet machine"]
fn a_first_move_that_comes_late_is_asked_for_again_with_the_clock_of_schemes() {
    needs("python3");
    let place = folder();
    place.make("made/ann");
    let slow = "import time\nwhile time.process_time() < 2.6: pass\n";
    place.write("made/ann/homework.py", [slow.as_bytes(), FIRST].concat());
    intake(&place, "made", "", 0);
    assert_eq!(submission(&place, "ann")["state"].as_str(), Some("ready"));
}

/// A program in Python 2 that leaves a legal first move.
const PYTHON_2: &str = "print 'thinking', 3 / 2\nopen('output.txt', 'w').write('E 14,11 13,10')\n";

/// A homework's program in Python 2, called as the homework calls it: it doubles the number in its
/// input.
fn doubles(more: &str) -> String {
    let read = "text = open(sys.argv[2], 'r').read()\nnumber = int(text)\n";
    format!("import sys\n{read}{more}\nopen('next_state.txt', 'w').write(str(2 * number))\n")
}

/// Writes programs in Python 2, and a homework of four cases. Only an interpreter tells what they
/// are, but for the first.
fn write_homework_in_python_2(place: &Path) {
    for number in [2, 3, 5, 8] {
        let folder = place.join(format!("cases/case{number}"));
        fs::create_dir_all(&folder).unwrap();
        folder.write("input.txt", format!("{number}\n"));
        folder.write("next_state.txt", format!("{}\n", 2 * number));
    }
    for (student, text) in [
        ("operator", doubles("if number <> 3: pass")),
        ("mode", doubles("").replace("'r'", "'rU'")),
        ("map", doubles("number = map(int, [number])[0]")),
        ("maxint", doubles("number = min(number, sys.maxint)")),
        ("later", doubles("if number > 2: number = sys.maxint and number")),
        ("slip", doubles("if number == 3 pass")),
        ("three", doubles("print(f'{number}')")),
    ] {
        fs::create_dir_all(place.join("made").join(student)).unwrap();
        fs::write(place.join("made").join(student).join("hw1cs561s16.py"), text).unwrap();
    }
}

/// Takes in a homework with interpreters of these names alone, which are links to others.
fn taken_in_with(place: &Path, interpreters: &[(&str, &str)], code: i32) -> String {
    let only = place.join("bin");
    fs::create_dir(&only).unwrap();
    for (name, real) in interpreters {
        std::os::unix::fs::symlink(real, only.join(name)).unwrap();
    }
    let words = ["intake", "made", "--game", "squirrels", "--homework", "cases", "--out", "class"];
    let output = judge(place).args(words).env("PATH", &only).output().unwrap();
    println!("{}{}", text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(code));
    text(&output.stdout)
}

#[test]
fn a_homework_in_python_2_is_told_by_its_grammar_where_only_python_3_is_installed() {
    let place = folder();
    write_homework_in_python_2(&place);
    let table = taken_in_with(&place, &[("python3", "/usr/bin/python3")], 1);
    let remedy = "python2 is not installed; install it and run the intake again";
    for (student, state, part) in [
        (
            "operator",
            "does-not-play",
            "it is written in Python 2 (hw1cs561s16.py:4: `if number <> 3: pass` has the operator <>)",
        ),
        ("map", "does-not-play", "'map\\' object is not subscriptable"),
        ("maxint", "does-not-play", "has no attribute \\'maxint\\'"),
        ("later", "mended", "case case3: next_state.txt is missing"),
        (
            "slip",
            "does-not-play",
            "first case, case2: next_state.txt is missing (exit code 1, last words: 'SyntaxError",
        ),
        ("three", "mended", "it is started with -i input.txt"),
    ] {
        let found = submission(&place, student);
        let shown = said(&found).replace("\\\\", "\\");
        assert!(
            found["state"].as_str() == Some(state) && shown.contains(part),
            "{student}: {part}: {found}"
        );
        assert_eq!(
            found["command"].as_str(),
            Some("python3 hw1cs561s16.py -i input.txt"),
            "{found}"
        );
        assert_eq!(
            shown.contains(remedy),
            ["operator", "map", "maxint", "later"].contains(&student),
            "{student}: {found}"
        );
        assert_eq!(
            shown.contains("it is written in Python 2"),
            student == "operator",
            "{student}: {found}"
        );
    }
    assert_has(&table, ["has the operator <>"]);
}

#[test]
#[ignore = "needs python2"]
fn a_homework_in_python_2_is_found_by_trying_every_interpreter_and_form_of_arguments() {
    needs("python2");
    let place = folder();
    write_homework_in_python_2(&place);
    let place_of = |name: &str| {
        let script = "import sys; print(sys.executable)";
        let output = std::process::Command::new(name).args(["-c", script]).output().unwrap();
        text(&output.stdout).trim().to_string()
    };
    // Also where it is only called python2.7.
    let real = place_of("python2");
    let table = taken_in_with(&place, &[("python3", "/usr/bin/python3"), ("python2.7", &real)], 1);
    for student in ["operator", "mode", "map", "maxint", "later"] {
        let found = submission(&place, student);
        let shown = said(&found);
        let fails = if student == "later" { "fails" } else { "crashes" };
        assert_eq!(
            found["command"].as_str(),
            Some("python2.7 hw1cs561s16.py -i input.txt"),
            "{found}"
        );
        assert_eq!(
            (found["state"].as_str(), found["language"].as_str()),
            (Some("mended"), Some("Python 2")),
            "{found}"
        );
        assert_has(
            &shown,
            [
                &format!("hw1cs561s16.py {fails} as Python"),
                ": run as Python 2",
                "`python2.7 hw1cs561s16.py -i input.txt`: 4 of 4 right",
            ],
        );
    }
    assert_has(&table, ["`python3 hw1cs561s16.py -i input.txt`: 1 of 4 right"]);
    let operator = said(&submission(&place, "operator"));
    assert_has(&operator, ["(hw1cs561s16.py:4: `if number <> 3: pass` cannot be parsed)"]);
    let three = submission(&place, "three");
    assert_eq!(three["command"].as_str(), Some("python3 hw1cs561s16.py -i input.txt"), "{three}");
    let slip = submission(&place, "slip");
    assert!(
        slip["state"].as_str() == Some("does-not-play") && said(&slip).contains("tried: "),
        "{slip}"
    );
}

#[test]
fn a_program_in_python_2_is_told_where_only_python_3_is_installed() {
    let place = folder();
    place.write("made/ann/homework.py", PYTHON_2);
    let only = place.join("bin");
    fs::create_dir(&only).unwrap();
    only.write("python3", "#!/bin/sh\nexec /usr/bin/python3 \"$@\"\n");
    assert!(
        std::process::Command::new("chmod")
            .arg("+x")
            .arg(only.join("python3"))
            .status()
            .unwrap()
            .success()
    );
    let words = ["intake", "made", "--game", "halma", "--out", "class"];
    let output = judge(&place).args(words).env("PATH", &only).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let found = submission(&place, "ann");
    assert_eq!(found["state"].as_str(), Some("does-not-play"), "{found}");
    let remedy = "it is written in Python 2 (homework.py:1: `print 'thinking', 3 / 2` has the statement print): python2 is not installed";
    assert!(found["needs"].as_str().is_some_and(|needs| needs.contains(remedy)), "{found}");
    assert_has(said(&found), ["SyntaxError"]);
}

#[test]
#[ignore = "needs python2"]
fn a_program_in_python_2_is_run_by_it() {
    needs("python2");
    let place = folder();
    // Python 3 does without the division of whole numbers: its move is malformed, and nothing
    // crashes.
    let divides = "open('output.txt', 'w').write('E %s,11 13,10' % (28 / 2))\n";
    for (student, program) in [("ann", PYTHON_2), ("bob", divides)] {
        fs::create_dir_all(place.join("made").join(student)).unwrap();
        fs::write(place.join("made").join(student).join("homework.py"), program).unwrap();
    }
    intake(&place, "made", "", 0);
    for (student, how) in [("ann", "crashes"), ("bob", "fails")] {
        let found = submission(&place, student);
        assert_eq!(found["command"].as_str(), Some("python2 homework.py"), "{found}");
        assert_has(said(&found), [&format!("homework.py {how} as Python"), "run as Python 2"]);
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
