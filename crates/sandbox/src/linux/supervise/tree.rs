//! Supervision of a process tree: the process that launched the program and adopts its orphans
//! kills the program with all its descendants at the end, adds up their CPU time, and keeps their
//! output.

use crate::job::{ExitReport, Job, supply};
use crate::linux::cgroup::{self, GroupFiles};
use crate::linux::launch::{self, Launched};
use crate::linux::process_tree::{self, Ended, Living, Waited};
use crate::linux::refused_calls::RefusedCalls;
use crate::linux::waiting::WaitWatch;
use crate::linux::{counter, usage};
use crate::streams::Stream;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{SigSet, Signal};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::process::{ChildStderr, ChildStdout};
use std::time::{Duration, Instant};

/// How long to try to kill a process tree before giving up.
const PATIENCE: Duration = Duration::from_secs(5);
/// The shortest time between two measurements of the box's usage.
const WATCH: Duration = Duration::from_millis(5);
/// The longest time between two measurements, however long one takes.
const WATCH_LATEST: Duration = Duration::from_millis(100);
/// The share of time that measurements may take: one part in this many.
const WATCH_SHARE: u32 = 20;

/// Runs the program of a job to its end. `judge` is a descriptor that closes when the judge is
/// gone. `group` has the files of the control group for the program.
pub(crate) fn supervise(
    job: &Job,
    judge: Option<BorrowedFd>,
    group: Option<GroupFiles>,
) -> ExitReport {
    let children = match watch_children() {
        Ok(children) => children,
        Err(error) => {
            return ExitReport::not_started(format!("child processes cannot be watched: {error}"));
        }
    };
    let (procs, stat) = group.map(|group| (group.procs, group.stat)).unzip();
    match launch::launch(job, procs) {
        Ok(launched) => match SupervisedRun::new(job, launched, stat) {
            Ok(run) => run.watch(&children, judge),
            Err(error) => ExitReport::not_started(format!(
                "the output of the program cannot be read: {error}"
            )),
        },
        Err(reason) => ExitReport::not_started(reason),
    }
}

fn watch_children() -> io::Result<SignalFd> {
    let mut ended = SigSet::empty();
    ended.add(Signal::SIGCHLD);
    ended.thread_block()?;
    Ok(SignalFd::with_flags(&ended, SfdFlags::SFD_NONBLOCK | SfdFlags::SFD_CLOEXEC)?)
}

/// A program under supervision.
struct SupervisedRun<'a> {
    job: &'a Job,
    player: i32,
    counter: Option<OwnedFd>,
    /// `cpu.stat` of the program's control group.
    stat: Option<File>,
    refused: RefusedCalls,
    stdout: Stream<ChildStdout>,
    stderr: Stream<ChildStderr>,
    start: Instant,
    waiting: WaitWatch,
    /// The CPU time that `wait4` has returned so far.
    reaped: Duration,
    /// The most CPU time that was measured while the program ran.
    measured: Duration,
    report: ExitReport,
}

