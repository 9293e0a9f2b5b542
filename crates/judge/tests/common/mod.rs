//! Shared parts of the judge's tests: they run the real judge, and players against it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use testing::{copy_program, gradings, text};

/// The judge, run in a directory.
pub(crate) fn judge(directory: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_judge"));
    command.current_dir(directory);
    command
}

/// Runs the judge in a directory, and expects its exit code.
#[track_caller]
pub(crate) fn run(directory: &Path, words: &[&str], code: i32) -> Output {
    testing::run(&mut judge(directory), words, code)
}

/// The path of a program in `examples/`.
pub(crate) fn example(name: &str) -> String {
    testing::example(env!("CARGO_PKG_NAME"), name)
}

/// The path of an agent for Halma.
pub(crate) fn agent() -> String {
    example("agent")
}

/// A shell script as a player's command, see `testing::gradings`.
pub(crate) fn script(directory: &Path, name: &str, lines: &str) -> String {
    gradings::script(&agent(), directory, name, lines)
}

/// Adds a student whose program is a script to `class`.
pub(crate) fn student(place: &Path, name: &str, lines: &str) {
    gradings::student(&agent(), place, name, lines);
}

/// The words of a grading of `class`, where `play.sh` runs a submission.
pub(crate) fn words(options: &str) -> Vec<String> {
    gradings::words(&agent(), options)
}

/// Grades `class`.
#[track_caller]
pub(crate) fn grade(place: &Path, options: &str, code: i32) -> Output {
    gradings::grade(&mut judge(place), &agent(), options, code)
}

/// A judge of its own with the Halma agent beside it, as they are installed: `engine=halma` is then the agent as it is
/// built for these tests.
pub(crate) fn judge_with_halma(directory: &Path) -> PathBuf {
    let installed = directory.join("bin");
    fs::create_dir(&installed).unwrap();
    copy_program(&example("agent"), &installed.join("halma"));
    copy_program(env!("CARGO_BIN_EXE_judge"), &installed.join("judge"));
    installed.join("judge")
}

/// Fails where the judge cannot give players namespaces of their own: for tests that `make test` leaves out.
#[track_caller]
pub(crate) fn needs_namespaces() {
    assert!(namespaces_stand(), "this test needs namespaces, see `judge sandbox`");
}

/// Whether the judge gives players namespaces of their own here.
pub(crate) fn namespaces_stand() -> bool {
    layers().contains("namespaces")
}

/// The line of `judge sandbox` with the layers that this machine has.
pub(crate) fn layers() -> &'static str {
    static LAYERS: OnceLock<String> = OnceLock::new();
    LAYERS.get_or_init(|| {
        let told = text(&Command::new(env!("CARGO_BIN_EXE_judge")).arg("sandbox").output().unwrap().stdout);
        let line = told.lines().find(|line| line.starts_with("Sandbox layers: "));
        line.unwrap_or_else(|| panic!("no sandbox layers: {told}")).to_string()
    })
}

/// The strictest `--sandbox` that this machine has: `required` with namespaces, else `auto`, with the layers that there are.
pub(crate) fn strictest_sandbox() -> &'static str {
    if namespaces_stand() { "required" } else { "auto" }
}

/// How many processes have this text in their command line.
pub(crate) fn processes_with(text: &str) -> usize {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let lines = entries.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    lines.filter(|line| String::from_utf8_lossy(line).replace('\0', " ").contains(text)).count()
}
