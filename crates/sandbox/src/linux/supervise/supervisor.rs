//! The main function of a supervisor process. When standard input closes, after the line of the
//! request, the judge is gone, and the supervisor kills its program.

use super::idle::Request;
use super::tree::supervise;
use crate::job::{ExitReport, Job, within};
use crate::linux::{identity, namespaces, store};
use nix::sys::prctl::{set_child_subreaper, set_dumpable};
use std::io::{self, BufRead, Read, Write};
use std::os::fd::AsFd;
use std::process::ExitCode;

const LONGEST_JOB: u64 = 1 << 22;

/// Runs the supervisor process. Nothing may follow the line of the request before the report.
pub fn run() -> ExitCode {
    let mut line = Vec::new();
    // A part of a line is no request.
    let _ = io::stdin().lock().take(LONGEST_JOB).read_until(b'\n', &mut line);
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

fn write_report(report: &ExitReport) {
    let text = serde_json::to_string(report).unwrap_or_default();
    let mut stdout = io::stdout().lock();
    let _ = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
}

fn supervised(job: &Job) -> ExitReport {
    if job.layers.namespaces {
        return namespaces::run(job);
    }
    // Descendants whose parents end become this process's children. Other processes of the same
    // user must not open its descriptors.
    match set_child_subreaper(true).and_then(|()| set_dumpable(false)) {
        Ok(()) => supervise(job, Some(io::stdin().as_fd()), None),
        Err(error) => ExitReport::not_started(within("the supervisor cannot be prepared")(error)),
    }
}
