//! Tests of `judge intake`: a class of many styles, the downloads of course systems, resuming.

use crate::{are_taken, assert_students, intake, judge, run};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use testing::archive::{zip, zip_of};
use testing::class::{self, Made};
use testing::intake::{FIRST, modified, said, submission};
use testing::{Folder, assert_has, assert_lacks, folder, needs, wait, works};

#[track_caller]
fn is_as_expected(place: &Path, made: &Made) {
    let found = submission(place, &made.student);
    let missing = made.missing().map(|missing| format!("{missing} is not installed"));
    let state = if missing.is_some() { "needs-you" } else { made.state };
    assert_eq!(found["state"].as_str(), Some(state), "{}: {found}", made.student);
    let expected = missing.as_deref().unwrap_or(made.said);
    assert!(said(&found).contains(expected), "{}: {expected}: {found}", made.student);
}

#[test]
fn a_class_of_many_styles_is_taken_in() {
    let place = folder();
    let is_here = |made: &Made| made.student != "python2-shebang" || !works("python2");
    let made = class::make_some(&place.join("made"), |made| made.is_basic() && is_here(made));
    assert!(made.len() >= 40, "{}", made.len());
    let options = "--concurrency 2 --build-time 30 --csv table.csv";
    let table = intake(&place, "made", options, 1).stdout;
    println!("{table}");
    made.iter().for_each(|made| is_as_expected(&place, made));
    assert_has(&table, ["KeyError: 'a1'", "thinking", "homework.c:1:"]);
    let rows = place.read("table.csv");
    let header = "student,folder,id,late,upload,state,language,command,mended,needs,remarks,last_words,members\n";
    assert!(rows.starts_with(header), "{rows}");
    assert_has(&rows, ["\nplain-python,plain-python,,,,ready,Python,python3 homework.py,,,,,\n"]);
    // Nothing is done twice; what is new or changed is.
    let before = modified(&place);
    place.write("made/report-alone/homework.py", "open('output.txt','w').write('E 14,11 13,10')");
    let again = intake(&place, "made", options, 1).stdout;
    // What lacked a module is tried again: it may have been installed.
    assert_has(&again, [&format!("{} unchanged since", made.len() - 2)]);
    assert_eq!(submission(&place, "report-alone")["state"].as_str(), Some("ready"));
    let changed: Vec<String> = modified(&place)
        .into_iter()
        .filter(|(folder, time)| before[folder] != *time)
        .map(|(folder, _)| folder)
        .collect();
    assert_eq!(changed, ["report-alone", "try-module"]);
}

#[test]
#[ignore = "needs java"]
fn programs_in_java_are_taken_in() {
    needs("javac");
    needs("java");
    are_taken_in(|made| made.programs.contains(&"java"));
}

#[test]
#[ignore = "needs g++ and node"]
fn programs_in_cpp_javascript_and_rust_are_taken_in() {
    needs("g++");
    needs("node");
    are_taken_in(|made| !made.is_basic() && !made.programs.contains(&"java"));
}

#[track_caller]
fn are_taken_in(wanted: impl Fn(&Made) -> bool) {
    let place = folder();
    let made = class::make_some(&place.join("made"), wanted);
    assert!(made.len() >= 8, "{}", made.len());
    let table = intake(&place, "made", "--concurrency 2 --build-time 30", 1).stdout;
    println!("{table}");
    made.iter().for_each(|made| is_as_expected(&place, made));
}

#[test]
fn texts_and_links_are_no_programs_and_no_student_s_name_is_a_file_of_the_intake() {
    are_taken(
        &[
            ("doejane_12345_67890_homework.py", FIRST),
            ("xuli_508_text.html", b"<p>E 14,11 13,10</p>"),
            ("yangmo_LATE_509_link.html", b"<a href='https://example.org'>"),
        ],
        1,
        &[
            ("doejane", "ready", ""),
            ("xuli", "needs-you", "a text was handed in"),
            ("yangmo", "needs-you", "a link"),
        ],
    );
    are_taken(
        &[
            ("class/ann/homework.py", FIRST),
            ("class/mia.zip", &zip(&[("homework.py", FIRST)])),
            ("class/intake.toml/homework.py", FIRST),
            ("class/.lock/homework.py", FIRST),
            ("class/noa/.DS_Store", b"x"),
        ],
        1,
        &[
            (".lock", "ready", ""),
            ("ann", "ready", ""),
            (
                "intake.toml",
                "ready",
                "the folder is intake.toml~2, since the intake writes a file intake.toml",
            ),
            ("mia", "mended", ""),
            ("noa", "needs-you", "nothing was handed in"),
        ],
    );
}

