//! A word to the scheduler: threads that only wake up to pass a line on want to run at once, not for long.
#![allow(unsafe_code)]

use std::time::Duration;

/// The shortest time slice that Linux takes.
const SHORT: Duration = Duration::from_micros(100);

/// Lets the calling thread, which hardly uses the processor, go before those that use it without pause: on a machine
/// with more busy threads than cores a sleeper is otherwise woken tens of milliseconds late. Linux 6.12 and later take
/// the length of a time slice as a request; elsewhere this does nothing. Threads that this one starts inherit it.
pub fn be_prompt() {
    ask_for_slice(SHORT);
}

/// Undoes [`be_prompt`] for the calling thread, which is going to calculate.
pub fn be_patient() {
    ask_for_slice(Duration::ZERO);
}

#[cfg(target_os = "linux")]
fn ask_for_slice(slice: Duration) {
    // SAFETY: an all-zero sched_attr is a valid value of this plain C struct.
    let mut attributes: libc::sched_attr = unsafe { std::mem::zeroed() };
    let size = size_of::<libc::sched_attr>();
    // SAFETY: the kernel writes at most `size` bytes to the live local; 0 is the calling thread.
    let known = unsafe { libc::syscall(libc::SYS_sched_getattr, 0, &raw mut attributes, size, 0) };
    if known != 0 || attributes.sched_policy != libc::SCHED_OTHER as u32 {
        return;
    }
    attributes.sched_runtime = slice.as_nanos() as u64;
    // SAFETY: the kernel reads the live local, whose size stands in it. A refusal changes nothing.
    unsafe { libc::syscall(libc::SYS_sched_setattr, 0, &raw const attributes, 0) };
}

#[cfg(not(target_os = "linux"))]
fn ask_for_slice(_: Duration) {}
