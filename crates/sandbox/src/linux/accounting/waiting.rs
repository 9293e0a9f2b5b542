//! The time that a box was kept waiting for a processor. Linux counts, for each thread, the time
//! that it ran and the time that it was ready to run and did not (`/proc/PID/task/TID/schedstat`:
//! nanoseconds on the processor, nanoseconds of run delay).
//!
//! Threads of a box that wait for each other are the program's own affair: whatever the box ran
//! meanwhile may have been what a thread waited for. So the machine kept a box waiting for as long
//! as the thread that waited longest, less what the other threads of the box ran in that time, and
//! never for longer than the time in which the box did not run. A player can make neither of the
//! two: its threads all have one priority, which it cannot change (`syscalls`), and each moment in
//! which one of them waits for another is a moment in which the box runs.

use crate::linux::process_tree::Stat;
use std::collections::HashMap;
use std::fs::{self, DirEntry};
use std::path::Path;
use std::time::{Duration, Instant};

/// Short turns do not pay for a look.
pub(crate) const FIRST_LOOK: Duration = Duration::from_millis(100);
const PAUSE: Duration = Duration::from_millis(250);

/// The waiting of a box, from look to look.
pub(crate) struct Waits {
    last: Instant,
    /// When to look next.
    pub(crate) next: Instant,
    /// The CPU time of the box at the last look.
    cpu: Duration,
    threads: HashMap<i32, Thread>,
    /// Seconds.
    sum: f64,
}

impl Waits {
    pub(crate) fn since(start: Instant) -> Waits {
        let (next, threads) = (start + FIRST_LOOK, HashMap::new());
        Waits { last: start, next, cpu: Duration::ZERO, threads, sum: 0.0 }
    }

    pub(crate) fn waited(&self) -> Duration {
        Duration::from_secs_f64(self.sum)
    }

    /// Looks at the processes of the box, which has used this much CPU time by now.
    pub(crate) fn look(&mut self, processes: impl IntoIterator<Item = i32>, cpu: Duration) {
        let now = Instant::now();
        let span = (now - self.last).as_secs_f64();
        let ran = cpu.saturating_sub(self.cpu).as_secs_f64();
        let looked = look(&mut self.threads, processes, span);
        self.sum = (self.sum + looked.by_machine(span, ran)).max(0.0);
        (self.last, self.next, self.cpu) = (now, now + PAUSE, cpu.max(self.cpu));
    }
}

/// The entries of the threads of a process.
fn tasks(process: i32) -> impl Iterator<Item = DirEntry> {
    fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten()
}

#[derive(Default)]
struct Looked {
    ran: f64,
    /// How long each thread waited and ran. The first is negative where the look before has counted
    /// too much.
    threads: Vec<[f64; 2]>,
}

impl Looked {
    /// The time for which the machine kept a box waiting that ran for `ran`. It is negative where
    /// the look before has counted too much.
    fn by_machine(&self, span: f64, ran: f64) -> f64 {
        // The box may have run in threads that have ended since.
        let ran = ran.max(self.ran);
        let (mut most, mut least) = (0.0f64, 0.0f64);
        for &[delay, own] in &self.threads {
            most = most.max(delay - (ran - own));
            least = least.min(delay);
        }
        // One that gives back what was counted too early goes before one that did not wait.
        if most > 0.0 { most.min((span - ran).max(0.0)) } else { least }
    }
}

#[derive(Clone, Copy, Default)]
struct Thread {
    ran: f64,
    delay: f64,
    /// The run delay that a look has counted before the kernel has: it counts the delay of a thread
    /// once the thread runs.
    ahead: f64,
}

/// Looks at the threads of these processes, `span` seconds after the last look. `known` has them as
/// they were then, and are now.
fn look(
    known: &mut HashMap<i32, Thread>,
    processes: impl IntoIterator<Item = i32>,
    span: f64,
) -> Looked {
    let earlier = std::mem::take(known);
    let mut looked = Looked::default();
    for entry in processes.into_iter().flat_map(tasks) {
        let Some(id) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else {
            continue;
        };
        let Some(mut thread) = Thread::read(&entry.path()) else { continue };
        let before = earlier.get(&id);
        let before = before.filter(|old| old.ran <= thread.ran && old.delay <= thread.delay);
        let is_known = before.is_some();
        let before = before.copied().unwrap_or_default();
        let (ran, delay) = (thread.ran - before.ran, thread.delay - before.delay);
        let stands_still = is_known && ran == 0.0 && delay == 0.0;
        // Whether it is running or ready to run.
        if stands_still && Stat::read(&entry.path()).is_some_and(|stat| stat.state == 'R') {
            thread.ahead = before.ahead + span;
            looked.threads.push([span, ran]);
        } else {
            looked.threads.push([delay - before.ahead, ran]);
        }
        looked.ran += ran;
        known.insert(id, thread);
    }
    looked
}

impl Thread {
    fn read(task: &Path) -> Option<Thread> {
        let text = fs::read_to_string(task.join("schedstat")).ok()?;
        let mut figures = text.split_whitespace().map(|figure| figure.parse::<u64>().ok());
        let mut seconds = || Some(figures.next()?? as f64 / 1e9);
        Some(Thread { ran: seconds()?, delay: seconds()?, ahead: 0.0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_for_one_s_own_threads_is_not_the_machine_s() {
        // 235 threads wake together and wait for two that run for 2 ms, eight times a second.
        let mut threads = vec![[0.016, 0.0001]; 235];
        threads.extend([[0.001, 0.016]; 2]);
        let ran = threads.iter().map(|[_, ran]| ran).sum();
        assert_eq!(Looked { ran, threads }.by_machine(1.0, ran), 0.0);
        // A busy thread that got a third of a processor, beside one that sleeps.
        let one = Looked { ran: 0.3, threads: vec![[0.7, 0.3], [0.0, 0.0]] };
        assert!((one.by_machine(1.0, 0.3) - 0.7).abs() < 1e-9);
        // Four busy threads that got an eighth each.
        let four = Looked { ran: 0.5, threads: vec![[0.875, 0.125]; 4] };
        assert!((four.by_machine(1.0, 0.5) - 0.5).abs() < 1e-9);
        // Four that had two processors to themselves.
        let busy = Looked { ran: 2.0, threads: vec![[0.5, 0.5]; 4] };
        assert_eq!(busy.by_machine(1.0, 2.0), 0.0);
        // A look that counted 0.2 s before the kernel did.
        let back = Looked { ran: 0.0, threads: vec![[-0.2, 0.0]] };
        assert!((back.by_machine(0.25, 0.0) + 0.2).abs() < 1e-9);
    }

    #[test]
    fn what_a_busy_box_did_not_wait_for_is_not_counted() {
        let mut waits = Waits::since(Instant::now() - Duration::from_secs(10));
        // The box used a whole processor for all of the time: its threads waited for each other.
        waits.look([std::process::id() as i32], Duration::from_secs(11));
        assert_eq!(waits.waited(), Duration::ZERO);
    }
}