#[test]
fn a_class_of_which_nobody_plays_makes_the_game_doubtful() {
    needs("python3");
    let place = folder();
    for student in ["ann", "ben", "cleo"] {
        place.write(format!("made/{student}/homework.py"), class::starter("python/agent.py"));
    }
    let told = run(&place, "intake made --game wolves --out class", 1);
    let doubt = "no program of the class plays wolves: is --game right?";
    assert_has(&told.stderr, [doubt]);
}

#[test]
fn users_of_blackboard_with_underscores_are_never_taken_for_one() {
    let place = folder();
    let files = ["HW_2_doe", "HW_2_jane_doe"]
        .map(|whose| (format!("{whose}_attempt_2026-10-01-10-00-00_homework.py"), FIRST));
    place.write("download.zip", zip_of(&files));
    let told = intake(&place, "download.zip", "", 1).stderr;
    let doubt = "the user can be 2_jane_doe or jane_doe; name the assignment as the files' names begin: --assignment NAME";
    assert_students(&place, &[("HW_2_doe", "ready", ""), ("HW_2_jane_doe", "ready", doubt)]);
    assert_has(&told, [&format!("download.zip: HW_2_jane_doe: {doubt}")]);
    let told = intake(&place, "download.zip", &["--assignment", "HW 2"], 2).stderr;
    assert_has(&told, ["no file's name begins with 'HW 2_'; possible are HW | HW_2"]);
    fs::remove_dir_all(place.join("class")).unwrap();
    intake(&place, "download.zip", &["--assignment", "HW_2"], 0);
    assert_students(&place, &[("doe", "ready", ""), ("jane_doe", "ready", "")]);
}

#[test]
fn late_marks_and_numbers_of_uploads_have_columns_and_empty_folders_rows() {
    let place = folder();
    let canvas = [
        ("leebob_LATE_12346_67892_play.py", &b"import engine"[..]),
        ("leebob_LATE_12346_67893_engine.py", FIRST),
        ("doejane_12345_67890_homework.py", FIRST),
    ];
    place.write("canvas.zip", zip(&canvas));
    let table = intake(&place, "canvas.zip", "--csv table.csv", 0).stdout;
    assert_has(&table, ["Student  Late  Upload", "leebob   late  67892 67893"]);
    let rows = place.read("table.csv");
    assert_has(
        &rows,
        ["\nleebob,leebob,12346,late,67892 67893,mended,", "\ndoejane,doejane,12345,,67890,ready,"],
    );
    // The mark alone is news.
    place.write("canvas.zip", zip(&[("doejane_LATE_12345_67890_homework.py", FIRST), canvas[0]]));
    let table = intake(&place, "canvas.zip", "", 1).stdout;
    assert_has(&table, ["doejane  late  67890", "0 unchanged"]);
    let place = folder();
    for folder in ["bob", "dan/src"] {
        place.make(format!("made/{folder}"));
    }
    place.write("made/ann/homework.py", FIRST);
    place.write("made/cid/.git/config", "x");
    let table = intake(&place, "made", "", 1).stdout;
    assert_has(&table, ["4 students: 1 ready, 0 mended, 0 do not play, 3 need you"]);
    assert_lacks(&table, ["Late"]);
}

#[test]
fn what_a_compiler_says_is_not_obeyed_by_a_terminal() {
    needs("gcc");
    let place = folder();
    let source = "#error \u{202e}red \u{1b}[31m\u{9b}2J\u{200b}\nint main() {}\n";
    place.write("download.zip", zip(&[("ann/homework.c", source.as_bytes())]));
    let table = intake(&place, "download.zip", "--csv table.csv", 1).stdout;
    let read = |path: &str| place.read(path);
    for text in
        [table, read("class/ann/build.log"), read("class/ann/submission.toml"), read("table.csv")]
    {
        assert_has(&text, ["red", "error"]);
        let obeyed = |c: char| c != '\n' && c.is_control() || ['\u{202e}', '\u{200b}'].contains(&c);
        assert!(!text.contains(obeyed), "{text:?}");
    }
}

