//! Refused and counted system calls: the kernel notifies a listener of each call that the filter
//! does not allow. The listener notes the call and answers that it does not exist. It carries out
//! `flock` on the player's own files. Calls that hold memory of the kernel, which nothing else
//! limits without a control group, may go on until there were too many.
#![allow(unsafe_code, reason = "listeners of seccomp have no safe form in the libraries")]

use crate::job::Job;
use crate::linux::descriptors::owned;
use crate::linux::process_tree::{is_descendant, pidfd};
use crate::proc_fields::number;
use libc as c;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use seccompiler::sock_filter;
use std::collections::BTreeSet;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::path::PathBuf;

/// Installs a filter for the calling thread and everything it starts, and returns the descriptor on
/// which the kernel notifies us of refused calls. An error if the kernel grants none.
pub(super) fn enter(filter: &[sock_filter]) -> io::Result<OwnedFd> {
    let program =
        c::sock_fprog { len: filter.len() as u16, filter: filter.as_ptr().cast_mut().cast() };
    let flags = c::SECCOMP_FILTER_FLAG_NEW_LISTENER;
    // SAFETY: the kernel reads the live program, whose instructions have the layout of its own, and
    // copies it.
    owned(unsafe {
        c::syscall(c::SYS_seccomp, c::SECCOMP_SET_MODE_FILTER, flags, &raw const program)
    })
}

pub(crate) struct RefusedCalls {
    /// `None` after [`MOST_REFUSED`] calls: then the kernel answers `ENOSYS` by itself.
    listener: Option<OwnedFd>,
    refused: u32,
    names: BTreeSet<String>,
    /// Directories in which a player may lock files.
    own: Vec<PathBuf>,
    /// Whether signals may only go to the program's own processes: it has no process namespace.
    signals: bool,
    counts: Counts,
}

#[derive(Default)]
struct Counts {
    /// Bytes of memory shared without a file that may still be mapped.
    shared_left: u64,
    listened: bool,
    /// Bytes of such memory that have been mapped: whether a mapping still exists, and which of its
    /// pages the kernel holds, cannot be seen.
    shared: u64,
    mappings: u32,
    locks: u32,
    epoll_items: u32,
}

/// Commands of `fcntl` that make locks of parts of a file, of some 200 bytes each in the kernel.
pub(super) const FCNTL_LOCKS: &[c::c_int] =
    &[c::F_SETLK, c::F_SETLKW, c::F_OFD_SETLK, c::F_OFD_SETLKW];

/// Calls that signal the process in the first argument, or give a handle for that.
pub(super) const SIGNALS: &[i64] = &[
    c::SYS_kill,
    c::SYS_tkill,
    c::SYS_tgkill,
    c::SYS_rt_sigqueueinfo,
    c::SYS_rt_tgsigqueueinfo,
    c::SYS_pidfd_open,
];

/// The most counted calls of each kind: 4 MiB of the kernel's memory for locks or items of epoll.
const MOST_COUNTED: u32 = 1 << 14;

impl Counts {
    /// Whether a call may go on, or an error number; `None` if calls of this kind are not counted.
    fn count(&mut self, asked: &c::seccomp_notif) -> Option<Result<(), i32>> {
        let length = asked.data.args[1];
        let (count, errno) = match i64::from(asked.data.nr) {
            c::SYS_mmap if length > self.shared_left => return Some(Err(c::ENOMEM)),
            c::SYS_mmap => (&mut self.mappings, c::ENOMEM),
            c::SYS_epoll_ctl => (&mut self.epoll_items, c::ENOSPC),
            c::SYS_fcntl if FCNTL_LOCKS.contains(&(asked.data.args[1] as c::c_int)) => {
                (&mut self.locks, c::ENOLCK)
            }
            _ => return None,
        };
        *count += 1;
        if *count > MOST_COUNTED {
            return Some(Err(errno));
        }
        if i64::from(asked.data.nr) == c::SYS_mmap {
            self.shared_left -= length;
            self.shared += length;
        }
        Some(Ok(()))
    }
}

/// Then the listener is closed: refused calls cost CPU time that the player is not charged for.
const MOST_REFUSED: u32 = 1_000;
const AT_ONCE: u32 = 32;

