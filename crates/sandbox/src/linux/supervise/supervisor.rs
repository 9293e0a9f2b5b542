//! The main function of a supervisor process. It reads its request as one line of JSON from
//! standard input, which stays open. When standard input closes, the judge is gone, and the
//! supervisor kills its program.

use super::idle::Request;
use super::tree::supervise;
use crate::job::{ExitReport, Job};
use crate::linux::process_tree;
use crate::linux::{identity, namespaces, store};
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::process::ExitCode;

/// The longest request that is read, in bytes.
const LONGEST_JOB: usize = 1 << 22;

/// Runs the supervisor process.
pub fn run() -> ExitCode {
    let line = read_line();
    match serde_json::from_slice::<Request>(&line) {
        Ok(Request::Run(job)) => write_report(&supervised(&job)),
        Ok(Request::Store(request)) => store::run_process(&request),
        Ok(Request::Keep) => identity::keep(),
        Ok(Request::TakeBack(job)) => namespaces::take_back(&job),
        // No request at all means that the judge ended before it could send one.
        Err(_) if line.is_empty() => {}
        Err(_) => {
            eprintln!("supervise: an internal command of the judge, not for users");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

/// Reads the first line of standard input. Nothing may follow the line before the report.
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

fn write_report(report: &ExitReport) {
    let text = serde_json::to_string(report).unwrap_or_default();
    let mut stdout = io::stdout().lock();
    let _ = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
}

fn supervised(job: &Job) -> ExitReport {
    if job.layers.namespaces {
        return namespaces::run(job);
    }
    if let Err(error) = process_tree::adopt_orphans() {
        return ExitReport::not_started(format!(
            "the supervisor cannot become a subreaper: {error}"
        ));
    }
    // Other processes of the same user must not open the supervisor's descriptors.
    if let Err(error) = nix::sys::prctl::set_dumpable(false) {
        return ExitReport::not_started(format!("the supervisor cannot be protected: {error}"));
    }
    supervise(job, Some(io::stdin().as_fd()), None)
}
