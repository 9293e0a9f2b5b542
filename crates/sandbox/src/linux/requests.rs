//! Idle supervisors. A supervisor takes about as long to start as a box, so one is started while
//! another box is taken down. A program without namespaces could see idle supervisors, so there
//! they are not used.

use super::process_tree::{ends_within, kill};
use crate::job::{Job, StoreRequest};
use clock::lock;
use serde::{Deserialize, Serialize};
use std::io::{self, Write};
use std::net::Shutdown;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::sync::Mutex;
use std::time::Duration;

/// The hidden command with which a program starts its own executable as a supervisor.
pub(crate) const SUPERVISE: &str = "supervise";

/// Supervisors without a job. They end with their judge, when they read the end of their socket.
static IDLE: Mutex<Vec<Supervisor>> = Mutex::new(Vec::new());

/// Processes that were asked to end and still have to be reaped.
static ENDING: Mutex<Vec<Child>> = Mutex::new(Vec::new());

/// A request to a supervisor: its length in eight bytes, and JSON.
#[derive(Serialize, Deserialize)]
pub(crate) enum Request {
    /// Run a program and report.
    Run(Box<Job>),
    /// Become a storage process.
    Store(StoreRequest),
    /// Become the keeper.
    Keep,
    /// Give the files of a job's directory back to the judge, after its supervisor has been lost.
    TakeBack(Box<Job>),
}

/// How long a supervisor may take before it answers.
pub(crate) const SETUP_TIME: Duration = Duration::from_secs(10);
/// How long one may take to end by itself.
const GRACE_TIME: Duration = Duration::from_millis(500);

pub(crate) struct Supervisor {
    pub(crate) process: Child,
    pub(crate) socket: UnixStream,
}

impl Supervisor {
    /// Sends a request to an idle supervisor, if it may be one, or else to a new one.
    pub(crate) fn asked(
        request: &Request,
        may_be_idle: bool,
        layers: bool,
    ) -> io::Result<Supervisor> {
        let idle = if may_be_idle { lock(&IDLE).pop() } else { None };
        if let Some(mut supervisor) = idle
            && supervisor.send(request).is_ok()
        {
            return Ok(supervisor);
        }
        let mut supervisor = Supervisor::start(layers)?;
        supervisor.send(request)?;
        Ok(supervisor)
    }

    pub(crate) fn start(layers: bool) -> io::Result<Supervisor> {
        let (socket, child_end) = UnixStream::pair()?;
        // This name stays valid when a new build replaces the executable.
        let mut command = Command::new("/proc/self/exe");
        command.arg(SUPERVISE).process_group(0);
        command.stdin(OwnedFd::from(child_end.try_clone()?)).stdout(OwnedFd::from(child_end));
        if layers {
            command.env_clear();
        }
        // The command owns the child's end of the socket.
        Ok(Supervisor { process: command.spawn()?, socket })
    }

    fn send(&mut self, request: &Request) -> io::Result<()> {
        let text = serde_json::to_vec(request)?;
        self.socket.set_write_timeout(Some(SETUP_TIME))?;
        self.socket.write_all(&[&(text.len() as u64).to_le_bytes()[..], &text].concat())
    }

    pub(crate) fn is_over(&mut self) -> bool {
        self.process.try_wait().is_ok_and(|status| status.is_some())
    }

    /// Asks the process to end; [`prepare`] reaps it later.
    pub(crate) fn end_in_background(self) {
        let _ = self.socket.shutdown(Shutdown::Both);
        lock(&ENDING).push(self.process);
    }

    /// Ends the process, by force if it takes too long.
    pub(crate) fn end(&mut self) {
        let _ = self.socket.shutdown(Shutdown::Both);
        let leader = self.process.id() as i32;
        // A supervisor that is stopped or stuck is killed, with its process group.
        if !self.is_over() && !ends_within(leader, GRACE_TIME).unwrap_or(false) {
            kill(-leader);
        }
        let _ = self.process.wait();
    }
}

/// Starts an idle supervisor for a later job, which meets its errors.
pub(crate) fn prepare() {
    /// The most idle supervisors at a time.
    const MOST_IDLE: usize = 16;
    lock(&ENDING).retain_mut(|process| !process.try_wait().is_ok_and(|status| status.is_some()));
    let has_room = lock(&IDLE).len() < MOST_IDLE;
    if has_room && let Ok(supervisor) = Supervisor::start(true) {
        lock(&IDLE).push(supervisor);
    }
}
