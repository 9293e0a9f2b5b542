//! Shared parts of the judge's tests: they run the real judge, and players against it.

#[path = "../../../intake/tests/common/archive.rs"]
pub(crate) mod archive;
#[path = "../../../intake/tests/common/commands.rs"]
#[allow(dead_code, reason = "shared with the tests of other crates")]
mod commands;
pub(crate) mod crowd;
#[path = "../../../http-server/tests/common/example.rs"]
mod example;
#[path = "../../../course/tests/common/gradings.rs"]
pub(crate) mod gradings;
#[path = "../../../course/tests/common/policy.rs"]
mod policy;
#[path = "../../../http-server/tests/common/server.rs"]
#[allow(dead_code, reason = "shared with the tests of other crates")]
pub(crate) mod server;

pub(crate) use commands::{ends, events, files, needs, run, text, works};
pub(crate) use example::example;
pub(crate) use gradings::script;
pub(crate) use policy::policy_hash;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The judge, run in a directory.
pub(crate) fn judge(directory: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_judge"));
    command.current_dir(directory);
    command
}

/// The path of an agent for Halma.
pub(crate) fn agent() -> String {
    example("agent")
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

/// Copies a program by a process of its own: what this process has open for writing is open in the children that other
/// tests start as well, until each begins its own program, and could not be run as long.
pub(crate) fn copy_program(program: &str, copy: &Path) {
    assert!(Command::new("cp").arg(program).arg(copy).status().unwrap().success(), "{program} is not copied");
}

/// Fails where the tests are not run by root: for tests that `make test` leaves out.
#[track_caller]
pub(crate) fn needs_root() {
    assert!(is_root(), "only root can run this test");
}

/// Fails where the judge cannot give players namespaces of their own: for tests that `make test` leaves out.
#[track_caller]
pub(crate) fn needs_namespaces() {
    assert!(namespaces_stand(), "this test needs namespaces, see `judge sandbox`");
}

/// Whether root runs the tests.
pub(crate) fn is_root() -> bool {
    text(&Command::new("id").arg("-u").output().unwrap().stdout).trim() == "0"
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
