//! Tests of honest programs in a sandbox, in each language that courses use: threads, own files,
//! code generated at run time, child processes. Each plays as it does without a sandbox, and none
//! uses a system call that the sandbox lacks.

use crate::common::{example, needs_namespaces, run, strictest_sandbox};
use std::path::{Path, PathBuf};
use std::process::Command;
use testing::{ends, events, folder, needs, repository, text};

fn source(name: &str) -> String {
    repository("crates/judge/tests/languages").join(name).display().to_string()
}

/// Compiles a program in a directory; where it lies.
#[track_caller]
fn compiled(place: &Path, compiler: &[&str], name: &str) -> PathBuf {
    let program = place.join("program");
    let mut command = Command::new(compiler[0]);
    command.args(&compiler[1..]).arg("-o").arg(&program).arg(source(name)).env("HOME", place);
    let output = command.output();
    let output = output.unwrap_or_else(|error| panic!("{}: {error}: install it", compiler[0]));
    assert!(output.status.success(), "{compiler:?}: {}", text(&output.stderr));
    program
}

/// A program plays two games in a box, and is refused nothing.
#[track_caller]
fn plays(place: &Path, command: &str) {
    let agent = example("agent");
    let words = format!(
        "match --seed 1 --game halma --sandbox {} --each time=100 --openings start --max-plies 4 --games 2 --record record \
         --engine name=honest 'cmd={command} {agent}' --engine name=agent 'cmd={agent} --depth 1'",
        strictest_sandbox()
    );
    run(place, &words, 0);
    for end in ends(place.join("record")) {
        assert!(end["fault"].is_null(), "{end:#}");
    }
    for event in events(place.join("record")) {
        // A busy machine keeps programs waiting, which is noted and costs them nothing.
        let mut notes = event["note"].as_str().into_iter().flat_map(|note| note.split("; "));
        assert!(notes.all(|note| note.starts_with("the machine gave it ")), "{event:#}");
    }
}

#[track_caller]
fn plays_compiled(compiler: &[&str], name: &str) {
    let place = folder();
    let program = compiled(&place, compiler, name);
    plays(&place, program.to_str().unwrap());
}

#[test]
#[ignore = "needs namespaces"]
fn python_plays_in_a_box() {
    // Its pool of processes has semaphores in /dev/shm, which only a box with namespaces has.
    needs_namespaces();
    needs("python3");
    let place = folder();
    plays(&place, &format!("python3 {}", source("program.py")));
}

#[test]
fn c_plays_in_a_box() {
    plays_compiled(&["cc", "-O2", "-pthread"], "program.c");
}

#[test]
#[ignore = "needs a static C library"]
fn c_plays_in_a_box_linked_statically() {
    plays_compiled(&["cc", "-O2", "-pthread", "-static"], "program.c");
}

#[test]
#[ignore = "needs g++"]
fn cpp_plays_in_a_box() {
    plays_compiled(&["g++", "-O2", "-std=c++17", "-pthread"], "program.cpp");
}

#[test]
#[ignore = "needs g++ and a static C library"]
fn cpp_plays_in_a_box_linked_statically() {
    plays_compiled(&["g++", "-O2", "-std=c++17", "-pthread", "-static"], "program.cpp");
}

#[test]
fn rust_plays_in_a_box() {
    plays_compiled(&["rustc", "-O"], "program.rs");
}

#[test]
#[ignore = "needs java"]
fn java_plays_in_a_box() {
    needs("javac");
    needs("java");
    let place = folder();
    let classes = place.join("classes").display().to_string();
    let words = ["-d", &classes, &source("Program.java")];
    testing::run(&mut Command::new("javac"), &words, 0);
    plays(&place, &format!("java -cp {classes} Program"));
}

#[test]
#[ignore = "needs node"]
fn javascript_plays_in_a_box() {
    needs("node");
    let place = folder();
    plays(&place, &format!("node {}", source("program.js")));
}

#[test]
#[ignore = "needs go"]
fn go_plays_in_a_box() {
    plays_compiled(&["go", "build"], "program.go");
}

#[test]
#[ignore = "needs mono"]
fn mono_plays_in_a_box() {
    let place = folder();
    let program = format!("{}/program.exe", place.display());
    let words = [format!("-out:{program}"), source("program.cs")];
    testing::run(&mut Command::new("mcs"), &words, 0);
    plays(&place, &format!("mono {program}"));
}
