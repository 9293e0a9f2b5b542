//! The launch of a player's program: the steps between fork and exec that the program cannot undo.
#![allow(unsafe_code, reason = "steps between fork and exec have no safe form in the library")]

use super::syscalls::{self, Circumstances};
use super::{identity, landlock};
use crate::job::{Job, Limits, MARK, within};
use crate::layers::{Counting, Layers};
use crate::linux::accounting::counter;
use crate::linux::descriptors;
use nix::sched::CpuSet;
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::unistd::Pid;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

pub(crate) struct Launched {
    pub child: Child,
    pub counter: Option<OwnedFd>,
    /// The kernel notifies it of system calls that the filter does not allow.
    pub listener: Option<OwnedFd>,
    pub start: Instant,
}

const SOON: Duration = Duration::from_secs(2);

const OPEN_FILES: u64 = 4096;

/// Launches the program of a job. The calling process has one thread.
pub(crate) fn launch(job: &Job, group: Option<OwnedFd>) -> Result<Launched, String> {
    // The processes that supervise the program, by the ids that they have for it: the init process
    // of its box, or the supervisor and the judge.
    let protected = if job.layers.namespaces {
        vec![1]
    } else {
        vec![std::process::id() as i32, std::os::unix::process::parent_id() as i32]
    };
    let circumstances = Circumstances {
        protected: &protected,
        namespaces: job.layers.namespaces,
        guarded: !job.layers.namespaces && job.layers.landlock && landlock::guards_signals(),
        has_port: job.port.is_some(),
        own: job.identity.map_or_else(identity::judges_ids, |user| (user.id, user.id)),
        group: job.layers.group,
        own_share: job.layers.own_share(),
    };
    let filters = job.layers.seccomp.then(|| syscalls::filters(&circumstances)).transpose();
    let filters = filters.map_err(within("seccomp"))?;
    let ruleset = job.layers.landlock.then(|| landlock::ruleset(job)).transpose();
    let mut ruleset = ruleset.map_err(within("Landlock"))?;
    let (ours, theirs) = UnixStream::pair().map_err(within("socket"))?;
    ours.set_read_timeout(Some(SOON)).map_err(within("socket"))?;
    let (layers, limits, user) = (job.layers.clone(), job.limits, job.identity.map(|user| user.id));
    // This process owns the counter, so the program cannot stop it.
    let counter = (layers.counting == Counting::Counter).then(counter::open).transpose();
    let counter = counter.map_err(within("counter of CPU time"))?;
    let filtered = filters.is_some();
    let processors = mask(&job.processors).map_err(within("processors"))?;
    let mut command = command(job);
    let last_steps = move || {
        let _ = nix::unistd::setsid();
        if let Some(group) = &group {
            nix::unistd::write(group, b"0")?;
        }
        if let Some(processors) = &processors {
            nix::sched::sched_setaffinity(Pid::from_raw(0), processors)?;
        }
        if let Some(user) = user {
            identity::become_user(user)?;
        }
        limit(&limits, &layers, user.is_none())?;
        if layers.any() {
            nix::sys::prctl::set_no_new_privs()?;
        }
        if let Some(ruleset) = ruleset.take() {
            landlock::enter(ruleset)?;
        }
        if let Some(filters) = &filters {
            match filters.enter()? {
                Some(listener) => descriptors::send(&theirs, &listener)?,
                None => theirs.shutdown(std::net::Shutdown::Both)?,
            }
        }
        // At last: with this limit nothing could be sent where other boxes of this user have as
        // many descriptors on their way.
        limit_open_files(&layers)
    };
    // SAFETY: the calling process has one thread, so its forked copy may call any function.
    unsafe { command.pre_exec(last_steps) };
    let start = Instant::now();
    let child = job.spawn(&mut command)?;
    let listener = if filtered { descriptors::receive(&ours).ok() } else { None };
    Ok(Launched { child, counter, listener, start })
}

fn mask(processors: &[usize]) -> io::Result<Option<CpuSet>> {
    let mut set = CpuSet::new();
    for &processor in processors {
        set.set(processor)?;
    }
    Ok((!processors.is_empty()).then_some(set))
}

fn command(job: &Job) -> Command {
    let mut command = Command::new(&job.command[0]);
    command.args(&job.command[1..]).current_dir(&job.directory);
    if job.layers.any() {
        command.env_clear().envs(job.environment.iter().map(|(name, value)| (name, value)));
    }
    if !job.layers.namespaces {
        command.env(MARK, &job.mark);
    }
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Limits the calling process and all its descendants. `shares_user`: the init process runs as the
/// same user. With `RLIMIT_CPU` Linux would let the CPU clock that players usually read stand still
/// for up to 4 ms at a time.
fn limit(limits: &Limits, layers: &Layers, shares_user: bool) -> io::Result<()> {
    let mut wanted = vec![
        (Resource::RLIMIT_DATA, limits.memory),
        (Resource::RLIMIT_FSIZE, limits.file_size),
        (Resource::RLIMIT_CORE, 0),
    ];
    if layers.any() {
        wanted.push((Resource::RLIMIT_RTPRIO, 0));
        // Timers and queued signals, which are memory of the kernel.
        wanted.push((Resource::RLIMIT_SIGPENDING, OPEN_FILES));
    }
    if layers.namespaces {
        // The init process counts towards the limit of its user.
        let processes = limits.processes.saturating_add(u64::from(shares_user));
        wanted.push((Resource::RLIMIT_NPROC, processes));
    }
    for (resource, value) in wanted {
        let (_, most) = getrlimit(resource)?;
        let value = value.min(most);
        setrlimit(resource, value, value)?;
    }
    Ok(())
}

/// The judge has raised its own limit, and some programs go through all descriptors that they might
/// have.
fn limit_open_files(layers: &Layers) -> io::Result<()> {
    let (now, most) = getrlimit(Resource::RLIMIT_NOFILE)?;
    let wanted = now.min(OPEN_FILES);
    Ok(setrlimit(Resource::RLIMIT_NOFILE, wanted, if layers.any() { wanted } else { most })?)
}