#[test]
fn an_intake_goes_on_where_it_was_ended() {
    let place = folder();
    let slow = "import time; time.sleep(0.3); open('output.txt', 'w').write('E 14,11 13,10')";
    for number in 0..12 {
        place.write(format!("made/s{number:02}/homework.py"), slow);
    }
    let begun = || {
        let words = ["intake", "made", "--game", "halma", "--out", "class"];
        let mut judge = judge(&place);
        let child = judge.args(words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let is_there = |number| place.join(format!("class/s{number:02}/submission.toml")).exists();
        wait("a submission", || (0..12).any(is_there));
        child
    };
    let mut child = begun();
    child.kill().unwrap();
    child.wait().unwrap();
    let output = intake(&place, "made", "", 0).stdout;
    assert_has(&output, ["12 students: 12 ready"]);
    // ^C: the students at work are finished, and what is left is done next time.
    fs::remove_dir_all(place.join("class")).unwrap();
    let mut child = begun();
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let mark = place.read("class/intake.toml");
    assert_has(&mark, ["complete = false"]);
    intake(&place, "made", "", 0);
    let mark = place.read("class/intake.toml");
    assert_has(&mark, ["complete = true", "source = \"made\""]);
}

#[test]
fn a_teacher_s_own_language_is_known_and_bad_input_is_refused() {
    let place = folder();
    place.write("made/ann/homework.sh9", "echo 'E 14,11 13,10' > output.txt\n");
    intake(&place, "made", "", 1);
    let table = "[[language]]\nname = \"Shell\"\nnames = [\"homework.sh9\"]\nextensions = [\"sh9\"]\n\
                 build = \"cp {main} built\"\nrun = \"sh built\"\nneeds = [\"sh\"]\n";
    place.write("more.toml", table);
    let output = intake(&place, "made", "--languages more.toml", 0).stdout;
    assert_has(&output, ["Shell", "sh built"]);
    place.write("mine/file", "");
    place.write("no.zip", "PK");
    place.write("bad.toml", "[[language]]\nname = 3\n");
    for (words, part) in [
        (&["nowhere", "--out", "class"][..], "nowhere: cannot be read"),
        (&["no.zip", "--out", "class"], "no.zip: cannot be read as a zip"),
        (&["made", "--out", "mine"], "is not empty, and no intake has written it"),
        (&["made", "--out", "made/class"], "contains made or is inside it"),
        (&["made", "--out", "class", "--languages", "bad.toml"], "bad.toml:2: "),
        (&["mine", "--out", "other"], "no files of any student"),
    ] {
        let output = run(&place, &[&["intake", "--game", "halma"], words].concat(), 2);
        assert!(output.stderr.contains(part), "{words:?}: {}", output.stderr);
    }
    let output = run(&place, "intake made --game wolves --out class", 2);
    assert_has(output.stderr, ["an intake for halma"]);
}

#[test]
#[ignore = "needs perl"]
fn the_documentation_s_example_of_a_language_in_perl_is_known() {
    needs("perl");
    let place = folder();
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).read("../../docs/class.md");
    let example = page.split("    [[language]]\n").nth(1).unwrap().split("\n\n").next().unwrap();
    place.write("perl.toml", format!("[[language]]\n{example}\n"));
    let program = "open(F, '>output.txt'); print F \"E 14,11 13,10\\n\";\n";
    place.write("made/eve/homework.pl", program);
    let output = intake(&place, "made", "--languages perl.toml", 0).stdout;
    assert_has(&output, ["perl homework.pl"]);
}

#[test]
fn a_language_that_is_not_here_needs_the_teacher_until_it_is_installed() {
    let place = folder();
    let languages =
        class::make_some(&place.join("made"), |made| made.student.starts_with("plain-"));
    testing::intake::intake(judge(&place).env("PATH", &*place), "made", "", 1);
    for made in &languages {
        let found = submission(&place, &made.student);
        let needs =
            format!("{} is not installed; install it and run the intake again", made.programs[0]);
        assert_eq!(found["needs"].as_str(), Some(needs.as_str()), "{found}");
    }
    intake(&place, "made", "", i32::from(languages.iter().any(|made| made.missing().is_some())));
    languages.iter().for_each(|made| is_as_expected(&place, made));
}

#[test]
fn clones_of_repositories_are_students_by_the_names_of_their_folders() {
    let place = folder();
    for name in ["ann", "bob-c"] {
        place.write(format!("clones/hw2-{name}/homework.py"), FIRST);
        place.write(format!("clones/hw2-{name}/.git/HEAD"), "ref: refs/heads/main\n");
        place.write(format!("clones/hw2-{name}/.github/workflows/autograde.yaml"), "on: push\n");
    }
    intake(&place, "clones", "", 0);
    assert_students(&place, &[("hw2-ann", "ready", ""), ("hw2-bob-c", "ready", "")]);
    assert!(!place.join("class/hw2-ann/program/.git").exists());
}
