//! Supervisors that wait for a job: the start of one takes about as long as a box, and can be had while another box is taken
//! down. Only runs in a box take one of them: from within a box none can be seen.

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::sync::Mutex;

/// The word by which a program starts itself anew as a supervisor; it answers the word with [`super::run`].
pub const SUPERVISE: &str = "supervise";

/// The most supervisors that wait at a time.
const MOST: usize = 16;

/// Supervisors without a job. One whose judge ends reads the end of its line, and ends as well.
static WAITING: Mutex<Vec<Supervisor>> = Mutex::new(Vec::new());

/// A supervisor's process, with the line on which it takes a job and gives its report.
pub(super) struct Supervisor {
    pub(super) process: Child,
    pub(super) line: UnixStream,
}

impl Supervisor {
    /// Starts a supervisor; one of a player behind walls knows nothing of the judge's environment.
    pub(super) fn start(walls: bool) -> io::Result<Supervisor> {
        let (line, theirs) = UnixStream::pair()?;
        // The name in /proc stays right when the own file is replaced by a new build while it runs.
        let mut command = Command::new("/proc/self/exe");
        command.arg(SUPERVISE).process_group(0);
        command.stdin(OwnedFd::from(theirs.try_clone()?)).stdout(OwnedFd::from(theirs));
        if walls {
            command.env_clear();
        }
        // The command holds the other end, and goes with the end of this function.
        Ok(Supervisor { process: command.spawn()?, line })
    }
}

/// Starts a supervisor for a run in a box to come. If none can be started, that run will say so.
pub(super) fn prepare() {
    let room = WAITING.lock().is_ok_and(|waiting| waiting.len() < MOST);
    if room
        && let Ok(supervisor) = Supervisor::start(true)
        && let Ok(mut waiting) = WAITING.lock()
    {
        waiting.push(supervisor);
    }
}

/// A supervisor that waits, if one does.
pub(super) fn take() -> Option<Supervisor> {
    WAITING.lock().ok()?.pop()
}
