//! CPU time of a program and all its descendants, by a performance counter that every new thread
//! and process inherits (`perf_event_open(2)`: `PERF_COUNT_SW_TASK_CLOCK` with `inherit`).
#![allow(unsafe_code, reason = "perf_event_open has no safe form in the libraries")]

use crate::linux::descriptors::owned;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::time::Duration;

/// The first version of the kernel's `struct perf_event_attr`.
#[repr(C)]
#[derive(Default)]
struct Attributes {
    kind: u32,
    size: u32,
    config: u64,
    sample_period: u64,
    sample_type: u64,
    read_format: u64,
    flags: u64,
    wakeup_events: u32,
    breakpoint_kind: u32,
    config1: u64,
}

const SOFTWARE: u32 = 1;
const TASK_CLOCK: u64 = 1;
const DISABLED: u64 = 1 << 0;
const INHERIT: u64 = 1 << 1;
const EXCLUDE_KERNEL: u64 = 1 << 5;
const EXCLUDE_HYPERVISOR: u64 = 1 << 6;
const ENABLE_ON_EXEC: u64 = 1 << 12;
/// `PERF_FLAG_FD_CLOEXEC`.
const CLOSE_ON_EXEC: u64 = 1 << 3;

/// Opens a counter of the programs that the calling thread starts, and of all their descendants,
/// each from its exec on. Only its owner, the calling thread, can stop it by `prctl`
/// (`PR_TASK_PERF_EVENTS_DISABLE`). `EXCLUDE_KERNEL` applies to sampled events; the task clock
/// includes time in the kernel.
pub(crate) fn open() -> io::Result<OwnedFd> {
    let attributes = Attributes {
        kind: SOFTWARE,
        size: size_of::<Attributes>() as u32,
        config: TASK_CLOCK,
        flags: DISABLED | INHERIT | EXCLUDE_KERNEL | EXCLUDE_HYPERVISOR | ENABLE_ON_EXEC,
        ..Attributes::default()
    };
    // SAFETY: the kernel reads a live local whose size stands in it; the other arguments are plain
    // numbers.
    owned(unsafe {
        libc::syscall(libc::SYS_perf_event_open, &raw const attributes, 0, -1, -1, CLOSE_ON_EXEC)
    })
}

pub(crate) fn read(counter: &OwnedFd) -> io::Result<Duration> {
    let mut count = 0u64;
    let size = size_of::<u64>();
    // SAFETY: the kernel writes at most `size` bytes to the live local.
    let read = unsafe { libc::read(counter.as_raw_fd(), (&raw mut count).cast(), size) };
    match read {
        -1 => Err(io::Error::last_os_error()),
        read if read as usize == size => Ok(Duration::from_nanos(count)),
        _ => Err(io::Error::other("short read from a counter of CPU time")),
    }
}