fn do_not_wait(stream: &impl AsFd) -> io::Result<()> {
    use nix::fcntl::{FcntlArg, OFlag, fcntl};
    fcntl(stream, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
    Ok(())
}

impl<'a> SupervisedRun<'a> {
    fn new(job: &'a Job, launched: Launched, stat: Option<File>) -> io::Result<SupervisedRun<'a>> {
        let Launched { mut child, counter, listener, start } = launched;
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        stdout.as_ref().map_or(Ok(()), do_not_wait)?;
        stderr.as_ref().map_or(Ok(()), do_not_wait)?;
        Ok(SupervisedRun {
            job,
            player: child.id() as i32,
            counter,
            stat,
            refused: RefusedCalls::new(listener, job),
            stdout: Stream::new(stdout, job.keep),
            stderr: Stream::new(stderr, job.keep),
            start,
            waiting: WaitWatch::new(start),
            reaped: Duration::ZERO,
            measured: Duration::ZERO,
            report: ExitReport::default(),
        })
    }

    /// Waits until the program ends, exceeds a limit or runs out of time, then kills what is left.
    fn watch(mut self, children: &SignalFd, judge: Option<BorrowedFd>) -> ExitReport {
        let wall = Duration::from_secs_f64(self.job.wall.clamp(0.0, 1e9));
        let latest = self.start + self.job.longest();
        let mut usage = usage::UsageWatch::new(self.job);
        let mut look = self.start + WATCH;
        let mut cpu_look =
            self.job.cpu.map(|limit| self.start + until_used_up(Duration::from_secs_f64(limit)));
        loop {
            let deadline = latest.min(self.start + wall + self.waiting.waited());
            let until = deadline.min(self.waiting.next());
            let until = if usage.is_needed() { until.min(look) } else { until };
            let gone = self.wait(children, judge, cpu_look.map_or(until, |look| until.min(look)));
            if self.collect() {
                break;
            }
            let now = Instant::now();
            if now >= deadline || now >= self.waiting.next() {
                match self.used_cpu() {
                    Ok(used) => {
                        self.waiting.look(self.live().iter().map(|process| process.pid), used)
                    }
                    Err(error) => {
                        self.report.machine_fault = Some(unread_cpu(&error));
                        break;
                    }
                }
            }
            if gone {
                break;
            }
            if now >= latest {
                self.report.machine_fault = Some(self.too_slow());
                break;
            }
            if now >= self.start + wall + self.waiting.waited() {
                self.report.timed_out = true;
                break;
            }
            if let (Some(limit), true) = (self.job.cpu, cpu_look.is_some_and(|look| now >= look)) {
                let left = match self.used_cpu() {
                    Ok(used) => {
                        self.measured = used.max(self.measured);
                        Duration::from_secs_f64(limit).saturating_sub(used)
                    }
                    Err(error) => {
                        self.report.machine_fault = Some(unread_cpu(&error));
                        break;
                    }
                };
                if left.is_zero() {
                    break;
                }
                cpu_look = Some(now + until_used_up(left));
            }
            if usage.is_needed() && now >= look {
                match usage.excess(self.refused.shared()) {
                    Ok(None) => {}
                    Ok(excess) => {
                        self.report.excess = excess;
                        break;
                    }
                    Err(error) => {
                        self.report.machine_fault =
                            Some(format!("the resource usage of the box cannot be read: {error}"));
                        break;
                    }
                }
                look = now + (now.elapsed() * WATCH_SHARE).clamp(WATCH, WATCH_LATEST);
            }
        }
        if self.report.wall == 0.0 {
            self.report.wall = self.start.elapsed().as_secs_f64();
        }
        self.end_all(children);
        self.finish()
    }

    /// The fault of a machine that has not let the program end in many times its limit.
    fn too_slow(&self) -> String {
        let used = self.used_cpu().unwrap_or_default();
        let (waited, wall) =
            (self.waiting.waited().as_secs_f64(), self.start.elapsed().as_secs_f64());
        let percent = 100.0 * supply(used.as_secs_f64(), waited);
        format!(
            "the machine gave the program {percent:.0} % of a processor: it was kept waiting for {waited:.1} of {wall:.1} s"
        )
    }

    /// The CPU time that the program and its descendants have used so far.
    fn used_cpu(&self) -> io::Result<Duration> {
        if let Some(stat) = &self.stat {
            return cgroup::cpu(stat);
        }
        let seen = self.reaped + self.live().iter().map(|process| process.cpu).sum::<Duration>();
        self.counter.as_ref().map_or(Ok(seen), |counter| Ok(charged(counter::read(counter)?, seen)))
    }

    /// The live descendants of this process.
    fn live(&self) -> Vec<Living> {
        if self.job.layers.namespaces {
            process_tree::others_in_namespace()
        } else {
            process_tree::descendants()
        }
    }

    /// Waits for an event or the given time, and reads output. Whether the judge is gone.
    fn wait(&mut self, children: &SignalFd, judge: Option<BorrowedFd>, until: Instant) -> bool {
        let left = until.saturating_duration_since(Instant::now());
        // Rounded up: after a poll that ended too early, the next one would follow at once.
        let timeout =
            PollTimeout::try_from(left.as_millis() as i32 + 1).unwrap_or(PollTimeout::MAX);
        let mut polled = vec![PollFd::new(children.as_fd(), PollFlags::POLLIN)];
        let gone_at = judge.map(|judge| {
            polled.push(PollFd::new(judge, PollFlags::POLLIN));
            polled.len() - 1
        });
        polled.extend(
            self.stdout.source().map(|stream| PollFd::new(stream.as_fd(), PollFlags::POLLIN)),
        );
        polled.extend(
            self.stderr.source().map(|stream| PollFd::new(stream.as_fd(), PollFlags::POLLIN)),
        );
        polled
            .extend(self.refused.source().map(|listener| PollFd::new(listener, PollFlags::POLLIN)));
        let _ = poll(&mut polled, timeout);
        let gone = gone_at.is_some_and(|at| polled[at].any().unwrap_or(false));
        drop(polled);
        while let Ok(Some(_)) = children.read_signal() {}
        self.stdout.take_in();
        self.stderr.take_in();
        self.refused.answer();
        gone
    }

    /// Reaps ended children. Whether the program is among them.
    fn collect(&mut self) -> bool {
        let mut ended = false;
        while let Waited::Child(child) = process_tree::wait_for_any(false) {
            self.note(&child);
            if child.pid == self.player {
                ended = true;
                self.report.exit_code = process_tree::exit_code(child.status);
                self.report.signal = process_tree::ending_signal(child.status);
                self.report.wall = self.start.elapsed().as_secs_f64();
            }
        }
        ended
    }

    /// Adds up the CPU time of a reaped child, and compares its peak memory with the limit: between
    /// two measurements of a busy machine a process may take a lot and end.
    fn note(&mut self, child: &Ended) {
        self.reaped += child.cpu;
        self.report.peak_memory = self.report.peak_memory.max(child.peak_kib << 10);
        let limit = self.job.limits.memory;
        if self.job.layers.any() && !self.job.layers.group && child.peak_kib << 10 > limit {
            self.report.excess.get_or_insert_with(|| usage::memory_excess(limit));
        }
    }

    /// Kills and reaps all remaining processes.
    fn end_all(&mut self, children: &SignalFd) {
        let until = Instant::now() + PATIENCE;
        let mut first = true;
        loop {
            let rest = self.live();
            if first && self.report.exit_code.or(self.report.signal).is_some() {
                self.report.left_behind = rest.len();
            }
            first = false;
            if self.job.layers.namespaces {
                process_tree::kill_namespace();
            } else {
                rest.iter().for_each(|process| process_tree::kill(process.pid));
            }
            loop {
                match process_tree::wait_for_any(false) {
                    Waited::Child(child) => {
                        self.note(&child);
                        if child.pid == self.player {
                            self.report.signal = process_tree::ending_signal(child.status);
                        }
                    }
                    Waited::NoneLeft => return,
                    Waited::AllLive => break,
                }
            }
            if Instant::now() > until {
                // A process survives SIGKILL. The figures of the report are incomplete.
                self.report.orphaned = true;
                return;
            }
            self.wait(children, None, Instant::now() + Duration::from_millis(1));
        }
    }

    fn finish(mut self) -> ExitReport {
        // All writers have ended. The time limit is for a process that escaped.
        let until = Instant::now() + Duration::from_secs(1);
        while (self.stdout.take_in() || self.stderr.take_in()) && Instant::now() < until {}
        // `wait4` has not returned the time of processes that nobody waited for.
        let mut cpu = self.reaped.max(self.measured);
        if let Some(counter) = &self.counter {
            match counter::read(counter) {
                Ok(counted) => cpu = charged(counted, cpu),
                Err(_) => self.report.orphaned = true,
            }
        }
        self.report.refused_calls = self.refused.names();
        self.report.cpu = cpu.as_secs_f64();
        self.report.waited = self.waiting.waited().as_secs_f64();
        self.report.stdout = self.stdout.text();
        self.report.stderr = self.stderr.text();
        self.report
    }
}

fn unread_cpu(error: &io::Error) -> String {
    format!("the CPU time of the box cannot be read: {error}")
}

/// The time after which to measure CPU time again, if this much is left: all processors together
/// cannot use it up before. It is short on a machine whose number of processors is not known.
fn until_used_up(left: Duration) -> Duration {
    let processors = std::thread::available_parallelism().map_or(1, |count| count.get() as u32);
    (left / processors).clamp(WATCH, WATCH_LATEST)
}

/// The CPU time to charge, given the time of the counter and the sum of what `wait4` and `/proc`
/// returned. The counter loses a program whose user may not read its executable; `wait4` misses
/// processes that nobody waits for, but includes the time between fork and exec.
fn charged(counted: Duration, waited: Duration) -> Duration {
    const BEFORE_EXEC: Duration = Duration::from_millis(5);
    if waited > counted + counted / 50 + BEFORE_EXEC { waited } else { counted }
}
