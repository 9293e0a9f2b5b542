//! A command that serves on a port that it chooses.

use std::io::{BufRead, BufReader, Lines};
use std::process::{Child, ChildStdout, Command, Stdio};

/// A running server. Dropping it ends it.
pub struct Serving {
    /// The process.
    pub child: Child,
    /// Its address and port, on the loopback device.
    pub address: String,
    /// The lines that it prints after the first.
    pub lines: Lines<BufReader<ChildStdout>>,
}

impl Serving {
    /// Starts a command with any free port, and waits until it listens.
    pub fn of(command: &mut Command) -> Serving {
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