impl RefusedCalls {
    pub(crate) fn new(listener: Option<OwnedFd>, job: &Job) -> RefusedCalls {
        let own = vec![
            job.directory.clone(),
            job.temporary.clone().unwrap_or_else(|| PathBuf::from("/tmp")),
        ];
        let counts = Counts {
            shared_left: job.limits.memory,
            listened: listener.is_some(),
            ..Counts::default()
        };
        let signals = !job.layers.namespaces;
        RefusedCalls { listener, refused: 0, names: BTreeSet::new(), own, signals, counts }
    }

    /// Bytes that the box has ever mapped to share them without a file; `None` where nothing is
    /// counted.
    pub(crate) fn shared(&self) -> Option<u64> {
        self.counts.listened.then_some(self.counts.shared)
    }

    pub(crate) fn source(&self) -> Option<BorrowedFd<'_>> {
        self.listener.as_ref().map(AsFd::as_fd)
    }

    pub(crate) fn answer(&mut self) {
        for _ in 0..AT_ONCE {
            let Some(listener) = &self.listener else { return };
            let mut polled = [PollFd::new(listener.as_fd(), PollFlags::POLLIN)];
            let events =
                poll(&mut polled, PollTimeout::ZERO).ok().and_then(|_| polled[0].revents());
            match events.unwrap_or(PollFlags::empty()) {
                events if events.contains(PollFlags::POLLIN) => {}
                events if events.is_empty() => return,
                _ => {
                    // No thread with the filter is left: the last one has begun to end. A poll
                    // returns at once from now on, while the process may still need the processor
                    // to release its memory.
                    self.listener = None;
                    return;
                }
            }
            // Receiving fails if the thread that made the call has ended.
            let Some(asked) = receive(listener) else { continue };
            let call = i64::from(asked.data.nr);
            if let Some(counted) = self.counts.count(&asked) {
                match counted {
                    Ok(()) => go_on(listener, &asked),
                    Err(errno) => send(listener, &asked, errno),
                }
                self.refused += u32::from(counted.is_err());
            } else if self.signals && SIGNALS.contains(&call) && is_for_own(&asked) {
                go_on(listener, &asked);
            } else if self.signals && SIGNALS.contains(&call) && is_for_nobody(&asked) {
                // Answered here: the next process of the judge may get this number.
                send(listener, &asked, c::ESRCH);
            } else {
                let locked = if call == c::SYS_flock { lock(&asked, &self.own) } else { None };
                send(listener, &asked, locked.unwrap_or_else(|| errno(call)));
                if locked.is_none() {
                    self.names.insert(name(call));
                    self.refused += 1;
                }
            }
            if self.refused >= MOST_REFUSED {
                self.listener = None;
            }
        }
    }

    pub(crate) fn names(self) -> Vec<String> {
        self.names.into_iter().collect()
    }
}

fn receive(listener: &OwnedFd) -> Option<c::seccomp_notif> {
    // SAFETY: an all-zero notification is a valid value of this plain C struct, and what the kernel
    // wants to be given.
    let mut asked: c::seccomp_notif = unsafe { std::mem::zeroed() };
    // SAFETY: the kernel writes the live local, of the type that this request asks for.
    let received =
        unsafe { c::ioctl(listener.as_raw_fd(), c::SECCOMP_IOCTL_NOTIF_RECV, &raw mut asked) };
    (received == 0).then_some(asked)
}

/// Answers with an error number, or 0.
fn send(listener: &OwnedFd, asked: &c::seccomp_notif, errno: i32) {
    answer(listener, c::seccomp_notif_resp { id: asked.id, val: 0, error: -errno, flags: 0 });
}

/// Lets the kernel carry out the call. The player can change meanwhile what the call's pointers
/// lead to, which a call that is only counted permits.
fn go_on(listener: &OwnedFd, asked: &c::seccomp_notif) {
    let flags = c::SECCOMP_USER_NOTIF_FLAG_CONTINUE as u32;
    answer(listener, c::seccomp_notif_resp { id: asked.id, val: 0, error: 0, flags });
}

fn answer(listener: &OwnedFd, answer: c::seccomp_notif_resp) {
    // SAFETY: the kernel reads the live local, of the type that this request asks for. A thread
    // that has ended meanwhile makes the call fail, which does no harm.
    unsafe { c::ioctl(listener.as_raw_fd(), c::SECCOMP_IOCTL_NOTIF_SEND, &raw const answer) };
}

