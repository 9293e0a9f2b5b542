//! The main function of a supervisor, a storage process or a keeper.

use super::watch::supervise;
use super::{box_supervisor, questions};
use crate::job::{ExitReport, Job, within};
use crate::linux::isolation::{identity, ownership, store};
use crate::linux::requests::Request;
use nix::sys::prctl::{set_child_subreaper, set_dumpable};
use std::io::{self, Read, Write};
use std::process::ExitCode;

const LONGEST_JOB: u64 = 1 << 22;

/// Runs the supervisor process.
pub(crate) fn run() -> ExitCode {
    let request = read_request().unwrap_or_default();
    match serde_json::from_slice::<Request>(&request) {
        Ok(Request::Run(job)) => write_report(&supervised(&job)),
        Ok(Request::Store(request)) => store::run_process(&request),
        Ok(Request::Keep) => identity::keep(),
        Ok(Request::TakeBack(job)) => ownership::take_back(&job),
        // No request at all means that the judge ended before it could send one.
        Err(_) if request.is_empty() => {}
        Err(_) => {
            eprintln!("supervise: an internal command of the judge, not for users");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

/// Reads the length of the request, then the request, and nothing of the messages that follow it.
fn read_request() -> io::Result<Vec<u8>> {
    let mut judge = questions::judge()?;
    let (mut length, mut text) = ([0; 8], Vec::new());
    judge.read_exact(&mut length)?;
    judge.take(u64::from_le_bytes(length).min(LONGEST_JOB)).read_to_end(&mut text)?;
    Ok(text)
}

fn write_report(report: &ExitReport) {
    let text = serde_json::to_string(report).unwrap_or_default();
    let mut stdout = io::stdout().lock();
    let _ = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
}

fn supervised(job: &Job) -> ExitReport {
    if job.layers.namespaces {
        return box_supervisor::run(job);
    }
    // Descendants whose parents end become this process's children. Other processes of the same
    // user must not open its descriptors.
    let prepared = set_child_subreaper(true).and_then(|()| set_dumpable(false));
    match prepared.map_err(io::Error::from).and_then(|()| questions::judge()) {
        Ok(judge) => supervise(job, judge, None),
        Err(error) => ExitReport::not_started(within("the supervisor cannot be prepared")(error)),
    }
}
