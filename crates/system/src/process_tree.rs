//! Processes that this one has started, with all that they start: waiting for them with their CPU time, finding them,
//! limiting them, ending them. Linux only: orphans are adopted as a subreaper, and a tree is read from `/proc`.
#![allow(unsafe_code, reason = "wait4 and pidfd_open have no safe form in the libraries")]

use nix::poll::{PollFd, PollFlags, ppoll};
use nix::sys::signal::Signal;
use nix::sys::time::TimeSpec;
use nix::unistd::Pid;
use std::io;
use std::os::fd::{AsFd, FromRawFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A child that has ended and is gone.
pub struct Ended {
    /// The process id of the child.
    pub pid: i32,
    /// The status that `wait4` gives.
    pub status: i32,
    /// User and system time of the child and of all the children it waited for.
    pub cpu: Duration,
    /// The most memory that the child, or a child it waited for, had resident at a time, in KiB. Where a process begins
    /// as a copy of this one, what this one has resident is the least of it.
    pub peak_kib: u64,
}

impl Ended {
    fn new(pid: i32, status: i32, usage: &libc::rusage) -> Ended {
        let cpu = duration(usage.ru_utime) + duration(usage.ru_stime);
        Ended { pid, status, cpu, peak_kib: usage.ru_maxrss.max(0) as u64 }
    }
}

/// The result of [`wait_for_any`].
pub enum Waited {
    /// A child has ended.
    Child(Ended),
    /// There are children, and all of them live.
    AllLive,
    /// There are no children.
    NoneLeft,
}

/// Waits for any child, its CPU time included. Returns at once unless `block` is set.
pub fn wait_for_any(block: bool) -> Waited {
    let options = if block { 0 } else { libc::WNOHANG };
    loop {
        let mut status = 0;
        // SAFETY: an all-zero rusage is a valid value of this plain C struct.
        let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
        // SAFETY: both pointers are to live locals of the types that wait4 writes.
        let pid = unsafe { libc::wait4(-1, &mut status, options, &mut usage) };
        match pid {
            0 => return Waited::AllLive,
            -1 if io::Error::last_os_error().kind() == io::ErrorKind::Interrupted => {}
            -1 => return Waited::NoneLeft,
            _ => return Waited::Child(Ended::new(pid, status, &usage)),
        }
    }
}

/// Waits for one child, at most for `limit`; `None` if it still lives then.
pub fn wait_for(pid: i32, limit: Duration) -> io::Result<Option<Ended>> {
    // SAFETY: pidfd_open takes plain numbers and touches no memory of ours.
    let handle = unsafe { libc::syscall(libc::SYS_pidfd_open, pid, 0) };
    if handle < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the descriptor was just opened and has no other owner.
    let handle = unsafe { OwnedFd::from_raw_fd(handle as i32) };
    let deadline = Instant::now() + limit;
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let mut polled = [PollFd::new(handle.as_fd(), PollFlags::POLLIN)];
        match ppoll(&mut polled, Some(TimeSpec::from_duration(left)), None) {
            Ok(0) => return Ok(None),
            Ok(_) => return reap(pid).map(Some),
            Err(nix::Error::EINTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

/// Collects one child, however long that takes.
fn reap(pid: i32) -> io::Result<Ended> {
    loop {
        let mut status = 0;
        // SAFETY: an all-zero rusage is a valid value of this plain C struct.
        let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
        // SAFETY: both pointers are to live locals of the types that wait4 writes.
        let found = unsafe { libc::wait4(pid, &mut status, 0, &mut usage) };
        if found == pid {
            return Ok(Ended::new(pid, status, &usage));
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}

fn duration(time: libc::timeval) -> Duration {
    Duration::from_secs(time.tv_sec.max(0) as u64) + Duration::from_micros(time.tv_usec.max(0) as u64)
}

/// The exit code of a `wait4` status; `None` if a signal ended the process.
pub fn exit_code(status: i32) -> Option<i32> {
    libc::WIFEXITED(status).then(|| libc::WEXITSTATUS(status))
}

/// The signal that ended a process, if one did.
pub fn ending_signal(status: i32) -> Option<i32> {
    libc::WIFSIGNALED(status).then(|| libc::WTERMSIG(status))
}

/// From now on, descendants whose parent ends become children of this process, so that none is lost.
pub fn adopt_orphans() -> io::Result<()> {
    Ok(nix::sys::prctl::set_child_subreaper(true)?)
}

/// Ends a process. One that is already gone is no error.
pub fn kill(pid: i32) {
    let _ = nix::sys::signal::kill(Pid::from_raw(pid), Signal::SIGKILL);
}

/// Ends a process that leads a group of its own, and all others of the group.
pub fn kill_group(leader: u32) {
    if let Ok(leader) = i32::try_from(leader) {
        kill(-leader);
    }
}

/// Ends all processes that have this entry, `NAME=VALUE`, in the environment they were started with, until there are none.
pub fn kill_marked(entry: &str) {
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

/// All processes of this machine that are to be seen, with their directories under `/proc`.
fn processes() -> impl Iterator<Item = (i32, PathBuf)> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| Some((entry.file_name().to_str()?.parse().ok()?, entry.path())))
}

/// The state of a process and its parent, by its directory under `/proc`.
fn state_and_parent(path: &Path) -> Option<(char, i32)> {
    let stat = std::fs::read(path.join("stat")).ok()?;
    // The command's name stands in parentheses and may hold anything; state and parent follow it.
    let after = stat.iter().rposition(|&byte| byte == b')').map_or(&[][..], |end| &stat[end + 1..]);
    let text = String::from_utf8_lossy(after);
    let mut fields = text.split_ascii_whitespace();
    Some((fields.next()?.chars().next()?, fields.next()?.parse().ok()?))
}

/// All living descendants of this process.
pub fn descendants() -> Vec<i32> {
    let mut parents = Vec::new();
    for (pid, path) in processes() {
        if let Some((state, parent)) = state_and_parent(&path)
            && state != 'Z'
        {
            parents.push((pid, parent));
        }
    }
    let mut found = Vec::new();
    let mut waiting = vec![std::process::id() as i32];
    while let Some(parent) = waiting.pop() {
        for &(pid, _) in parents.iter().filter(|&&(_, of)| of == parent) {
            found.push(pid);
            waiting.push(pid);
        }
    }
    found
}

/// All living processes of the process namespace that this one is process 1 of.
pub fn others_in_namespace() -> Vec<i32> {
    let own = std::process::id() as i32;
    let lives = |path: &PathBuf| state_and_parent(path).is_some_and(|(state, _)| state != 'Z');
    processes().filter(|(pid, path)| *pid != own && lives(path)).map(|(pid, _)| pid).collect()
}

/// Ends all other processes of the process namespace that this one is process 1 of, at once: none can start another
/// meanwhile. Nothing happens where this is not process 1.
pub fn kill_namespace() {
    if std::process::id() == 1 {
        kill(-1);
    }
}
