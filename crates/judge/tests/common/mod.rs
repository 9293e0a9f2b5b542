//! Shared parts of the judge's tests: they run the real judge, and players against it.

pub(crate) mod archive;
pub(crate) mod class;
pub(crate) mod crowd;
pub(crate) mod intake;
pub(crate) mod monitor;
pub(crate) mod server;

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, MutexGuard, Once, OnceLock, PoisonError};

/// The judge, run in a directory.
pub(crate) fn judge(directory: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_judge"));
    command.current_dir(directory);
    command
}

/// Runs the judge with words as a shell would split them, and expects its exit code.
#[track_caller]
pub(crate) fn run(directory: &Path, words: &[&str], code: i32) -> Output {
    let output = judge(directory).args(words).output().unwrap();
    assert_eq!(output.status.code(), Some(code), "{words:?}\n{}{}", text(&output.stdout), text(&output.stderr));
    output
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A program of `examples/`. `cargo test` builds them along with the tests; a run of a single test file does not.
pub(crate) fn example(name: &str) -> String {
    static BUILT: Once = Once::new();
    let path = Path::new(env!("CARGO_BIN_EXE_judge")).with_file_name("examples").join(name);
    BUILT.call_once(|| {
        if !path.is_file() {
            let cargo = Command::new(env!("CARGO")).args(["build", "-p", "judge", "--examples"]).output().unwrap();
            assert!(cargo.status.success(), "{}", text(&cargo.stderr));
        }
    });
    assert!(path.is_file(), "{} is missing; cargo build -p judge --examples", path.display());
    path.to_str().unwrap().to_string()
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

/// Whether a program is there and says its version.
pub(crate) fn works(program: &str) -> bool {
    let version = if program.starts_with("java") { "-version" } else { "--version" };
    Command::new(program).arg(version).output().is_ok_and(|output| output.status.success())
}

/// Fails where a program that the test needs does not work.
#[track_caller]
pub(crate) fn needs(program: &str) {
    assert!(works(program), "this test needs {program}: install it");
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

/// Keeps tests that open hundreds of connections apart, by a guard that each holds: at once they would take all handles
/// that a process may usually have.
pub(crate) fn one_crowd_at_a_time() -> MutexGuard<'static, ()> {
    static CROWD: Mutex<()> = Mutex::new(());
    // A test that failed leaves nothing that concerns the next one.
    CROWD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A shell script as a player's command. `MOVE` in it leaves a legal move.
pub(crate) fn script(directory: &Path, name: &str, lines: &str) -> String {
    let path = directory.join(name);
    fs::write(&path, lines.replace("PLAY", &format!("{} --depth 1", example("agent")))).unwrap();
    // The agent is named, so that it is there in the box.
    format!("cmd=sh {} {}", path.display(), example("agent"))
}

/// The lines of a record.
pub(crate) fn events(record: &Path) -> Vec<Value> {
    fs::read_to_string(record).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The ends of the games of a record, in the order of their numbers.
pub(crate) fn ends(record: &Path) -> Vec<Value> {
    let mut ends: Vec<Value> = events(record).into_iter().filter(|event| event["event"] == "end").collect();
    ends.sort_by_key(|end| end["game"].as_u64());
    ends
}

/// How many processes have this text in their command line.
pub(crate) fn processes_with(text: &str) -> usize {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let lines = entries.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    lines.filter(|line| String::from_utf8_lossy(line).replace('\0', " ").contains(text)).count()
}

/// The files of a directory that are left, for tests that nothing is.
pub(crate) fn files(directory: &Path) -> Vec<PathBuf> {
    fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect()
}

/// The hash of a text as a page's policy writes it.
pub(crate) fn policy_hash(text: &str) -> String {
    use base64::Engine;
    use std::io::Write;
    use std::process::Stdio;
    let mut summer =
        Command::new("sha256sum").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("sha256sum of coreutils");
    summer.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = summer.wait_with_output().unwrap();
    let digits = std::str::from_utf8(&output.stdout[..64]).unwrap();
    let bytes: Vec<u8> = (0..32).map(|at| u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).unwrap()).collect();
    format!("'sha256-{}'", base64::prelude::BASE64_STANDARD.encode(bytes))
}
