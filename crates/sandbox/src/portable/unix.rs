//! A program and its descendants on macOS and other Unix systems: a process group. CPU time is what
//! `wait4` returns for the program, which misses processes that nobody waits for.
#![allow(unsafe_code, reason = "steps between fork and exec have no safe form in the library")]

use super::program::{Ending, command};
use crate::job::{Job, KILL_TIME, MARK};
use crate::reaped::{Ended, ending_signal, exit_code, reap};
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{ChildStderr, ChildStdout};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

pub(super) struct ProcessTree {
    group: Pid,
    waited: Receiver<io::Result<Option<Ended>>>,
    cpu: Duration,
    over: bool,
}

impl ProcessTree {
    pub(super) fn start(job: &Job) -> Result<(ProcessTree, ChildStdout, ChildStderr), String> {
        let mut command = command(job);
        command.env(MARK, &job.mark).process_group(0);
        let mut limits = vec![
            (Resource::RLIMIT_CORE, 0),
            (Resource::RLIMIT_FSIZE, job.limits.file_size),
            (Resource::RLIMIT_DATA, job.limits.memory),
        ];
        // Each process's own limit, in whole seconds.
        limits.extend(job.cpu.map(|seconds| (Resource::RLIMIT_CPU, seconds.ceil() as u64 + 1)));
        let last_steps = move || {
            for &(resource, value) in &limits {
                let (_, most) = getrlimit(resource)?;
                setrlimit(resource, value.min(most), value.min(most))?;
            }
            Ok(())
        };
        // SAFETY: between fork and exec, the closure makes two system calls and allocates nothing.
        unsafe { command.pre_exec(last_steps) };
        let mut child = job.spawn(&mut command)?;
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        let pid = child.id() as i32;
        let (sender, waited) = channel();
        thread::spawn(move || sender.send(reap(pid, 0)));
        let tree =
            ProcessTree { group: Pid::from_raw(pid), waited, cpu: Duration::ZERO, over: false };
        Ok((tree, stdout.ok_or("no standard output")?, stderr.ok_or("no standard error")?))
    }

    pub(super) fn wait(&mut self, limit: Duration) -> io::Result<Option<Ending>> {
        match self.waited.recv_timeout(limit) {
            Ok(ended) => {
                let Some(Ended { status, cpu, .. }) = ended? else { return Ok(None) };
                (self.cpu, self.over) = (cpu, true);
                let (exit_code, signal) = (exit_code(status), ending_signal(status));
                Ok(Some(Ending { exit_code, signal }))
            }
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => {
                Err(io::Error::other("the waiting thread has ended"))
            }
        }
    }

    pub(super) fn cpu(&mut self) -> Duration {
        self.cpu
    }

    /// Kills what is left of the group. 1 if there was something: their number is not known.
    pub(super) fn kill(&mut self) -> usize {
        let found = killpg(self.group, Signal::SIGKILL).is_ok();
        if !self.over {
            let _ = self.wait(KILL_TIME);
        }
        usize::from(found)
    }
}
