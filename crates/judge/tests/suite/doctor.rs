//! Tests of `judge doctor`: its report agrees with this machine.

use crate::common::example;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use testing::intake::FIRST;
use testing::{Folder, assert_has, copy_program, folder, needs, text};

/// A judge in a folder of its own, with these agents beside it.
fn installed(place: &Path, agents: &[&str]) -> PathBuf {
    let folder = place.join("bin");
    fs::create_dir(&folder).unwrap();
    copy_program(env!("CARGO_BIN_EXE_judge"), &folder.join("judge"));
    agents.iter().for_each(|agent| copy_program(&example("agent"), &folder.join(agent)));
    folder.join("judge")
}

fn doctor(judge: &Path, words: &[&str], variables: &[(&str, &str)]) -> Output {
    Command::new(judge).arg("doctor").args(words).envs(variables.iter().copied()).output().unwrap()
}

fn found(judge: &Path, variables: &[(&str, &str)]) -> Value {
    let output = doctor(judge, &["--json"], variables);
    let told = text(&output.stdout);
    let found: Value =
        serde_json::from_str(&told).unwrap_or_else(|error| panic!("{error}: {told}{output:?}"));
    let problems = found["problems"].as_array().unwrap();
    assert_eq!(output.status.code(), Some(i32::from(!problems.is_empty())), "{told}");
    found
}

#[test]
fn ten_lines_name_their_subject_and_say_the_same_as_the_json() {
    let place = folder();
    let judge = installed(&place, &["halma"]);
    let output = doctor(&judge, &[], &[]);
    let told = text(&output.stdout);
    let subjects = told.lines().map(|line| line.split_whitespace().next().unwrap());
    // A machine whose python3 is a script has a warning.
    let subjects: Vec<&str> = subjects.filter(|subject| *subject != "warning").collect();
    let expected = [
        "judge",
        "system",
        "cores",
        "memory",
        "disk",
        "sandbox",
        "missing",
        "agents",
        "languages",
        "result",
    ];
    assert_eq!(subjects, expected, "{told}");
    let others: Vec<&str> =
        games::all().iter().map(|game| game.name).filter(|&name| name != "halma").collect();
    let agents = format!("agents     halma; not beside the judge: {}\n", others.join(", "));
    assert_has(&told, [&agents]);
    let found = found(&judge, &[]);
    assert!(told.starts_with(&format!("judge      {}, ", env!("CARGO_PKG_VERSION"))), "{told}");
    assert_eq!(found["players"]["agents"], serde_json::json!(["halma"]));
    let layers =
        format!("sandbox    {}; --sandbox required would ", found["layers"].as_str().unwrap());
    assert_has(&told, [&layers]);
    let release = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap();
    assert_eq!(found["machine"]["release"], release.trim());
    assert!(
        found["machine"]["disk_free"].as_u64().unwrap() > 0
            && found["machine"]["memory"].as_u64().unwrap() > 0
    );
    assert!(found["machine"]["cores"].as_u64().unwrap() >= 1);
}

#[test]
fn a_match_with_a_required_sandbox_starts_if_the_doctor_says_so() {
    let place = folder();
    let judge = installed(&place, &["halma"]);
    let would_start = found(&judge, &[])["sandbox_required_would_start"].as_bool().unwrap();
    let words =
        ["match", "--game", "halma", "--sandbox", "required", "--games", "2", "--max-plies", "2"];
    let players =
        ["--engine", "engine=halma", "args=--depth 1", "--engine", "engine=reference:random"];
    let output = Command::new(judge).args(words).args(players).output().unwrap();
    assert_eq!(output.status.success(), would_start, "{}", text(&output.stderr));
}

#[test]
fn languages_are_those_that_run_in_the_box_and_none_without_a_path() {
    let place = folder();
    let judge = installed(&place, &[]);
    let bare = found(&judge, &[("PATH", "/nowhere")]);
    assert_eq!(bare["players"]["languages"], serde_json::json!({}));
    assert_eq!(bare["players"]["agents"], serde_json::json!([]));
    let why = bare["players"]["languages_missing"]["Python"].as_str().unwrap();
    assert_eq!(why, "python3 is not installed; install it and run the intake again");
    let told = text(&doctor(&judge, &[], &[("PATH", "/nowhere")]).stdout);
    assert_has(&told, ["languages  none: install those of your students; not here: C, C++"]);
    // The one that every machine with a compiler has: a make that says its version, in a folder
    // that boxes show.
    needs("make");
    let here = found(&judge, &[]);
    let make = Command::new("make").arg("--version").output().unwrap();
    let version = here["players"]["languages"]["Makefile"].as_str().unwrap();
    assert_has(text(&make.stdout), [version]);
}

