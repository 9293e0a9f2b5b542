//! The judge's side of a supervised run: it gives the job, waits with a deadline of its own, and takes the report.

use super::job::{ExitReport, Job, MARK};
use crate::process_tree::{kill_group, kill_marked};
use crate::sandbox::passing;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpListener};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

/// The word by which [`Running::start`] starts its own program anew as a supervisor; the program answers the word with
/// [`super::run`].
pub const SUPERVISE: &str = "supervise";

/// No report of a supervisor is nearly as long, in bytes.
const REPORT_LIMIT: usize = 1 << 28;
/// How long after the wall limit a report may come. A supervisor tries for less to end what it watches.
const REPORT_LATEST: Duration = Duration::from_secs(10);
/// How long a supervisor may take to build a box.
const SETTING_UP: Duration = Duration::from_secs(10);

/// A program that runs under supervision. Dropping it ends the program.
pub struct Running {
    supervisor: Child,
    line: UnixStream,
    mark: String,
    wall: Duration,
    start: Instant,
    over: bool,
}

/// Has a supervisor do a job. An error means that there is no supervisor to be had.
pub fn run_job(job: &Job) -> io::Result<ExitReport> {
    Running::start(job)?.finish()
}

impl Running {
    /// Starts a supervisor and gives it its job.
    pub fn start(job: &Job) -> io::Result<Running> {
        let (line, theirs) = UnixStream::pair()?;
        let mut supervisor = Command::new("/proc/self/exe");
        // The name in /proc stays right when the own file is replaced by a new build while it runs.
        supervisor.arg(SUPERVISE).process_group(0);
        supervisor.stdin(OwnedFd::from(theirs.try_clone()?)).stdout(OwnedFd::from(theirs));
        if job.walls.any() {
            supervisor.env_clear();
        }
        let child = supervisor.spawn()?;
        // The command holds the other end.
        drop(supervisor);
        let wall = Duration::from_secs_f64(job.wall.clamp(0.0, 1e9));
        let mut running =
            Running { supervisor: child, line, mark: job.mark.clone(), wall, start: Instant::now(), over: false };
        let mut text = serde_json::to_string(job)?;
        text.push('\n');
        running.line.set_write_timeout(Some(SETTING_UP))?;
        running.line.write_all(text.as_bytes())?;
        Ok(running)
    }

    /// The listener on the port of a job's box. An error if the box cannot be had.
    pub fn listener(&self) -> io::Result<TcpListener> {
        self.line.set_read_timeout(Some(SETTING_UP))?;
        Ok(TcpListener::from(passing::receive(&self.line)?))
    }

    /// Whether the supervisor has ended: so has the program.
    pub fn is_over(&mut self) -> bool {
        self.supervisor.try_wait().is_ok_and(|status| status.is_some())
    }

    /// Waits for the report. One that does not come in time, or is none, is a report of supervision that ended.
    pub fn finish(mut self) -> io::Result<ExitReport> {
        let text = self.read_report(self.start + self.wall + REPORT_LATEST);
        let report = text.and_then(|text| serde_json::from_slice(&text).ok());
        self.end();
        Ok(report.unwrap_or_else(|| {
            // The program's processes have ended the supervisor, or the system has for want of memory.
            kill_marked(&format!("{MARK}={}", self.mark));
            ExitReport { wall: self.start.elapsed().as_secs_f64(), orphaned: true, ..ExitReport::default() }
        }))
    }

    /// Asks the supervisor to end the program now, and waits for the report.
    pub fn stop(mut self) -> io::Result<ExitReport> {
        let _ = self.line.shutdown(Shutdown::Write);
        self.wall = self.start.elapsed();
        self.finish()
    }

    fn read_report(&mut self, until: Instant) -> Option<Vec<u8>> {
        let mut text = Vec::new();
        let mut piece = [0; 1 << 12];
        loop {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() || text.len() > REPORT_LIMIT {
                return None;
            }
            self.line.set_read_timeout(Some(left)).ok()?;
            match self.line.read(&mut piece) {
                Ok(0) => return Some(text),
                Ok(count) => text.extend_from_slice(&piece[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return None,
            }
        }
    }

    /// Sees to it that the supervisor has ended, however it is.
    fn end(&mut self) {
        if self.over {
            return;
        }
        self.over = true;
        let _ = self.line.shutdown(Shutdown::Both);
        // One that has reported is about to leave; one that is stopped or stuck is not waited for.
        let patience = Instant::now() + Duration::from_millis(500);
        while Instant::now() < patience {
            if self.is_over() {
                return;
            }
            std::thread::sleep(Duration::from_micros(100));
        }
        kill_group(self.supervisor.id());
        let _ = self.supervisor.wait();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.end();
    }
}
