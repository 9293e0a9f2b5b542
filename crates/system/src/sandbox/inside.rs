//! Process 1 of a box. It builds the box's file system, gives up what rights it has, and watches the program.

use super::{identity, mounts};
use crate::supervise::job::{ExitReport, Job};
use crate::supervise::tree::supervise;
use nix::sched::{CloneFlags, unshare};
use nix::sys::signal::Signal;
use nix::unistd::{Gid, Uid, setgroups, setresgid, setresuid};
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::OwnedFd;

/// The whole run of process 1: its report goes to a pipe that the program never has.
pub(super) fn run(job: &Job, report: OwnedFd, group: Option<OwnedFd>) -> ! {
    let said = match build(job) {
        Ok(()) => supervise(job, None, group),
        Err((what, error)) => ExitReport {
            not_started: Some(format!("the box cannot be built: {what}: {error}")),
            ..ExitReport::default()
        },
    };
    let text = serde_json::to_vec(&said).unwrap_or_default();
    let _ = File::from(report).write_all(&text);
    std::process::exit(0);
}

fn build(job: &Job) -> Result<(), (String, io::Error)> {
    let at = |what: &str| {
        let what = what.to_string();
        move |error: nix::Error| (what, io::Error::from(error))
    };
    // The keeper's own line to the judge is none of the box's.
    shut_standard_streams().map_err(|error| ("standard streams".to_string(), error))?;
    unshare(CloneFlags::CLONE_NEWNS).map_err(at("mount namespace"))?;
    mounts::build(job)?;
    let _ = nix::unistd::sethostname("box");
    if let Some(user) = job.identity {
        setgroups(&[]).map_err(at("groups"))?;
        setresgid(Gid::from_raw(user), Gid::from_raw(user), Gid::from_raw(user)).map_err(at("group"))?;
        setresuid(Uid::from_raw(user), Uid::from_raw(user), Uid::from_raw(user)).map_err(at("user"))?;
        unshare(CloneFlags::CLONE_NEWUSER).map_err(at("user namespace"))?;
        // After a change of user its own files in /proc are shut to it.
        nix::sys::prctl::set_dumpable(true).map_err(at("own files in /proc"))?;
        identity::map(user, user).map_err(|error| ("users".to_string(), error))?;
    }
    nix::sys::prctl::set_dumpable(false).map_err(at("shelter"))?;
    // A change of user forgets the signal.
    nix::sys::prctl::set_pdeathsig(Signal::SIGKILL).map_err(at("the keeper's end"))
}

fn shut_standard_streams() -> io::Result<()> {
    let nothing = File::options().read(true).write(true).open("/dev/null")?;
    nix::unistd::dup2_stdin(&nothing)?;
    nix::unistd::dup2_stdout(&nothing)?;
    Ok(())
}
