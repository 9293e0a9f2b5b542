//! Child processes and their descendants: waiting with CPU time, finding, and killing.
#![allow(unsafe_code, reason = "pidfd_open has no safe form in the libraries")]

use super::descriptors::{owned, timeout};
use crate::reaped::reap;
pub use crate::reaped::{Ended, exit_code};
use nix::poll::{PollFd, PollFlags, poll};
use nix::sys::signal::Signal;
use nix::unistd::Pid;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

pub(crate) fn pidfd(process: i32) -> io::Result<OwnedFd> {
    // SAFETY: the call takes plain numbers and touches no memory of ours.
    owned(unsafe { libc::syscall(libc::SYS_pidfd_open, process, 0) })
}

/// Whether a child ends within `limit`. It still has to be reaped.
pub(crate) fn ends_within(pid: i32, limit: Duration) -> io::Result<bool> {
    let handle = pidfd(pid)?;
    let deadline = Instant::now() + limit;
    loop {
        let mut polled = [PollFd::new(handle.as_fd(), PollFlags::POLLIN)];
        match poll(&mut polled, timeout(deadline)) {
            Ok(ended) => return Ok(ended > 0),
            Err(nix::Error::EINTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

/// Waits for one child, at most for `limit`; `None` if it still lives then.
pub fn wait_for(pid: i32, limit: Duration) -> io::Result<Option<Ended>> {
    if ends_within(pid, limit)? { reap(pid, 0) } else { Ok(None) }
}

/// Kills a process that may have ended.
pub fn kill(pid: i32) {
    let _ = nix::sys::signal::kill(Pid::from_raw(pid), Signal::SIGKILL);
}

/// Kills all processes whose initial environment has this entry, `NAME=VALUE`, until none is left.
pub(crate) fn kill_marked(entry: &str) {
    let wanted = entry.as_bytes();
    for _ in 0..1_000 {
        let marked: Vec<i32> = processes()
            .filter(|(_, path)| {
                let environment = std::fs::read(path.join("environ")).unwrap_or_default();
                environment.split(|&byte| byte == 0).any(|found| found == wanted)
            })
            .map(|(pid, _)| pid)
            .collect();
        if marked.is_empty() {
            return;
        }
        marked.into_iter().for_each(kill);
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn processes() -> impl Iterator<Item = (i32, PathBuf)> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| Some((entry.file_name().to_str()?.parse().ok()?, entry.path())))
}

/// A live process: at least one of its threads is alive.
#[derive(Clone)]
pub(crate) struct Living {
    pub(crate) pid: i32,
    /// The `/proc` directory of a live thread. A main thread that has ended shows no memory.
    pub(crate) thread: PathBuf,
    pub(crate) threads: u64,
    /// With that of children that it waited for; rounded down to clock ticks.
    pub(crate) cpu: Duration,
    parent: i32,
}

fn living(pid: i32, path: PathBuf) -> Option<Living> {
    let stat = Stat::read(&path)?;
    let thread = if stat.lives() {
        path
    } else {
        let mut tasks = std::fs::read_dir(path.join("task")).ok()?.flatten();
        let lives = |thread: &Path| Stat::read(thread).is_some_and(|stat| stat.lives());
        tasks.find_map(|task| Some(task.path()).filter(|thread| lives(thread)))?
    };
    let Stat { parent, threads, cpu, .. } = stat;
    Some(Living { pid, thread, threads, cpu, parent })
}

/// Clock ticks in a second, in `/proc` everywhere (`USER_HZ`).
pub(crate) const TICKS: u64 = 100;

pub(crate) struct Stat {
    pub(crate) state: char,
    parent: i32,
    threads: u64,
    cpu: Duration,
}

impl Stat {
    pub(crate) fn read(directory: &Path) -> Option<Stat> {
        let stat = std::fs::read(directory.join("stat")).ok()?;
        // The command name is in parentheses and may contain anything. The state and the parent
        // follow it; fields 14 to 17 are CPU times in ticks, and field 20 is the number of threads.
        let text = String::from_utf8_lossy(&stat);
        let mut fields = text.rsplit_once(')')?.1.split_ascii_whitespace();
        let state = fields.next()?.chars().next()?;
        let parent = fields.next()?.parse().ok()?;
        let ticks: u64 =
            fields.by_ref().skip(9).take(4).filter_map(|field| field.parse::<u64>().ok()).sum();
        let threads = fields.nth(2)?.parse().ok()?;
        Some(Stat { state, parent, threads, cpu: Duration::from_millis(ticks * 1000 / TICKS) })
    }

    fn lives(&self) -> bool {
        !['Z', 'X'].contains(&self.state)
    }
}

/// The live processes of the box that this process supervises, as its init process or from outside.
pub(crate) fn of_box(namespaces: bool) -> Vec<Living> {
    if !namespaces {
        return descendants();
    }
    let own = std::process::id() as i32;
    processes().filter(|(pid, _)| *pid != own).filter_map(|(pid, path)| living(pid, path)).collect()
}

/// Whether a process, which may have ended, comes from this one.
pub(crate) fn is_descendant(mut pid: i32) -> bool {
    let own = std::process::id() as i32;
    while let Some(stat) = Stat::read(Path::new(&format!("/proc/{pid}"))) {
        if stat.parent == own {
            return true;
        }
        pid = stat.parent;
    }
    false
}

fn descendants() -> Vec<Living> {
    // The children of an ended process already have another parent.
    let all: Vec<Living> = processes().filter_map(|(pid, path)| living(pid, path)).collect();
    let mut found: Vec<Living> = Vec::new();
    let mut waiting = vec![std::process::id() as i32];
    while let Some(parent) = waiting.pop() {
        for process in all.iter().filter(|process| process.parent == parent) {
            waiting.push(process.pid);
            found.push(process.clone());
        }
    }
    found
}

/// Kills all other processes of the process namespace at once, so that none can fork in the
/// meantime. Does nothing unless this is the init process.
pub(crate) fn kill_namespace() {
    if std::process::id() == 1 {
        kill(-1);
    }
}
