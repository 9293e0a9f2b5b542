//! The start of a player's program: the last steps before it runs, which nothing it does can undo.
#![allow(unsafe_code, reason = "steps between fork and exec have no safe form in the library")]

use super::walls::{Counting, Walls};
use super::{counter, landlock, passing, syscalls};
use crate::supervise::job::{Job, Limits, MARK};
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A program that has been started.
pub(crate) struct Entered {
    /// The program, its streams piped.
    pub child: Child,
    /// The counter of its CPU time, where that is how it is counted.
    pub counter: Option<OwnedFd>,
    /// The moment just before it was started.
    pub start: Instant,
}

/// How long to wait for a counter that is as good as there.
const SOON: Duration = Duration::from_secs(2);

/// The most open files of a process.
const OPEN_FILES: u64 = 4096;

/// Starts the program of a job. The calling process has one thread. An error says why there is no program.
pub(crate) fn start(job: &Job, group: Option<OwnedFd>) -> Result<Entered, String> {
    fn within(what: &str) -> impl FnOnce(io::Error) -> String {
        move |error| format!("{what}: {error}")
    }
    let filters = if job.walls.seccomp { syscalls::filters().map_err(within("seccomp"))? } else { Vec::new() };
    let mut ruleset = if job.walls.landlock { Some(landlock::ruleset(job).map_err(within("Landlock"))?) } else { None };
    let (ours, theirs) = UnixStream::pair().map_err(within("a socket"))?;
    ours.set_read_timeout(Some(SOON)).map_err(within("a socket"))?;
    let (walls, limits) = (job.walls.clone(), job.limits);
    let counted = walls.counting == Counting::Counter;
    let mut command = command(job);
    let last_steps = move || {
        let _ = nix::unistd::setsid();
        limit(&limits, &walls)?;
        if let Some(group) = &group {
            nix::unistd::write(group, b"0")?;
        }
        if counted {
            passing::send(&theirs, &counter::open()?)?;
        }
        if walls.any() {
            nix::sys::prctl::set_no_new_privs()?;
        }
        if let Some(ruleset) = ruleset.take() {
            landlock::enter(ruleset)?;
        }
        filters.iter().try_for_each(syscalls::enter)
    };
    // SAFETY: the calling process has one thread, so that after fork its copy may do whatever the process might.
    unsafe { command.pre_exec(last_steps) };
    let start = Instant::now();
    let child = command.spawn().map_err(|error| format!("{}: cannot be started: {error}", job.command[0]))?;
    let counter = if counted { Some(passing::receive(&ours).map_err(within("a counter of CPU time"))?) } else { None };
    Ok(Entered { child, counter, start })
}

fn command(job: &Job) -> Command {
    let mut command = Command::new(&job.command[0]);
    command.args(&job.command[1..]).current_dir(&job.directory);
    if job.walls.any() {
        command.env_clear().envs(job.environment.iter().map(|(name, value)| (name, value)));
    }
    if !job.walls.namespaces {
        command.env(MARK, &job.mark);
    }
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Limits the calling process and all it starts. No limit on CPU time: Linux would then let the clock by which players
/// usually read their own CPU time stand still for up to 4 ms at a time. A program that uses too much is ended at the wall
/// limit.
fn limit(limits: &Limits, walls: &Walls) -> io::Result<()> {
    let mut wanted = vec![
        (Resource::RLIMIT_DATA, limits.memory),
        (Resource::RLIMIT_FSIZE, limits.file_size),
        (Resource::RLIMIT_CORE, 0),
    ];
    if walls.any() {
        wanted.push((Resource::RLIMIT_NOFILE, OPEN_FILES));
        wanted.push((Resource::RLIMIT_RTPRIO, 0));
    }
    if walls.namespaces {
        // Process 1 is one of them.
        wanted.push((Resource::RLIMIT_NPROC, limits.processes.saturating_add(1)));
    }
    for (resource, value) in wanted {
        let (_, most) = getrlimit(resource)?;
        let value = value.min(most);
        setrlimit(resource, value, value)?;
    }
    Ok(())
}
