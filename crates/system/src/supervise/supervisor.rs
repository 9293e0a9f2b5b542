//! The supervisor's own process. Its job is one line of JSON on standard input, which then stays open: when it closes, the
//! process that gave the job is gone, and so is the program.

use super::job::{ExitReport, Job};
use super::tree::supervise;
use crate::process_tree;
use crate::sandbox::keeper;
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::process::ExitCode;

/// The longest job that is read, in bytes.
const LONGEST_JOB: usize = 1 << 22;

/// The supervisor's whole run.
pub fn run() -> ExitCode {
    let line = read_line();
    let Ok(job) = serde_json::from_slice::<Job>(&line) else {
        // Without a word, the judge has ended before it could give its job.
        if !line.is_empty() {
            eprintln!("this command is for the judge's own use");
        }
        return ExitCode::from(if line.is_empty() { 0 } else { 2 });
    };
    tell(&watched(&job));
    ExitCode::SUCCESS
}

/// The first line of standard input, and not a byte more.
fn read_line() -> Vec<u8> {
    let mut line = Vec::new();
    let mut piece = [0; 4096];
    while line.len() < LONGEST_JOB && line.last() != Some(&b'\n') {
        match io::stdin().lock().read(&mut piece) {
            Ok(0) => break,
            Ok(count) => line.extend_from_slice(&piece[..count]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => break,
        }
    }
    line
}

fn tell(report: &ExitReport) {
    let text = serde_json::to_string(report).unwrap_or_default();
    let mut stdout = io::stdout().lock();
    let _ = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
}

fn watched(job: &Job) -> ExitReport {
    if job.walls.namespaces {
        return keeper::keep(job);
    }
    let refused = |reason| ExitReport { not_started: Some(reason), ..ExitReport::default() };
    if let Err(error) = process_tree::adopt_orphans() {
        return refused(format!("orphans cannot be adopted: {error}"));
    }
    // Its descriptors are nobody's but its own.
    if let Err(error) = nix::sys::prctl::set_dumpable(false) {
        return refused(format!("the supervisor cannot be shut off: {error}"));
    }
    supervise(job, Some(io::stdin().as_fd()), None)
}
