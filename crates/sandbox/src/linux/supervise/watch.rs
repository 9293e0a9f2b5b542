//! Supervision of a process tree by the process that launched the program and adopts its orphans.

use super::questions::{self, Message};
use crate::job::{ExitReport, Job, KILL_TIME, TurnLimits, Used, duration, supply, within};
use crate::linux::accounting::cgroup::{self, GroupFiles};
use crate::linux::accounting::waiting::{FIRST_LOOK, Waits};
use crate::linux::accounting::{counter, usage};
use crate::linux::descriptors;
use crate::linux::isolation::launch::{self, Launched};
use crate::linux::isolation::refused_calls::RefusedCalls;
use crate::linux::process_tree::{self, Living};
use crate::reaped::{Ended, ending_signal, exit_code, reap};
use crate::streams::Stream;
use nix::poll::{PollFd, PollFlags, poll};
use nix::sys::signal::{SigSet, Signal};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::process::{ChildStderr, ChildStdout};
use std::time::{Duration, Instant};

const WATCH: Duration = Duration::from_millis(5);
const WATCH_LATEST: Duration = Duration::from_millis(100);
/// Measurements take one part in this many of the time.
const WATCH_SHARE: u32 = 20;

/// Runs the program of a job to its end. `judge` closes when the judge is gone.
pub(crate) fn supervise(job: &Job, mut judge: UnixStream, group: Option<GroupFiles>) -> ExitReport {
    let run = || {
        let children = watch_children().map_err(within("child processes cannot be watched"))?;
        let (procs, stat) = group.map(|group| (group.procs, group.stat)).unzip();
        let run = SupervisedRun::new(job, launch::launch(job, procs)?, stat)
            .map_err(within("the output of the program cannot be read"))?;
        Ok(run.watch(&children, &mut judge))
    };
    run().unwrap_or_else(ExitReport::not_started)
}

fn watch_children() -> io::Result<SignalFd> {
    let mut ended = SigSet::empty();
    ended.add(Signal::SIGCHLD);
    ended.thread_block()?;
    Ok(SignalFd::with_flags(&ended, SfdFlags::SFD_NONBLOCK | SfdFlags::SFD_CLOEXEC)?)
}

struct SupervisedRun<'a> {
    job: &'a Job,
    player: i32,
    counter: Option<OwnedFd>,
    stat: Option<File>,
    refused: RefusedCalls,
    stdout: Stream<ChildStdout>,
    stderr: Stream<ChildStderr>,
    start: Instant,
    turn: TurnWatch,
    waiting: Waits,
    reaped: Duration,
    measured: Duration,
    report: ExitReport,
}

/// The limits of a turn, and what the box had used before it.
struct TurnWatch {
    limits: TurnLimits,
    begin: Instant,
    waited: Duration,
    cpu: Duration,
    /// When to look at the CPU time next, if it has a limit.
    look: Option<Instant>,
}

impl TurnWatch {
    fn new(limits: TurnLimits, begin: Instant, Used { cpu, waited }: Used) -> TurnWatch {
        let left = duration(limits.cpu).saturating_sub(cpu);
        let look = limits.cpu.is_finite().then(|| begin + until_used_up(left));
        TurnWatch { limits, begin, waited, cpu, look }
    }