#[test]
fn a_folder_for_players_that_is_not_there_is_named_with_exit_code_2() {
    let place = folder();
    let judge = installed(&place, &[]);
    let output = doctor(&judge, &[], &[("TMPDIR", "/nowhere/at/all")]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(text(&output.stderr).contains("/nowhere/at/all"), "{output:?}");
}

#[test]
fn one_virtual_environment_serves_a_class_and_what_it_lacks_is_told() {
    let place = folder();
    let judge = |words: &str, code: i32| {
        let printed = crate::common::run(&place, words, code);
        printed.stdout + &printed.stderr
    };
    let mut python = Command::new("python3");
    let made = python.args(["-m", "venv", "--without-pip", "venv"]).current_dir(&*place).status();
    assert!(made.unwrap().success());
    let library = place.join("venv/lib").entries().remove(0).join("site-packages");
    library.write("oldmod.py", "__version__ = '1.4'\n");
    place.write("made/ann/homework.py", [b"import oldmod\n", FIRST].concat());
    let scheme = |module: &str| {
        let text = format!(
            "game = 'halma'\n[[positions]]\ncount = 1\nclock = 9\n[environment]\npython = '>=3'\nvenv = 'venv'\n\
             modules = ['{module}']\ncompilers = ['python3>=3']\n"
        );
        place.write("scheme.toml", text);
    };
    scheme("oldmod<2");
    let intake = "intake made --game halma --out class";
    assert_has(judge(intake, 1), ["No module named 'oldmod'"]);
    judge(&format!("{intake} --scheme scheme.toml"), 0);
    let graded = "grade-all --game halma class --scheme scheme.toml --csv grades.csv --resume";
    judge(&format!("{graded} --reports reports"), 0);
    let versions = ", oldmod 1.4, python3 3.";
    assert_has(place.read("reports/ann.txt"), ["Graded with Python 3.", versions]);
    assert_has(judge("doctor --scheme scheme.toml", 0), ["\nversions   Python 3.", versions]);
    let tried = judge("try --game halma --scheme scheme.toml --cmd true", 1);
    assert_has(&tried, ["The grading has oldmod<2, not as here: oldmod is missing\n"]);
    // A homework has the table in its own file.
    let homework = |module: &str| {
        let text = format!(
            "name = 'seven'\ntitle = 'Seven'\ninput = 'in{{n}}'\nexpected = 'out{{n}}'\n\
             [environment]\nvenv = '../venv'\nmodules = ['{module}']\n"
        );
        place.write("seven/homework.toml", text);
    };
    homework("oldmod<2");
    place.write("seven/in1", "7\n");
    place.write("seven/out1", "7\n");
    let program = "import oldmod\nopen('output.txt', 'w').write(open('input.txt').read())\n";
    for path in ["sevens/ann/homework.py", "seven/submissions/accepted/homework.py"] {
        place.write(path, program);
    }
    assert_has(judge("homework-test ./seven", 0), ["1 of 1 cases right"]);
    judge("intake sevens --homework ./seven --out seventh", 0);
    let graded_by_cases =
        "grade-all seventh --homework ./seven --csv seven.csv --reports seven-reports";
    judge(graded_by_cases, 0);
    let report = place.read("seven-reports/ann.txt");
    assert_has(&report, ["1 of 1 points", "Graded with oldmod 1.4"]);
    let graded_alone = "grade --homework ./seven --engine cmd=true";
    assert_has(judge(graded_alone, 0), ["Graded with oldmod 1.4"]);
    assert_has(judge("doctor --scheme seven/homework.toml", 0), ["oldmod 1.4"]);
    let tried = judge("try --homework ./seven --cmd true", 1);
    assert_has(&tried, ["The grading has oldmod<2, not as here: oldmod is missing\n"]);
    assert_has(
        judge("autograder --homework ./seven --out zip", 2),
        ["venv: cannot go into the zip"],
    );
    homework("oldmod>=2");
    assert_has(judge("homework-test ./seven", 2), ["oldmod>=2 is needed: oldmod 1.4"]);
    assert_has(judge(graded_by_cases, 2), ["oldmod>=2 is needed: oldmod 1.4"]);
    scheme("oldmod>=2");
    let lacks = "oldmod>=2 is needed: oldmod 1.4";
    assert_has(judge("doctor --scheme scheme.toml", 1), [lacks]);
    assert_has(judge(graded, 2), [lacks]);
    scheme("oldmod~=2");
    assert_has(judge(graded, 2), ["expected such as numpy>=1.20,<2, found 'oldmod~=2'"]);
    fs::remove_dir_all(place.join("venv")).unwrap();
    assert_has(judge(graded, 2), ["make it by python3 -m venv "]);
}
