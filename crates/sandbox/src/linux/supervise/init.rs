//! The init process of a box: it builds the box's file system and supervises the program.

use super::questions;
use super::watch::supervise;
use crate::job::{ExitReport, Job, within};
use crate::linux::accounting::cgroup::GroupFiles;
use crate::linux::isolation::{identity, mounts};
use nix::sched::{CloneFlags, unshare};
use nix::sys::signal::Signal;
use nix::unistd::setgroups;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;

/// Runs the init process, which requests the user map of its namespace on `supervisor`. The program
/// does not inherit the pipe `report`.
pub(super) fn run(
    job: &Job,
    report: OwnedFd,
    supervisor: UnixStream,
    group: Option<GroupFiles>,
) -> ! {
    let judge = questions::judge().map_err(within("socket"));
    let said = match judge.and_then(|judge| build(job, supervisor).map(|()| judge)) {
        Ok(judge) => supervise(job, judge, group),
        Err(why) => not_built(&why),
    };
    let text = serde_json::to_vec(&said).unwrap_or_default();
    let _ = File::from(report).write_all(&text);
    std::process::exit(0);
}

pub(super) fn not_built(why: &str) -> ExitReport {
    ExitReport::not_started(format!("the box cannot be built: {why}"))
}

fn build(job: &Job, mut supervisor: UnixStream) -> Result<(), String> {
    // The connection to the judge must not reach the program.
    shut_standard_streams().map_err(within("standard streams"))?;
    unshare(CloneFlags::CLONE_NEWNS).map_err(within("mount namespace"))?;
    mounts::build(job)?;
    let _ = nix::unistd::sethostname("box");
    if let Some(user) = job.identity {
        // As another user it is out of the program's reach. As owner of the user namespace it keeps
        // its rights over the program.
        let own = identity::init_user(user.id);
        setgroups(&[]).map_err(within("groups"))?;
        unshare(CloneFlags::CLONE_NEWUSER).map_err(within("user namespace"))?;
        identity::request_user_map(&mut supervisor).map_err(within("users"))?;
        identity::become_user(own).map_err(within("user"))?;
    }
    nix::sys::prctl::set_dumpable(false).map_err(within("PR_SET_DUMPABLE"))?;
    // A change of user clears the parent-death signal, so it is set last.
    nix::sys::prctl::set_pdeathsig(Signal::SIGKILL).map_err(within("PR_SET_PDEATHSIG"))
}

fn shut_standard_streams() -> io::Result<()> {
    let nothing = File::options().read(true).write(true).open("/dev/null")?;
    nix::unistd::dup2_stdin(&nothing)?;
    nix::unistd::dup2_stdout(&nothing)?;
    Ok(())
}
