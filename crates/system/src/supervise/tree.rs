//! The run of a program with all that it starts, watched by the process that adopts whatever the program leaves behind: it
//! ends the program with all its descendants, adds up their CPU time, and keeps what was written.

use super::job::{ExitReport, Job};
use super::streams::Stream;
use crate::process_tree::{self, Waited};
use crate::sandbox::entry::{self, Entered};
use crate::sandbox::{counter, usage};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{SigSet, Signal};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::process::{ChildStderr, ChildStdout};
use std::time::{Duration, Instant};

/// How long to try to end a tree before giving up on it.
const PATIENCE: Duration = Duration::from_secs(5);
/// How often to look what a box takes.
const WATCH: Duration = Duration::from_millis(5);
/// How long a box is left alone at most, however long a look took.
const WATCH_LATEST: Duration = Duration::from_millis(100);
/// The part of the time that may be spent on looking: one in so many.
const WATCH_SHARE: u32 = 20;

/// Runs a job's program to its end. `judge` is a descriptor that closes when the judge is gone. `group` is the file of
/// the control group that the program enters.
pub(crate) fn supervise(job: &Job, judge: Option<BorrowedFd>, group: Option<OwnedFd>) -> ExitReport {
    let refused = |reason: String| ExitReport { not_started: Some(reason), ..ExitReport::default() };
    let children = match watch_children() {
        Ok(children) => children,
        Err(error) => return refused(format!("children cannot be watched: {error}")),
    };
    match entry::start(job, group) {
        Ok(entered) => match Run::new(job, entered) {
            Ok(run) => run.watch(&children, judge),
            Err(error) => refused(format!("what the program writes cannot be read: {error}")),
        },
        Err(reason) => refused(reason),
    }
}

fn watch_children() -> io::Result<SignalFd> {
    let mut ended = SigSet::empty();
    ended.add(Signal::SIGCHLD);
    ended.thread_block()?;
    Ok(SignalFd::with_flags(&ended, SfdFlags::SFD_NONBLOCK | SfdFlags::SFD_CLOEXEC)?)
}

/// A program that runs.
struct Run<'a> {
    job: &'a Job,
    player: i32,
    counter: Option<OwnedFd>,
    stdout: Stream<ChildStdout>,
    stderr: Stream<ChildStderr>,
    start: Instant,
    /// What `wait4` has said so far.
    waited: Duration,
    report: ExitReport,
}