    /// When the turn ends for a box that was kept waiting for this long since its start.
    fn deadline(&self, waited: Duration) -> Instant {
        self.begin + duration(self.limits.wall) + waited.saturating_sub(self.waited)
    }
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
            turn: TurnWatch::new(job.first_turn(), start, Used::default()),
            waiting: Waits::since(start),
            reaped: Duration::ZERO,
            measured: Duration::ZERO,
            report: ExitReport::default(),
        })
    }

    fn watch(mut self, children: &SignalFd, judge: &mut UnixStream) -> ExitReport {
        if let Err(fault) = self.wait_for_end(children, judge) {
            self.report.machine_fault = Some(fault);
        }
        if self.report.wall == 0.0 {
            self.report.wall = self.start.elapsed().as_secs_f64();
        }
        self.end_all(children);
        self.finish()
    }

    /// Waits until the program ends, exceeds a limit or runs out of time, or the judge is gone. The
    /// error is a fault of the machine.
    fn wait_for_end(&mut self, children: &SignalFd, judge: &mut UnixStream) -> Result<(), String> {
        let mut usage = usage::UsageWatch::new(self.job);
        let mut look = self.job.layers.any().then_some(self.start + WATCH);
        loop {
            let latest = self.turn.begin + self.turn.limits.longest();
            let deadline = latest.min(self.turn.deadline(self.waiting.waited()));
            let looks = [Some(deadline), Some(self.waiting.next), look, self.turn.look];
            let until = looks.into_iter().flatten().min().unwrap_or(deadline);
            let asked = self.wait(children, Some(judge.as_fd()), until);
            if self.collect() {
                return Ok(());
            }
            if asked {
                let Some(message) = questions::read(judge) else { return Ok(()) };
                let used = self.used(message.limits())?;
                let mut text = String::new();
                if message == Message::End {
                    // What a program wrote before its answer is in the pipe, which holds one piece.
                    self.stderr.take_in();
                    text = self.stderr.taken();
                }
                questions::answer(judge, used, &text);
                continue;
            }
            let now = Instant::now();
            if now >= deadline || now >= self.waiting.next {
                self.look_at_waiting()?;
            }
            if now >= latest {
                return Err(self.too_slow());
            }
            if now >= self.turn.deadline(self.waiting.waited()) {
                self.report.timed_out = true;
                return Ok(());
            }
            if self.turn.look.is_some_and(|look| now >= look) {
                self.measured = self.used_cpu()?.max(self.measured);
                let left = duration(self.turn.limits.cpu).saturating_sub(self.measured);
                if left.is_zero() {
                    return Ok(());
                }
                self.turn.look = Some(now + until_used_up(left));
            }
            if look.is_some_and(|look| now >= look) {
                let excess = usage.excess(self.refused.shared());
                let excess = excess.map_err(within("the resource usage of the box cannot be read"));
                if let Some(excess) = excess? {
                    self.report.excess = Some(excess);
                    return Ok(());
                }
                look = Some(now + (now.elapsed() * WATCH_SHARE).clamp(WATCH, WATCH_LATEST));
            }
        }
    }

    /// What the box has used, in the turn that the given limits end.
    fn used(&mut self, limits: Option<TurnLimits>) -> Result<Used, String> {
        let (now, begun) = (Instant::now(), self.turn.begin);
        let cpu = if limits.is_none_or(|limits| limits.wall.is_finite()) || now > begun + FIRST_LOOK
        {
            self.look_at_waiting()?
        } else {
            self.used_cpu()?
        };
        let used = Used { cpu, waited: self.waited() };
        if let Some(limits) = limits {
            let before = Used { cpu, waited: self.waiting.waited() };
            self.turn = TurnWatch::new(limits, now, before);
        }
        Ok(used)
    }

    fn look_at_waiting(&mut self) -> Result<Duration, String> {
        let used = self.used_cpu()?;
        self.waiting.look(self.live().iter().map(|process| process.pid), used);
        Ok(used)
    }

    /// The waiting in this turn.
    fn waited(&self) -> Duration {
        self.waiting.waited().saturating_sub(self.turn.waited)
    }

    fn too_slow(&self) -> String {
        let used = self.used_cpu().unwrap_or_default().saturating_sub(self.turn.cpu);
        let (waited, wall) = (self.waited().as_secs_f64(), self.turn.begin.elapsed().as_secs_f64());
        let percent = 100.0 * supply(used.as_secs_f64(), waited);
        format!(
            "the machine gave the program {percent:.0} % of a processor: it was kept waiting for {waited:.1} of {wall:.1} s"
        )
    }

    fn used_cpu(&self) -> Result<Duration, String> {
        let unread = "the CPU time of the box cannot be read";
        if let Some(stat) = &self.stat {
            return cgroup::cpu(stat).map_err(within(unread));
        }
        let seen = self.reaped + self.live().iter().map(|process| process.cpu).sum::<Duration>();
        let Some(counter) = &self.counter else { return Ok(seen) };
        Ok(charged(counter::read(counter).map_err(within(unread))?, seen))
    }

    fn live(&self) -> Vec<Living> {
        process_tree::of_box(self.job.layers.namespaces)
    }

    /// Waits for an event or the given time, and reads output. Whether the judge sends a message or
    /// is gone.
    fn wait(&mut self, children: &SignalFd, judge: Option<BorrowedFd>, until: Instant) -> bool {
        let sources = [
            judge,
            Some(children.as_fd()),
            self.stdout.source().map(AsFd::as_fd),
            self.stderr.source().map(AsFd::as_fd),
            self.refused.source(),
        ];
        let sources = sources.into_iter().flatten();
        let mut polled: Vec<_> =
            sources.map(|source| PollFd::new(source, PollFlags::POLLIN)).collect();
        let _ = poll(&mut polled, descriptors::timeout(until));
        // The judge's socket is the first one.
        let asked = judge.is_some() && polled[0].any().unwrap_or(false);
        drop(polled);
        while let Ok(Some(_)) = children.read_signal() {}
        self.stdout.take_in();
        self.stderr.take_in();
        self.refused.answer();
        asked
    }

    fn collect(&mut self) -> bool {
        let mut ended = false;
        while let Ok(Some(child)) = reap(-1, libc::WNOHANG) {
            self.note(&child);
            if child.pid == self.player {
                ended = true;
                self.report.exit_code = exit_code(child.status);
                self.report.signal = ending_signal(child.status);
                self.report.wall = self.start.elapsed().as_secs_f64();
            }
        }
        ended
    }

    /// Adds up the CPU time of a reaped child, and compares its peak memory with the limit: it may
    /// have taken a lot between two measurements.
    fn note(&mut self, child: &Ended) {
        self.reaped += child.cpu;
        self.report.peak_memory = self.report.peak_memory.max(child.peak_kib << 10);
        let limit = self.job.limits.memory;
        if self.job.layers.any() && !self.job.layers.group && child.peak_kib << 10 > limit {
            self.report.excess.get_or_insert_with(|| usage::memory_excess(limit));
        }
    }

    fn end_all(&mut self, children: &SignalFd) {
        let until = Instant::now() + KILL_TIME;
        let mut rest = self.live();
        if self.report.exit_code.or(self.report.signal).is_some() {
            self.report.left_behind = rest.len();
        }
        loop {
            if self.job.layers.namespaces {
                process_tree::kill_namespace();
            } else {
                rest.iter().for_each(|process| process_tree::kill(process.pid));
            }
            loop {
                match reap(-1, libc::WNOHANG) {
                    Ok(Some(child)) => {
                        self.note(&child);
                        if child.pid == self.player {
                            self.report.signal = ending_signal(child.status);
                        }
                    }
                    // No child is left.
                    Err(_) => return,
                    Ok(None) => break,
                }
            }
            if Instant::now() > until {
                // A process survives SIGKILL. The figures of the report are incomplete.
                self.report.orphaned = true;
                return;
            }
            self.wait(children, None, Instant::now() + Duration::from_millis(1));
            rest = self.live();
        }
    }

    fn finish(mut self) -> ExitReport {
        // All writers have ended. The time limit is for a process that escaped.
        let until = Instant::now() + Duration::from_secs(1);
        while (self.stdout.take_in() || self.stderr.take_in()) && Instant::now() < until {}
        let mut cpu = self.reaped.max(self.measured);
        if let Some(counter) = &self.counter {
            match counter::read(counter) {
                Ok(counted) => cpu = charged(counted, cpu),
                Err(_) => self.report.orphaned = true,
            }
        }
        self.report.cpu = cpu.as_secs_f64();
        self.report.waited = self.waited().as_secs_f64();
        self.report.refused_calls = self.refused.names();
        self.report.stdout = self.stdout.text();
        self.report.stderr = self.stderr.text();
        self.report
    }
}

/// The time in which all processors together cannot use this much CPU time up.
fn until_used_up(left: Duration) -> Duration {
    let processors = std::thread::available_parallelism().map_or(1, |count| count.get() as u32);
    (left / processors).clamp(WATCH, WATCH_LATEST)
}

/// The CPU time to charge. The counter loses a program whose user may not read its executable;
/// `wait4` and `/proc` miss processes that nobody waits for, but see the time before exec.
fn charged(counted: Duration, waited: Duration) -> Duration {
    const BEFORE_EXEC: Duration = Duration::from_millis(5);
    if waited > counted + counted / 50 + BEFORE_EXEC { waited } else { counted }
}
