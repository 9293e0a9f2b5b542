//! The supervisor of a box with namespaces.
#![allow(unsafe_code, reason = "fork has no safe form in the libraries")]

use super::init;
use crate::job::{ExitReport, Job, TurnLimits, within};
use crate::linux::accounting::{cgroup, usage};
use crate::linux::isolation::{identity, namespaces, ownership};
use crate::linux::{descriptors, process_tree};
use nix::poll::{PollFd, PollFlags, poll};
use nix::unistd::{ForkResult, fork, pipe2};
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

/// The init process has this time after the longest that a job may take, to end all other processes
/// and report, and the other one after the judge is gone.
const LATEST: Duration = Duration::from_secs(7);
const LATEST_ALONE: Duration = Duration::from_millis(300);

pub(crate) fn run(job: &Job) -> ExitReport {
    try_run(job).unwrap_or_else(|why| init::not_built(&why))
}

fn try_run(job: &Job) -> Result<ExitReport, String> {
    // When the machine runs out of memory, the kernel kills a box before the judge.
    let _ = std::fs::write("/proc/self/oom_score_adj", "500");
    let group = job.layers.groups.as_ref().map(|groups| cgroup::ControlGroup::new(groups, job));
    let (group, files) = group.transpose().map_err(within("control group"))?.unzip();
    usage::note_socket_sizes();
    namespaces::make(job).map_err(within("namespaces"))?;
    if let Some(user) = job.identity {
        ownership::give(job, user.id, user.id)
            .map_err(within("the owner of the player's files"))?;
    }
    if let Some(port) = job.port {
        namespaces::listen_on_loopback(port)
            .and_then(|listener| descriptors::send(&io::stdout(), &listener))
            .map_err(within("loopback"))?;
    }
    let (reports, report) = pipe2(nix::fcntl::OFlag::O_CLOEXEC).map_err(within("pipe"))?;
    let (mut init_socket, supervisor_socket) = UnixStream::pair().map_err(within("socket"))?;
    let start = Instant::now();
    // SAFETY: this process has one thread, so its forked copy may call any function.
    let init = match unsafe { fork() }.map_err(within("init process"))? {
        ForkResult::Child => {
            drop((reports, init_socket));
            init::run(job, report, supervisor_socket, files);
        }
        ForkResult::Parent { child } => child,
    };
    drop((report, files, supervisor_socket));
    if let Err(error) = nix::sys::prctl::set_dumpable(false) {
        process_tree::kill(init.as_raw());
        return Err(within("PR_SET_DUMPABLE")(error));
    }
    if let Some(user) = job.identity {
        // On failure the init process reads the end of the socket and reports that its users are
        // missing.
        let _ = identity::answer_user_map_request(&mut init_socket, init.as_raw(), user.id);
    }
    drop(init_socket);
    // Later turns have limits that the init process and the judge know.
    let limits = if job.talks { TurnLimits::NONE } else { job.first_turn() };
    let report = await_report(reports, start + limits.longest() + LATEST);
    // The kernel kills the box with its init process.
    process_tree::kill(init.as_raw());
    let _ = process_tree::wait_for(init.as_raw(), Duration::from_secs(2));
    let taken_back = ownership::give_back(job);
    let report = report.and_then(|text| serde_json::from_slice(&text).ok());
    let mut report = report.unwrap_or_else(|| ExitReport::lost(start));
    if let Some(group) = group {
        group.close(job, &mut report);
    }
    if let Err(error) = taken_back {
        report.machine_fault = Some(within("the player's files cannot be taken back")(error));
    }
    Ok(report)
}

/// The report of the init process; `None` if it sends none in time. A judge that has gone, which the
/// init process sees too, does not wait for it.
fn await_report(reports: OwnedFd, mut until: Instant) -> Option<Vec<u8>> {
    let mut reports = File::from(reports);
    let mut text = Vec::new();
    let mut piece = [0; 1 << 12];
    let mut is_gone = false;
    while Instant::now() < until {
        let stdin = io::stdin();
        let mut polled = [
            PollFd::new(reports.as_fd(), PollFlags::POLLIN),
            // Messages are for the init process; this is the end of them.
            PollFd::new(stdin.as_fd(), PollFlags::from_bits_retain(libc::POLLRDHUP)),
        ];
        let count = if is_gone { 1 } else { 2 };
        match poll(&mut polled[..count], descriptors::timeout(until)) {
            Ok(_) | Err(nix::Error::EINTR) => {}
            Err(_) => return None,
        }
        let [reported, gone] = polled.map(|polled| polled.revents() != Some(PollFlags::empty()));
        if gone && !is_gone {
            is_gone = true;
            until = until.min(Instant::now() + LATEST_ALONE);
        }
        if reported {
            match reports.read(&mut piece) {
                Ok(0) => return (!text.is_empty()).then_some(text),
                Ok(count) => text.extend_from_slice(&piece[..count]),
                Err(_) => return None,
            }
        }
    }
    None
}
