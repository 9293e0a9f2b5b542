//! Tests of `judge doctor`: its report agrees with this machine.

use crate::common::{example, run};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use testing::intake::FIRST;
use testing::{Folder, assert_has, copy, folder, needs, text};

fn installed(place: &Path, agents: &[&str]) -> PathBuf {
    let judge = place.join("bin/judge");
    copy(env!("CARGO_BIN_EXE_judge"), &judge);
    agents.iter().for_each(|agent| copy(example("agent"), judge.with_file_name(agent)));
    judge
}

/// The object of `--json`, and the text without it.
fn found(judge: &Path, variables: &[(&str, &str)]) -> (Value, String) {
    let doctor = |words: &[&str]| {
        let mut command = Command::new(judge);
        command.arg("doctor").args(words).envs(variables.iter().copied()).output().unwrap()
    };
    let output = doctor(&["--json"]);
    let told = text(&output.stdout);
    let found: Value =
        serde_json::from_str(&told).unwrap_or_else(|error| panic!("{error}: {told}{output:?}"));
    let problems = found["problems"].as_array().unwrap();
    assert_eq!(output.status.code(), Some(i32::from(!problems.is_empty())), "{told}");
    (found, text(&doctor(&[]).stdout))
}

#[test]
fn ten_lines_name_their_subject_and_say_the_same_as_the_json() {
    let place = folder();
    let judge = installed(&place, &["halma"]);
    let (found, told) = found(&judge, &[]);
    let subjects = told.lines().map(|line| line.split_whitespace().next().unwrap());
    // A machine whose python3 is a script has a warning.
    let subjects: Vec<&str> = subjects.filter(|subject| *subject != "warning").collect();
    let expected = "judge system cores memory disk sandbox missing agents languages result";
    assert_eq!(subjects.join(" "), expected, "{told}");
    let others: Vec<&str> =
        games::all().iter().map(|game| game.name).filter(|&name| name != "halma").collect();
    let agents = format!("agents     halma; not beside the judge: {}\n", others.join(", "));
    let version = format!("judge      {}, ", env!("CARGO_PKG_VERSION"));
    let layers = found["layers"].as_str().unwrap();
    let layers = format!("sandbox    {layers}; --sandbox required would ");
    assert_has(&told, [&agents, &version, &layers]);
    assert_eq!(found["players"]["agents"], json!(["halma"]));
    let release = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap();
    assert_eq!(found["machine"]["release"], release.trim());
    for figure in ["disk_free", "memory", "cores"] {
        assert!(found["machine"][figure].as_u64().unwrap() > 0, "{figure}");
    }
    // A match with a required sandbox starts if the doctor says so.
    let would_start = found["sandbox_required_would_start"].as_bool().unwrap();
    let words = "match --seed 1 --game halma --sandbox required --games 2 --max-plies 2 --engine engine=halma 'args=--depth 1' \
                 --engine engine=reference:random";
    testing::run(&mut Command::new(judge), words, if would_start { 0 } else { 2 });
}

#[test]
fn languages_are_those_that_run_in_the_box_and_none_without_a_path() {
    let place = folder();
    let judge = installed(&place, &[]);
    let (bare, told) = found(&judge, &[("PATH", "/nowhere")]);
    assert_eq!(bare["players"]["languages"], json!({}));
    assert_eq!(bare["players"]["agents"], json!([]));
    let why = bare["players"]["languages_missing"]["Python"].as_str().unwrap();
    assert_eq!(why, "python3 is not installed; install it and run the intake again");
    assert_has(&told, ["languages  none: install those of your students; not here: C, C++"]);
    // The one that every machine with a compiler has: a make that says its version, in a folder
    // that boxes show.
    needs("make");
    let (here, _) = found(&judge, &[]);
    let version = here["players"]["languages"]["Makefile"].as_str().unwrap();
    testing::run(&mut Command::new("make"), "--version", 0).has([version]);
    // A folder for players that is not there.
    let mut doctor = Command::new(judge);
    let missing = "/nowhere/at/all";
    testing::run(doctor.env("TMPDIR", missing), "doctor", 2).has([missing]);
}

#[test]
fn one_virtual_environment_serves_a_class_and_what_it_lacks_is_told() {
    let place = folder();
    let judge = |words: &str, code: i32| run(&place, words, code);
    let mut python = Command::new("python3");
    testing::run(python.current_dir(&place), "-m venv --without-pip venv", 0);
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
    judge(intake, 1).has(["No module named 'oldmod'"]);
    judge(&format!("{intake} --scheme scheme.toml"), 0);
    let graded = "grade-all --game halma class --scheme scheme.toml --csv grades.csv --resume";
    judge(&format!("{graded} --reports reports"), 0);
    let versions = ", oldmod 1.4, python3 3.";
    assert_has(place.read("reports/ann.txt"), ["Graded with Python 3.", versions]);
    judge("doctor --scheme scheme.toml", 0).has(["\nversions   Python 3.", versions]);
    let lacks = ["The grading has oldmod<2, not as here: oldmod is missing\n"];
    judge("try --game halma --scheme scheme.toml --cmd true", 1).has(lacks);
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
    place.write("seven/submissions/accepted/homework.py", program);
    judge("homework-test ./seven", 0).has(["1 of 1 cases right"]);
    judge("grade --homework ./seven --engine cmd=true", 0).has(["Graded with oldmod 1.4"]);
    judge("doctor --scheme seven/homework.toml", 0).has(["oldmod 1.4"]);
    judge("try --homework ./seven --cmd true", 1).has(lacks);
    let said = ["venv: cannot go into the zip"];
    judge("autograder --homework ./seven --out zip", 2).has(said);
    homework("oldmod>=2");
    let lacks = ["oldmod>=2 is needed: oldmod 1.4"];
    judge("homework-test ./seven", 2).has(lacks);
    scheme("oldmod>=2");
    judge("doctor --scheme scheme.toml", 1).has(lacks);
    judge(graded, 2).has(lacks);
    scheme("oldmod~=2");
    judge(graded, 2).has(["expected such as numpy>=1.20,<2, found 'oldmod~=2'"]);
    place.remove("venv");
    judge(graded, 2).has(["make it by python3 -m venv "]);
}
