//! The time that a box was kept waiting for a processor. Linux counts, for each thread, the time that it ran and the time that
//! it was ready to run and did not (`/proc/PID/task/TID/schedstat`: nanoseconds on the processor, nanoseconds of run delay).
//!
//! A box was kept waiting for as long as some thread of it waited, but never for longer than the time in which a processor
//! did nothing for it: threads that wait for each other are the program's own affair.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

/// The time from the start of a program to the first look, which short turns do not pay for.
const FIRST: Duration = Duration::from_millis(100);
/// The time between two looks.
const PAUSE: Duration = Duration::from_millis(250);

/// The waiting of a box that this process supervises, looked at now and then.
pub(crate) struct WaitWatch {
    next: Instant,
    /// The CPU time of the box at the last look.
    cpu: Duration,
    waits: Waits,
}

impl WaitWatch {
    /// A watch over a program that has been started at this moment.
    pub(crate) fn new(start: Instant) -> WaitWatch {
        WaitWatch { next: start + FIRST, cpu: Duration::ZERO, waits: Waits::since(start) }
    }

    /// When to look next.
    pub(crate) fn next(&self) -> Instant {
        self.next
    }

    /// The time for which the box has been kept waiting, up to the last look.
    pub(crate) fn waited(&self) -> Duration {
        self.waits.waited()
    }

    /// Looks at the processes of the box, which have used this much CPU time by now.
    pub(crate) fn look(&mut self, processes: impl IntoIterator<Item = i32>, cpu: Duration) {
        let ran = cpu.saturating_sub(self.cpu).as_secs_f64();
        self.waits.look(processes, |_| ran);
        (self.next, self.cpu) = (self.waits.last + PAUSE, cpu.max(self.cpu));
    }
}

/// The waiting of a box that runs, seen by its judge, since a moment.
pub struct BoxWaits {
    supervisor: i32,
    /// Whether the first child of the supervisor is the init process of the box, which belongs to the judge.
    boxed: bool,
    waits: Waits,
}

impl BoxWaits {
    /// Begins to watch the box with this supervisor.
    pub(crate) fn begin(supervisor: u32, boxed: bool) -> BoxWaits {
        let mut begun = BoxWaits { supervisor: supervisor as i32, boxed, waits: Waits::since(Instant::now()) };
        let processes = begun.processes();
        let _ = begun.waits.delays.look(processes, 0.0);
        begun
    }

    /// The time for which the box was kept waiting for a processor since the beginning.
    pub fn waited(&mut self) -> Duration {
        let processes = self.processes();
        self.waits.look(processes, |ran| ran);
        self.waits.waited()
    }

    /// The processes of the program.
    fn processes(&self) -> Vec<i32> {
        let mut waiting = children(self.supervisor);
        if self.boxed {
            waiting = waiting.into_iter().flat_map(children).collect();
        }
        let mut found = Vec::new();
        while let Some(process) = waiting.pop() {
            found.push(process);
            waiting.extend(children(process));
        }
        found
    }
}

/// The children of all threads of a process.
fn children(process: i32) -> Vec<i32> {
    let tasks = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let lists = tasks.map(|task| fs::read_to_string(task.path().join("children")).unwrap_or_default());
    lists.flat_map(|list| list.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<_>>()).collect()
}

/// The sum of a box's waiting, from look to look.
struct Waits {
    last: Instant,
    delays: RunDelays,
    /// Seconds.
    sum: f64,
}

impl Waits {
    fn since(start: Instant) -> Waits {
        Waits { last: start, delays: RunDelays::default(), sum: 0.0 }
    }

    fn waited(&self) -> Duration {
        Duration::from_secs_f64(self.sum)
    }

    /// Adds the waiting since the last look. `ran` gives the seconds of CPU time that the box used meanwhile, from those of
    /// the threads that are to be seen.
    fn look(&mut self, processes: impl IntoIterator<Item = i32>, ran: impl FnOnce(f64) -> f64) {
        let now = Instant::now();
        let span = (now - self.last).as_secs_f64();
        let (delay, seen) = self.delays.look(processes, span);
        let idle = (span - ran(seen)).max(0.0);
        self.sum = (self.sum + delay.min(idle)).max(0.0);
        self.last = now;
    }
}

/// The run delays of threads, as they were at the last look.
#[derive(Default)]
struct RunDelays {
    threads: HashMap<i32, Thread>,
}

/// Figures of a thread, in seconds.
#[derive(Clone, Copy, Default)]
struct Thread {
    ran: f64,
    delay: f64,
    /// The run delay that a look has counted before the kernel has: it counts the delay of a thread once the thread runs.
    ahead: f64,
}

impl RunDelays {
    /// The seconds for which the threads of these processes waited for a processor since the last look, `span` seconds ago,
    /// and the seconds for which they ran. The first can be negative: then the look before has counted too much.
    fn look(&mut self, processes: impl IntoIterator<Item = i32>, span: f64) -> (f64, f64) {
        let mut now = HashMap::new();
        let (mut delays, mut runs) = (0.0, 0.0);
        for process in processes {
            let tasks = format!("/proc/{process}/task");
            for entry in fs::read_dir(tasks).into_iter().flatten().flatten() {
                let Some(id) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
                let Some(mut thread) = Thread::read(&entry.path()) else { continue };
                let known =
                    self.threads.get(&id).filter(|known| known.ran <= thread.ran && known.delay <= thread.delay);
                let before = known.copied().unwrap_or_default();
                runs += thread.ran - before.ran;
                let delay = thread.delay - before.delay;
                let stands_still = known.is_some() && thread.ran == before.ran && delay == 0.0;
                if stands_still && is_ready(&entry.path()) {
                    thread.ahead = before.ahead + span;
                    delays += span;
                } else {
                    delays += delay - before.ahead;
                }
                now.insert(id, thread);
            }
        }
        self.threads = now;
        (delays, runs)
    }
}

impl Thread {
    fn read(task: &Path) -> Option<Thread> {
        let text = fs::read_to_string(task.join("schedstat")).ok()?;
        let mut figures = text.split_whitespace().map(|figure| figure.parse::<u64>().ok());
        let mut seconds = || Some(figures.next()?? as f64 / 1e9);
        Some(Thread { ran: seconds()?, delay: seconds()?, ahead: 0.0 })
    }
}

/// Whether a thread is running or ready to run.
fn is_ready(task: &Path) -> bool {
    let stat = fs::read(task.join("stat")).unwrap_or_default();
    // The command's name is in parentheses and may contain anything.
    let state = stat.iter().rposition(|&byte| byte == b')').and_then(|end| stat.get(end + 2));
    state == Some(&b'R')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_that_sleeps_or_runs_alone_was_not_kept_waiting() {
        let own = std::process::id() as i32;
        let mut delays = RunDelays::default();
        delays.look([own], 0.0);
        std::thread::sleep(Duration::from_millis(50));
        let (delay, ran) = delays.look([own], 0.05);
        assert!(delay >= 0.0 && ran >= 0.0, "{delay} {ran}");
    }

    #[test]
    fn what_a_busy_box_did_not_wait_for_is_not_counted() {
        let mut watch = WaitWatch::new(Instant::now() - Duration::from_secs(10));
        // The box used a whole processor for all of the time: its threads waited for each other.
        watch.look([std::process::id() as i32], Duration::from_secs(11));
        assert_eq!(watch.waited(), Duration::ZERO);
    }
}
