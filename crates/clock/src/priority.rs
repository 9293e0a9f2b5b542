//! Scheduling of threads: one that passes messages on must run as soon as it wakes; one that thinks
//! on the opponent's time should use idle processors only.
#![allow(unsafe_code, reason = "sched_setattr and setpriority have no safe form in the libraries")]

#[cfg(target_os = "linux")]
pub use linux::be_nice;
pub use system::{processors, stay_on};

#[cfg(not(target_os = "linux"))]
use elsewhere as system;
#[cfg(target_os = "linux")]
use linux as system;

/// Gives the calling thread, and threads and programs that it starts, a higher priority and a short
/// time slice: a thread that sleeps most of the time is otherwise woken milliseconds late beside
/// busy ones. The priority needs a privilege, the slice Linux 6.12; elsewhere this does nothing.
pub fn be_prompt() {
    #[cfg(target_os = "linux")]
    {
        /// The shortest time slice that Linux takes, in nanoseconds.
        const SHORT_SLICE: u64 = 100_000;
        let prompt = linux::change(|now| (now.sched_nice, now.sched_runtime) = (-10, SHORT_SLICE));
        if !prompt {
            linux::change(|now| now.sched_runtime = SHORT_SLICE);
        }
    }
}

/// The number of threads that should do the same urgent work, each on a processor of its own: a
/// busy processor wakes a thread late, and two are rarely busy at the same moment. 1 on systems
/// where a thread cannot choose its processor.
pub fn places() -> usize {
    processors().len().clamp(1, 2)
}

/// Calls [`be_prompt`], and keeps the calling thread on the processor of one of the [`places`],
/// counted from 0. Not for the program's first thread, which tells others the processors.
pub fn be_prompt_at(place: usize) {
    be_prompt();
    if places() > 1 {
        stay_on(&[processor_of(place)]);
    }
}

/// Keeps the calling thread, and those that it starts afterwards, off the first of the [`places`],
/// if there is another one. Linux shares a busy processor among sessions: where this one has just
/// thought, its threads that sleep are woken late.
pub fn leave_the_first_place() {
    if places() > 1 {
        let first = processor_of(0);
        stay_on(&processors().into_iter().filter(|&other| other != first).collect::<Vec<_>>());
    }
}

/// Processes use different ones where there are many.
fn processor_of(place: usize) -> usize {
    let processors = processors();
    let first = std::process::id() as usize;
    processors[(first + place * (processors.len() / places())) % processors.len()]
}

/// Gives the calling thread the lowest priority, on Linux. Undoing it needs a privilege.
pub fn be_modest() {
    #[cfg(target_os = "linux")]
    linux::change(|now| now.sched_nice = 19);
}

#[cfg(target_os = "linux")]
mod linux {
    use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
    use nix::unistd::Pid;
    use std::io;

    /// Gives the calling thread, and all that it starts afterwards, a lower priority, from 0 to 19
    /// (the lowest). Undoing it needs a privilege. Errors: the number is out of range.
    pub fn be_nice(nice: i32) -> io::Result<()> {
        // SAFETY: setpriority takes plain numbers and touches no memory of ours. On Linux, 0 means
        // the calling thread.
        match unsafe { libc::setpriority(libc::PRIO_PROCESS, 0, nice) } {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    }

    /// The numbers of the processors that this process may use: those of its main thread, since
    /// others may have been kept on some. Empty if the system does not say.
    pub fn processors() -> Vec<usize> {
        let Ok(set) = sched_getaffinity(Pid::this()) else { return Vec::new() };
        (0..CpuSet::count()).filter(|&index| set.is_set(index).unwrap_or(false)).collect()
    }

    /// Keeps the calling thread, and all that it starts afterwards, on these processors. Does
    /// nothing if the system refuses.
    pub fn stay_on(processors: &[usize]) {
        let mut set = CpuSet::new();
        if processors.iter().all(|&processor| set.set(processor).is_ok()) {
            let _ = sched_setaffinity(Pid::from_raw(0), &set);
        }
    }

    /// Changes the calling thread's scheduling, and returns whether the system allowed it.
    pub(super) fn change(how: impl FnOnce(&mut libc::sched_attr)) -> bool {
        // SAFETY: an all-zero sched_attr is a valid value of this plain C struct.
        let mut attributes: libc::sched_attr = unsafe { std::mem::zeroed() };
        let size = size_of::<libc::sched_attr>();
        // SAFETY: the kernel writes at most `size` bytes to the live local; 0 is the calling
        // thread.
        let known =
            unsafe { libc::syscall(libc::SYS_sched_getattr, 0, &raw mut attributes, size, 0) };
        if known != 0 || attributes.sched_policy != libc::SCHED_OTHER as u32 {
            return false;
        }
        how(&mut attributes);
        // SAFETY: the kernel reads the live local, which contains its own size. A refusal changes
        // nothing.
        unsafe { libc::syscall(libc::SYS_sched_setattr, 0, &raw const attributes, 0) == 0 }
    }
}

/// Other systems say and do nothing.
#[cfg(not(target_os = "linux"))]
mod elsewhere {
    /// The numbers of the processors that this process may use: none is known.
    pub fn processors() -> Vec<usize> {
        Vec::new()
    }

    /// Does nothing.
    pub fn stay_on(_: &[usize]) {}
}
