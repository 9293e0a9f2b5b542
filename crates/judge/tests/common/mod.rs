//! What the judge's tests share: the real judge, and players to let loose on it.
#![allow(dead_code)]

pub(crate) mod class;
pub(crate) mod intake;
pub(crate) mod monitor;
pub(crate) mod server;

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Once;

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
            let cargo =
                Command::new(env!("CARGO")).args(["build", "-p", "menagerie-judge", "--examples"]).output().unwrap();
            assert!(cargo.status.success(), "{}", text(&cargo.stderr));
        }
    });
    assert!(path.is_file(), "{} is missing; cargo build -p menagerie-judge --examples", path.display());
    path.to_str().unwrap().to_string()
}

/// A judge of its own with the Halma agent beside it, as they are installed: `engine=halma` is then the agent as it is
/// built for these tests.
pub(crate) fn judge_with_halma(directory: &Path) -> PathBuf {
    let installed = directory.join("bin");
    fs::create_dir(&installed).unwrap();
    fs::copy(example("agent"), installed.join("halma")).unwrap();
    fs::copy(env!("CARGO_BIN_EXE_judge"), installed.join("judge")).unwrap();
    installed.join("judge")
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
