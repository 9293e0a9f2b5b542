//! The keeper of a box: it makes the namespaces, starts process 1 in them, and stays outside, where nothing in the box can
//! see it. The end of process 1 is the end of everything in the box, and the keeper's end is the end of process 1.
#![allow(unsafe_code, reason = "fork has no safe form")]

use super::{group, identity, inside, network, passing};
use crate::supervise::job::{ExitReport, Job};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sched::{CloneFlags, unshare};
use nix::sys::signal::{Signal, kill};
use nix::unistd::{ForkResult, Pid, fork, pipe2};
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::time::{Duration, Instant};

/// How long after the wall limit process 1 may take to end all others and report.
const LATEST: Duration = Duration::from_secs(7);
/// Of processes that may be ended for want of memory, those of a box come before the judge.
const FIRST_TO_GO: &str = "500";

/// Runs a job's program in a box of its own.
pub(crate) fn keep(job: &Job) -> ExitReport {
    let refused = |what: &str, error: io::Error| ExitReport {
        not_started: Some(format!("the box cannot be built: {what}: {error}")),
        ..ExitReport::default()
    };
    let _ = std::fs::write("/proc/self/oom_score_adj", FIRST_TO_GO);
    let mut group = match job.walls.groups.as_deref().map(|groups| group::Group::new(groups, job)).transpose() {
        Ok(group) => group,
        Err(error) => return refused("control group", error),
    };
    let entrance = group.as_mut().and_then(group::Group::entrance);
    if let Err(error) = make_namespaces(job) {
        return refused("namespaces", error);
    }
    if let Some(port) = job.port
        && let Err(error) = network::listen(port).and_then(|listener| passing::send(&io::stdout(), &listener))
    {
        return refused("loopback", error);
    }
    let (reports, report) = match pipe2(nix::fcntl::OFlag::O_CLOEXEC) {
        Ok(ends) => ends,
        Err(error) => return refused("pipe", error.into()),
    };
    let start = Instant::now();
    // SAFETY: this process has one thread, so that its copy may do whatever the process might.
    let init = match unsafe { fork() } {
        Ok(ForkResult::Child) => {
            drop(reports);
            inside::run(job, report, entrance);
        }
        Ok(ForkResult::Parent { child }) => child,
        Err(error) => return refused("process 1", error.into()),
    };
    drop((report, entrance));
    if let Err(error) = nix::sys::prctl::set_dumpable(false) {
        let _ = kill(init, Signal::SIGKILL);
        return refused("the keeper's own shelter", error.into());
    }
    let report = await_report(reports, start + Duration::from_secs_f64(job.wall.clamp(0.0, 1e9)) + LATEST);
    end(init);
    let lost = || ExitReport { wall: start.elapsed().as_secs_f64(), orphaned: true, ..ExitReport::default() };
    let mut report = report.and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_else(lost);
    if let Some(group) = group {
        group.close(&mut report);
    }
    report
}

/// The namespaces that need no process of their own. The next child is process 1.
fn make_namespaces(job: &Job) -> io::Result<()> {
    let flags = CloneFlags::CLONE_NEWPID
        | CloneFlags::CLONE_NEWNET
        | CloneFlags::CLONE_NEWIPC
        | CloneFlags::CLONE_NEWUTS
        | CloneFlags::CLONE_NEWCGROUP;
    if job.identity.is_some() {
        // The rights of root suffice; process 1 gives them up and makes a user namespace when all is built.
        unshare(flags)?;
    } else {
        let (user, group) = (nix::unistd::geteuid().as_raw(), nix::unistd::getegid().as_raw());
        unshare(flags | CloneFlags::CLONE_NEWUSER)?;
        identity::map(user, group)?;
    }
    Ok(())
}

/// What process 1 reports. `None` if it ends without a word, if it is late, or if the judge is gone.
fn await_report(reports: OwnedFd, until: Instant) -> Option<Vec<u8>> {
    let mut reports = File::from(reports);
    let mut text = Vec::new();
    let mut piece = [0; 1 << 12];
    loop {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return None;
        }
        let timeout = PollTimeout::try_from(left.as_millis().min(1 << 30) as i32 + 1).unwrap_or(PollTimeout::MAX);
        let stdin = io::stdin();
        let mut polled =
            [PollFd::new(reports.as_fd(), PollFlags::POLLIN), PollFd::new(stdin.as_fd(), PollFlags::POLLIN)];
        match poll(&mut polled, timeout) {
            Ok(_) | Err(nix::Error::EINTR) => {}
            Err(_) => return None,
        }
        let [reported, gone] = polled.map(|polled| polled.any().unwrap_or(false));
        if reported {
            match reports.read(&mut piece) {
                Ok(0) => return (!text.is_empty()).then_some(text),
                Ok(count) => text.extend_from_slice(&piece[..count]),
                Err(_) => return None,
            }
        } else if gone {
            return None;
        }
    }
}

/// Ends process 1, and with it all of the box. One that cannot be ended is not waited for.
fn end(init: Pid) {
    let _ = kill(init, Signal::SIGKILL);
    let _ = crate::process_tree::wait_for(init.as_raw(), Duration::from_secs(2));
}
