//! Words to the scheduler: threads that only wake up to pass a line on want to run at once, not for long; threads that
//! think on the opponent's time take what nobody else wants.
#![allow(unsafe_code, reason = "sched_setattr and setpriority have no safe form in the libraries")]

/// Lets the calling thread, which hardly uses the processor, go before those that use it without pause: on a machine
/// with more busy threads than cores a sleeper is otherwise woken milliseconds late. Threads that this one starts inherit
/// it, and programs too. Linux 6.12 and later take the length of a time slice as a request; a better priority is for
/// those who may. Where neither is granted, and elsewhere, this does nothing.
pub fn be_prompt() {
    #[cfg(target_os = "linux")]
    {
        let ask = |nice| move |now: &mut libc::sched_attr| (now.sched_nice, now.sched_runtime) = (nice, SHORT_SLICE);
        if !linux::change(ask(PROMPT)) {
            linux::change(|now| now.sched_runtime = SHORT_SLICE);
        }
    }
}

/// The number of processors on which a thread that must not wait should have a stand-in: one that sleeps on a processor
/// which is just taken is woken late, two on different ones hardly ever. 1 where threads cannot choose.
#[must_use]
pub fn places() -> usize {
    #[cfg(target_os = "linux")]
    let count = linux::processors().len().clamp(1, 2);
    #[cfg(not(target_os = "linux"))]
    let count = 1;
    count
}

/// [`be_prompt`] on one of the [`places`], counted from 0: with more than one, each is a processor of its own.
pub fn be_prompt_at(place: usize) {
    be_prompt();
    #[cfg(target_os = "linux")]
    {
        let processors = linux::processors();
        if places() > 1 {
            // Not always the same ones, where there are many.
            let first = std::process::id() as usize;
            linux::stay_on(processors[(first + place * (processors.len() / places())) % processors.len()]);
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = place;
}

/// Gives the calling thread the lowest priority, so that it uses processors that are idle and takes nothing from other
/// programs. Nobody needs to be allowed this, and few may undo it. Only on Linux has a thread a priority of its own.
pub fn be_modest() {
    #[cfg(target_os = "linux")]
    linux::change(|now| now.sched_nice = MODEST);
}

#[cfg(target_os = "linux")]
/// Gives the calling thread, and all that it starts from now on, a lower priority: 0 to 19, 19 the lowest. There is no
/// way back without privileges.
pub fn be_nice(nice: i32) -> std::io::Result<()> {
    // SAFETY: setpriority takes plain numbers and touches no memory of ours. On Linux, 0 means the calling thread.
    match unsafe { libc::setpriority(libc::PRIO_PROCESS, 0, nice) } {
        0 => Ok(()),
        _ => Err(std::io::Error::last_os_error()),
    }
}

/// The number of processors that the calling thread may run on; 0 where that cannot be told.
#[must_use]
pub fn processors() -> usize {
    #[cfg(target_os = "linux")]
    let count = linux::processors().len();
    #[cfg(not(target_os = "linux"))]
    let count = 0;
    count
}

/// The numbers of the processors that the calling thread may run on.
#[cfg(target_os = "linux")]
pub(crate) fn own_processors() -> Vec<usize> {
    linux::processors()
}

/// Keeps the calling thread, and all that it starts from now on, on one of its [`processors`], counted from 0. Where that
/// is not granted this does nothing.
pub fn stay_on(place: usize) {
    #[cfg(target_os = "linux")]
    if let Some(&processor) = linux::processors().get(place) {
        linux::stay_on(processor);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = place;
}

/// The shortest time slice that Linux takes, in nanoseconds.
#[cfg(target_os = "linux")]
const SHORT_SLICE: u64 = 100_000;
/// Nice values.
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

    /// The processors that the calling thread may run on.
    pub(super) fn processors() -> Vec<usize> {
        let Ok(set) = sched_getaffinity(SELF) else { return Vec::new() };
        (0..CpuSet::count()).filter(|&index| set.is_set(index).unwrap_or(false)).collect()
    }

    /// Keeps the calling thread on one processor, if that is granted.
    pub(super) fn stay_on(processor: usize) {
        let mut set = CpuSet::new();
        if set.set(processor).is_ok() {
            let _ = sched_setaffinity(SELF, &set);
        }
    }

    /// Changes the calling thread's scheduling; whether that was granted.
    pub(super) fn change(how: impl FnOnce(&mut libc::sched_attr)) -> bool {
        // SAFETY: an all-zero sched_attr is a valid value of this plain C struct.
        let mut attributes: libc::sched_attr = unsafe { std::mem::zeroed() };
        let size = size_of::<libc::sched_attr>();
        // SAFETY: the kernel writes at most `size` bytes to the live local; 0 is the calling thread.
        let known = unsafe { libc::syscall(libc::SYS_sched_getattr, 0, &raw mut attributes, size, 0) };
        if known != 0 || attributes.sched_policy != libc::SCHED_OTHER as u32 {
            return false;
        }
        how(&mut attributes);
        // SAFETY: the kernel reads the live local, whose size stands in it. A refusal changes nothing.
        unsafe { libc::syscall(libc::SYS_sched_setattr, 0, &raw const attributes, 0) == 0 }
    }
}
