//! Children that have ended, with their CPU time: `wait4`.
#![allow(unsafe_code, reason = "wait4 has no safe form in the libraries")]

use std::io;
use std::time::Duration;

/// A child that has ended and has been reaped.
pub struct Ended {
    /// The process id of the child.
    pub pid: i32,
    /// The status from `wait4`.
    pub status: i32,
    /// User and system time of the child and of all the children it waited for.
    pub cpu: Duration,
    /// The peak resident memory of the child, or of a child it waited for, in KiB. A forked process
    /// starts with the resident memory of its parent, so that is the least value.
    pub peak_kib: u64,
}

/// Reaps a child, or by the number -1 any. `None` if none has ended yet, with `WNOHANG`.
pub(crate) fn reap(pid: i32, options: i32) -> io::Result<Option<Ended>> {
    loop {
        let mut status = 0;
        // SAFETY: an all-zero rusage is a valid value of this plain C struct.
        let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
        // SAFETY: both pointers are to live locals of the types that wait4 writes.
        match unsafe { libc::wait4(pid, &raw mut status, options, &raw mut usage) } {
            0 => return Ok(None),
            -1 => {
                let error = io::Error::last_os_error();
                if error.kind() != io::ErrorKind::Interrupted {
                    return Err(error);
                }
            }
            pid => {
                let time = |time: libc::timeval| {
                    Duration::new(time.tv_sec.max(0) as u64, time.tv_usec.max(0) as u32 * 1_000)
                };
                let cpu = time(usage.ru_utime) + time(usage.ru_stime);
                let peak_kib = usage.ru_maxrss.max(0) as u64;
                return Ok(Some(Ended { pid, status, cpu, peak_kib }));
            }
        }
    }
}

/// The exit code of a `wait4` status; `None` if a signal ended the process.
pub fn exit_code(status: i32) -> Option<i32> {
    libc::WIFEXITED(status).then(|| libc::WEXITSTATUS(status))
}

/// The signal that ended a process, if one did.
pub(crate) fn ending_signal(status: i32) -> Option<i32> {
    libc::WIFSIGNALED(status).then(|| libc::WTERMSIG(status))
}
