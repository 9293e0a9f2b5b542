//! Scheduling of threads: a thread that passes messages on must run as soon as it wakes; a thread
//! that thinks on the opponent's time should use idle processors only.
#![allow(unsafe_code, reason = "sched_setattr and setpriority have no safe form in the libraries")]

/// Gives the calling thread a higher priority and a short time slice. It is meant for a thread that
/// sleeps most of the time: on a machine with more busy threads than processors, such a thread is
/// otherwise woken milliseconds late. Threads and programs that it starts inherit the setting. The
/// higher priority needs a privilege; the short time slice needs Linux 6.12. Without both, and on
/// other systems, this does nothing.
pub fn be_prompt() {
    #[cfg(target_os = "linux")]
    {
        let ask = |nice| {
            move |now: &mut libc::sched_attr| {
                (now.sched_nice, now.sched_runtime) = (nice, SHORT_SLICE)
            }
        };
        if !linux::change(ask(PROMPT)) {
            linux::change(|now| now.sched_runtime = SHORT_SLICE);
        }
    }
}

/// The number of threads that should do the same urgent work, each on a processor of its own (see
/// [`be_prompt_at`]): a thread that sleeps on a busy processor is woken late, and two processors
/// are rarely busy at the same moment. 1 on systems where a thread cannot choose its processor.
pub fn places() -> usize {
    #[cfg(target_os = "linux")]
    let count = linux::processors().len().clamp(1, 2);
    #[cfg(not(target_os = "linux"))]
    let count = 1;
    count
}

/// Calls [`be_prompt`], and keeps the calling thread on the processor of one of the [`places`],
/// counted from 0. Not for the program's first thread: other threads find out by it which
/// processors there are.
pub fn be_prompt_at(place: usize) {
    be_prompt();
    #[cfg(target_os = "linux")]
    if places() > 1 {
        linux::stay_on(&[linux::processor_of(place)]);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = place;
}

/// Keeps the calling thread, and the threads that it starts afterwards, off the processor of the
/// first of the [`places`], if there is another one. Linux shares a busy processor among sessions
/// of processes: where this session has just thought, its threads that sleep are woken late.
pub fn leave_the_first_place() {
    #[cfg(target_os = "linux")]
    if places() > 1 {
        let first = linux::processor_of(0);
        linux::stay_on(
            &linux::processors().into_iter().filter(|&other| other != first).collect::<Vec<_>>(),
        );
    }
}

/// Gives the calling thread the lowest priority, so that it runs mainly on idle processors. This
/// needs no privilege; undoing it does. On systems other than Linux, where threads have no priority
/// of their own, this does nothing.
pub fn be_modest() {
    #[cfg(target_os = "linux")]
    linux::change(|now| now.sched_nice = MODEST);
}

/// Gives the calling thread, and all threads and programs that it starts afterwards, a lower
/// priority, from 0 to 19 (the lowest). Undoing it needs a privilege. Errors: the number is out of
/// range.
#[cfg(target_os = "linux")]
pub fn be_nice(nice: i32) -> std::io::Result<()> {
    // SAFETY: setpriority takes plain numbers and touches no memory of ours. On Linux, 0 means the
    // calling thread.
    match unsafe { libc::setpriority(libc::PRIO_PROCESS, 0, nice) } {
        0 => Ok(()),
        _ => Err(std::io::Error::last_os_error()),
    }
}

/// The numbers of the processors that this process may use: those of its main thread. Empty if the
/// system does not say.
pub fn processors() -> Vec<usize> {
    #[cfg(target_os = "linux")]
    let numbers = linux::processors();
    #[cfg(not(target_os = "linux"))]
    let numbers = Vec::new();
    numbers
}

/// Keeps the calling thread, and all threads and programs that it starts afterwards, on these
/// processors. Does nothing if the system refuses.
pub fn stay_on(processors: &[usize]) {
    #[cfg(target_os = "linux")]
    linux::stay_on(processors);
    #[cfg(not(target_os = "linux"))]
    let _ = processors;
}

/// The shortest time slice that Linux takes, in nanoseconds.
#[cfg(target_os = "linux")]
const SHORT_SLICE: u64 = 100_000;
/// The nice values that [`be_prompt`] and [`be_modest`] set.
#[cfg(target_os = "linux")]
const PROMPT: i32 = -10;
#[cfg(target_os = "linux")]
const MODEST: i32 = 19;

#[cfg(target_os = "linux")]
mod linux {
    use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
    use nix::unistd::Pid;

    /// The calling thread, for system calls.
    const SELF: Pid = Pid::from_raw(0);

    /// The processors that the main thread may run on: other threads may have been kept on some of
    /// them.
    pub(super) fn processors() -> Vec<usize> {
        let Ok(set) = sched_getaffinity(Pid::this()) else { return Vec::new() };
        (0..CpuSet::count()).filter(|&index| set.is_set(index).unwrap_or(false)).collect()
    }

    /// The processor of one of several places. Processes use different ones where there are many.
    pub(super) fn processor_of(place: usize) -> usize {
        let processors = processors();
        let first = std::process::id() as usize;
        processors[(first + place * (processors.len() / super::places())) % processors.len()]
    }

    /// Keeps the calling thread on some processors. Does nothing if the system refuses.
    pub(super) fn stay_on(processors: &[usize]) {
        let mut set = CpuSet::new();
        if processors.iter().all(|&processor| set.set(processor).is_ok()) {
            let _ = sched_setaffinity(SELF, &set);
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