fn do_not_wait(stream: &impl AsFd) -> io::Result<()> {
    use nix::fcntl::{FcntlArg, OFlag, fcntl};
    fcntl(stream, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
    Ok(())
}

impl<'a> Run<'a> {
    fn new(job: &'a Job, entered: Entered) -> io::Result<Run<'a>> {
        let Entered { mut child, counter, start } = entered;
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        stdout.as_ref().map_or(Ok(()), do_not_wait)?;
        stderr.as_ref().map_or(Ok(()), do_not_wait)?;
        Ok(Run {
            job,
            player: child.id() as i32,
            counter,
            stdout: Stream::new(stdout, job.keep),
            stderr: Stream::new(stderr, job.keep),
            start,
            waited: Duration::ZERO,
            report: ExitReport::default(),
        })
    }

    /// Waits for the end of the program, its time or its excess, and ends all that is left.
    fn watch(mut self, children: &SignalFd, judge: Option<BorrowedFd>) -> ExitReport {
        let deadline = self.start + Duration::from_secs_f64(self.job.wall.clamp(0.0, 1e9));
        let mut usage = usage::Watch::new(self.job);
        let mut look = self.start + WATCH;
        loop {
            let until = if usage.is_needed() { deadline.min(look) } else { deadline };
            let gone = self.wait(children, judge, until);
            if self.collect() {
                break;
            }
            let now = Instant::now();
            if gone || now >= deadline {
                self.report.timed_out = !gone;
                break;
            }
            if usage.is_needed() && now >= look {
                if let Some(excess) = usage.excess() {
                    self.report.excess = Some(excess);
                    break;
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

    /// Waits until something happens or the time has come, and takes in what was written. Whether the judge is gone.
    fn wait(&mut self, children: &SignalFd, judge: Option<BorrowedFd>, until: Instant) -> bool {
        let left = until.saturating_duration_since(Instant::now());
        // Rounded up: a poll that ends too early would be made again at once.
        let timeout = PollTimeout::try_from(left.as_millis() as i32 + 1).unwrap_or(PollTimeout::MAX);
        let mut polled = vec![PollFd::new(children.as_fd(), PollFlags::POLLIN)];
        let gone_at = judge.map(|judge| {
            polled.push(PollFd::new(judge, PollFlags::POLLIN));
            polled.len() - 1
        });
        polled.extend(self.stdout.source().map(|stream| PollFd::new(stream.as_fd(), PollFlags::POLLIN)));
        polled.extend(self.stderr.source().map(|stream| PollFd::new(stream.as_fd(), PollFlags::POLLIN)));
        let _ = poll(&mut polled, timeout);
        let gone = gone_at.is_some_and(|at| polled[at].any().unwrap_or(false));
        drop(polled);
        while let Ok(Some(_)) = children.read_signal() {}
        self.stdout.take_in();
        self.stderr.take_in();
        gone
    }

    /// Collects what has ended. Whether the program is among it.
    fn collect(&mut self) -> bool {
        let mut ended = false;
        while let Waited::Child(child) = process_tree::wait_for_any(false) {
            self.waited += child.cpu;
            if child.pid == self.player {
                ended = true;
                self.report.exit_code = process_tree::exit_code(child.status);
                self.report.signal = process_tree::ending_signal(child.status);
                self.report.wall = self.start.elapsed().as_secs_f64();
            }
        }
        ended
    }

    /// Ends and collects everything that lives.
    fn end_all(&mut self, children: &SignalFd) {
        let until = Instant::now() + PATIENCE;
        let mut first = true;
        loop {
            let rest = if self.job.walls.namespaces {
                process_tree::others_in_namespace()
            } else {
                process_tree::descendants()
            };
            if first && self.report.exit_code.or(self.report.signal).is_some() {
                self.report.left_behind = rest.len();
            }
            first = false;
            if self.job.walls.namespaces {
                process_tree::kill_namespace();
            } else {
                rest.into_iter().for_each(process_tree::kill);
            }
            loop {
                match process_tree::wait_for_any(false) {
                    Waited::Child(child) => {
                        self.waited += child.cpu;
                        if child.pid == self.player {
                            self.report.signal = process_tree::ending_signal(child.status);
                        }
                    }
                    Waited::NoneLeft => return,
                    Waited::AllLive => break,
                }
            }
            if Instant::now() > until {
                // What cannot be ended is not waited for; the figures are not all there.
                self.report.orphaned = true;
                return;
            }
            self.wait(children, None, Instant::now() + Duration::from_millis(1));
        }
    }

    fn finish(mut self) -> ExitReport {
        // All that could write has ended. A process that escaped is not waited for.
        let until = Instant::now() + Duration::from_secs(1);
        while (self.stdout.take_in() || self.stderr.take_in()) && Instant::now() < until {}
        let mut cpu = self.waited;
        if let Some(counter) = &self.counter {
            match counter::read(counter) {
                Ok(counted) => cpu = charged(counted, self.waited),
                Err(_) => self.report.orphaned = true,
            }
        }
        self.report.cpu = cpu.as_secs_f64();
        self.report.stdout = self.stdout.text();
        self.report.stderr = self.stderr.text();
        self.report
    }
}

/// What is charged, of what a counter has counted and what was waited for. A program that its user may not read is
/// cut off from its counter when it is executed; `wait4` knows nothing of those that nobody waits for, but counts what
/// happened between fork and exec.
fn charged(counted: Duration, waited: Duration) -> Duration {
    const BEFORE_EXEC: Duration = Duration::from_millis(5);
    if waited > counted + counted / 50 + BEFORE_EXEC { waited } else { counted }
}
