//! Shared parts of the judge's tests: they run the real judge, and players against it.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::OnceLock;
use testing::{copy, text};

testing::commands!(judge, env!("CARGO_BIN_EXE_judge"));
testing::gradings!(example("agent"));

pub(crate) fn example(name: &str) -> String {
    testing::example(env!("CARGO_PKG_NAME"), name)
}

/// A judge of its own with the Halma agent beside it, as they are installed: `engine=halma` is then
/// the agent as it is built for these tests.
pub(crate) fn judge_with_halma(directory: &Path) -> PathBuf {
    let installed = directory.join("bin");
    copy(example("agent"), installed.join("halma"));
    copy(env!("CARGO_BIN_EXE_judge"), installed.join("judge"));
    installed.join("judge")
}

/// The usual options, each with one value, without those that are given, and then these.
pub(crate) fn options<'a>(usual: &'a str, given: &'a str) -> Vec<&'a str> {
    let given: Vec<&str> = given.split_whitespace().collect();
    let usual: Vec<&str> = usual.split(' ').collect();
    let kept = usual.chunks(2).filter(|option| !given.contains(&option[0])).flatten().copied();
    kept.chain(given.iter().copied()).collect()
}

/// Interrupts the judge, and once more as soon as it has told of that: signals of one kind that
/// come too close together are one.
#[track_caller]
pub(crate) fn interrupt_twice(judge: &mut Child) {
    let id = judge.id().to_string();
    let interrupt =
        || assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let mut lines = BufReader::new(judge.stderr.take().unwrap()).lines().map_while(Result::ok);
    interrupt();
    assert!(lines.any(|line| line.contains("^C once more stops at once")));
    interrupt();
    lines.for_each(drop);
}

/// Fails where the judge cannot give players namespaces of their own: for tests that `make test`
/// leaves out.
#[track_caller]
pub(crate) fn needs_namespaces() {
    assert!(namespaces_stand(), "this test needs namespaces, see `judge sandbox`");
}

pub(crate) fn namespaces_stand() -> bool {
    layers().contains("namespaces")
}

/// The line of `judge sandbox` with the layers that this machine has.
pub(crate) fn layers() -> &'static str {
    static LAYERS: OnceLock<String> = OnceLock::new();
    LAYERS.get_or_init(|| {
        let told = text(&judge(".").arg("sandbox").output().unwrap().stdout);
        let line = told.lines().find(|line| line.starts_with("Sandbox layers: "));
        line.unwrap_or_else(|| panic!("no sandbox layers: {told}")).to_string()
    })
}

/// The strictest `--sandbox` that this machine has: `required` with namespaces, else `auto`, with
/// the layers that there are.
pub(crate) fn strictest_sandbox() -> &'static str {
    if namespaces_stand() { "required" } else { "auto" }
}

pub(crate) fn processes_with(text: &str) -> usize {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let lines = entries.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    lines.filter(|line| String::from_utf8_lossy(line).replace('\0', " ").contains(text)).count()
}
