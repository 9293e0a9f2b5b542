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

use crate::linux::process_tree::{Stat, cpu_of};
use nix::sys::socket::{MsgFlags, recv};
use std::collections::HashMap;
use std::fs::{self, DirEntry};
use std::io::{Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::{Duration, Instant};

/// Short turns do not pay for a look.
const FIRST: Duration = Duration::from_millis(100);
const PAUSE: Duration = Duration::from_millis(250);
/// The length of a supervisor's answer: a zero byte, and nanoseconds.
pub(crate) const ANSWER_LENGTH: usize = 9;
const ANSWER: Duration = Duration::from_millis(100);

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
        let (next, threads) = (start + FIRST, HashMap::new());
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

/// The waiting of a box that runs, seen by its judge, since a moment.
pub struct BoxWaits {
    supervisor: i32,
    /// Whether the first child of the supervisor is the init process of the box, which belongs to
    /// the judge.
    boxed: bool,
    socket: Option<UnixStream>,
    waits: Waits,
}

impl BoxWaits {
    /// Begins to watch. The supervisor is asked for the box's CPU time if a socket is given.
    pub(crate) fn begin(supervisor: u32, boxed: bool, socket: Option<UnixStream>) -> BoxWaits {
        let waits = Waits::since(Instant::now());
        let mut begun = BoxWaits { supervisor: supervisor as i32, boxed, socket, waits };
        let processes = begun.processes();
        begun.waits.cpu = begun.cpu(&processes);
        look(&mut begun.waits.threads, processes, 0.0);
        begun
    }

    /// The CPU time that the box has used since its start.
    pub fn used(&self) -> Duration {
        self.cpu(&self.processes())
    }

    /// The time for which the box was kept waiting for a processor since the beginning.
    pub fn waited(&mut self) -> Duration {
        let processes = self.processes();
        let cpu = self.cpu(&processes);
        self.waits.look(processes, cpu);
        self.waits.waited()
    }

    /// The CPU time of the box by its counter; without one that of these processes and of those
    /// that the judge's processes or one of them has waited for.
    fn cpu(&self, processes: &[i32]) -> Duration {
        if let Some(cpu) = self.socket.as_ref().and_then(cpu_of_box) {
            return cpu;
        }
        let init = if self.boxed { children(self.supervisor) } else { Vec::new() };
        [&[self.supervisor], &init[..], processes].concat().into_iter().map(cpu_of).sum()
    }

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

/// The CPU time of a box by a question to its supervisor, whose answer begins with a zero byte. A
/// report does not, and stays in the socket.
fn cpu_of_box(mut supervisor: &UnixStream) -> Option<Duration> {
    let mut answer = [0; ANSWER_LENGTH];
    supervisor.set_read_timeout(Some(ANSWER)).ok()?;
    // Answers that came too late for their questions.
    let look = MsgFlags::MSG_PEEK | MsgFlags::MSG_DONTWAIT;
    while recv(supervisor.as_raw_fd(), &mut answer, look) == Ok(ANSWER_LENGTH) && answer[0] == 0 {
        supervisor.read_exact(&mut answer).ok()?;
    }
    supervisor.write_all(b"?").ok()?;
    let first = recv(supervisor.as_raw_fd(), &mut answer[..1], MsgFlags::MSG_PEEK).ok()?;
    if first == 0 || answer[0] != 0 {
        return None;
    }
    supervisor.read_exact(&mut answer).ok()?;
    let nanoseconds = u64::from_le_bytes(answer[1..].try_into().ok()?);
    (nanoseconds != u64::MAX).then(|| Duration::from_nanos(nanoseconds))
}

fn children(process: i32) -> Vec<i32> {
    let list = |task: DirEntry| fs::read_to_string(task.path().join("children")).ok();
    let lists: Vec<String> = tasks(process).filter_map(list).collect();
    lists.iter().flat_map(|list| list.split_whitespace()).filter_map(|id| id.parse().ok()).collect()
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
    fn a_thread_that_sleeps_or_runs_alone_was_not_kept_waiting() {
        let own = std::process::id() as i32;
        let mut threads = HashMap::new();
        look(&mut threads, [own], 0.0);
        std::thread::sleep(Duration::from_millis(50));
        let looked = look(&mut threads, [own], 0.05);
        let waited = looked.by_machine(0.05, looked.ran);
        assert!((0.0..=0.05).contains(&waited), "{waited}");
    }

    #[test]
    fn a_report_that_comes_in_place_of_an_answer_is_left_whole() {
        let (judge, mut supervisor) = UnixStream::pair().unwrap();
        supervisor.write_all(&[0; ANSWER_LENGTH]).unwrap();
        supervisor.write_all(b"{\"exit_code\":1}").unwrap();
        assert_eq!(cpu_of_box(&judge), None);
        let mut report = [0; 15];
        (&judge).read_exact(&mut report).unwrap();
        assert_eq!(&report, b"{\"exit_code\":1}");
    }

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
