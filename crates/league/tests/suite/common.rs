//! Shared parts of the tests: they run the real program on a real socket.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// The program, run in a directory.
pub(crate) fn league(directory: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_league"));
    command.current_dir(directory);
    command
}

/// Runs the program, and expects its exit code.
#[track_caller]
pub(crate) fn run(directory: &Path, words: &[&str], code: i32) -> Output {
    let output = league(directory).args(words).output().unwrap();
    assert_eq!(output.status.code(), Some(code), "{words:?}\n{}{}", text(&output.stdout), text(&output.stderr));
    output
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A zip with these files.
pub(crate) fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in files {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// Fails where the tests are not run by root.
#[track_caller]
pub(crate) fn needs_root() {
    let is_root = text(&Command::new("id").arg("-u").output().unwrap().stdout).trim() == "0";
    assert!(is_root, "only root can run this test: run it as root, or leave it out with --skip");
}

/// Fails where players get no namespaces of their own.
#[track_caller]
pub(crate) fn needs_namespaces() {
    let words = ["--user", "--map-root-user", "--mount", "--pid", "--net", "--fork", "true"];
    let are_there = Command::new("unshare").args(words).status().is_ok_and(|status| status.success());
    assert!(are_there, "this test needs namespaces, see `judge sandbox`; leave it out with --skip");
}

/// A running server. Dropping it ends it.
pub(crate) struct Serving {
    pub child: Child,
    /// Its address and port, on the loopback device.
    pub address: String,
    /// The lines that it prints after the first.
    pub lines: std::io::Lines<BufReader<std::process::ChildStdout>>,
}

impl Serving {
    /// Starts a command with any free port, and waits until it listens.
    pub(crate) fn of(command: &mut Command) -> Serving {
        let mut child = command.args(["--port", "0"]).stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let line = lines.next().expect("it says where it listens").unwrap();
        let address = line.trim().strip_prefix("listening on http://").unwrap().trim_end_matches('/').to_string();
        assert!(address.starts_with("127.0.0.1:"), "loopback by default: {address}");
        Serving { child, address, lines }
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