/// Locks a file in one of the directories `own` for the thread that made the call, without
/// blocking: an error number, or 0. `None` if the file is elsewhere, or on another file system
/// mounted there. The lock belongs to the open file description, and this process has a duplicate
/// of its descriptor, so the player cannot swap the file in between.
fn lock(asked: &c::seccomp_notif, own: &[PathBuf]) -> Option<i32> {
    let [descriptor, operation, ..] = asked.data.args;
    let file = descriptor_of(asked.pid as i32, descriptor as i32)?;
    let path = std::fs::read_link(format!("/proc/self/fd/{}", file.as_raw_fd())).ok()?;
    let mount = mount_of(&file)?;
    let is_in = |own: &PathBuf| {
        path.starts_with(own)
            && std::fs::File::open(own).is_ok_and(|own| mount_of(&own.into()) == Some(mount))
    };
    if !own.iter().any(is_in) {
        return None;
    }
    // SAFETY: the call takes plain numbers, and the descriptor is open.
    let done = unsafe { c::flock(file.as_raw_fd(), operation as i32 | c::LOCK_NB) };
    Some(if done == 0 { 0 } else { nix::Error::last_raw() })
}

/// Whether a signal is for a process that the program has started, a thread or a group of one.
fn is_for_own(asked: &c::seccomp_notif) -> bool {
    let target = asked.data.args[0] as i32;
    // Its own process group, of the session that began with the program.
    if target == 0 {
        return true;
    }
    let Some(process) = target.checked_abs().and_then(process_of) else { return false };
    process_of(asked.pid as i32) == Some(process) || is_descendant(process)
}

fn is_for_nobody(asked: &c::seccomp_notif) -> bool {
    let target = asked.data.args[0] as i32;
    target > 0 && process_of(target).is_none()
}

fn process_of(thread: i32) -> Option<i32> {
    let status = std::fs::read_to_string(format!("/proc/{thread}/status")).ok()?;
    number(&status, "Tgid:")
}

/// The kernel's id of the mount through which a file was opened: `mnt_id` in proc_pid_fdinfo(5).
fn mount_of(file: &OwnedFd) -> Option<u64> {
    let info = std::fs::read_to_string(format!("/proc/self/fdinfo/{}", file.as_raw_fd())).ok()?;
    number(&info, "mnt_id:")
}

fn descriptor_of(thread: i32, descriptor: i32) -> Option<OwnedFd> {
    // pidfd_open wants the id of the process, not of the thread.
    let handle = pidfd(process_of(thread)?).ok()?;
    // SAFETY: the call takes plain numbers.
    owned(unsafe { c::syscall(c::SYS_pidfd_getfd, handle.as_raw_fd(), descriptor, 0) }).ok()
}

/// That of a kernel that has the call but not this use of it, or `ENOSYS`.
fn errno(call: i64) -> i32 {
    match call {
        c::SYS_ioctl => c::ENOTTY,
        c::SYS_prctl | c::SYS_fcntl => c::EINVAL,
        c::SYS_prlimit64 => c::EPERM,
        call if SIGNALS.contains(&call) => c::EPERM,
        c::SYS_preadv2 | c::SYS_pwritev2 => c::EOPNOTSUPP,
        _ => c::ENOSYS,
    }
}

fn name(call: i64) -> String {
    syscalls::Sysno::new(call as usize)
        .map_or_else(|| format!("number {call}"), |call| call.name().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_have_names() {
        assert_eq!(name(c::SYS_ptrace), "ptrace");
        assert_eq!(name(9_999), "number 9999");
    }

    #[test]
    fn a_listener_to_which_nobody_is_left_is_no_longer_polled() {
        let allow = sock_filter {
            code: (c::BPF_RET | c::BPF_K) as u16,
            jt: 0,
            jf: 0,
            k: c::SECCOMP_RET_ALLOW,
        };
        let (end, ended) = std::sync::mpsc::channel::<()>();
        let (found, listener) = std::sync::mpsc::channel();
        let thread = std::thread::spawn(move || {
            nix::sys::prctl::set_no_new_privs().unwrap();
            found.send(enter(&[allow])).unwrap();
            let _ = ended.recv();
        });
        let listener = listener.recv().unwrap().expect("the kernel grants a listener");
        let mut calls = RefusedCalls::new(Some(listener), &Job::default());
        calls.answer();
        assert!(calls.source().is_some(), "the thread may still call");
        drop(end);
        thread.join().unwrap();
        let mut polled = [PollFd::new(calls.source().unwrap(), PollFlags::POLLIN)];
        assert_eq!(poll(&mut polled, PollTimeout::NONE), Ok(1));
        calls.answer();
        assert!(calls.source().is_none(), "a poll of it would return at once, again and again");
    }
}
