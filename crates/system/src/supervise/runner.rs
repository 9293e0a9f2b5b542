//! The judge's side of a supervised run: it gives the job, waits with a deadline of its own, and takes the report.

use super::job::{ExitReport, Job, MARK};
use super::waiting::{self, Supervisor};
use crate::process_tree::{kill_group, kill_marked, wait_for};
use crate::sandbox::passing;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpListener};
use std::time::{Duration, Instant};

/// No report of a supervisor is nearly as long, in bytes.
const REPORT_LIMIT: usize = 1 << 28;
/// How long after the wall limit a report may come. A supervisor tries for less to end what it watches.
const REPORT_LATEST: Duration = Duration::from_secs(10);
/// How long a supervisor that has reported may take to end.
const PATIENCE: Duration = Duration::from_millis(500);
/// How long a supervisor may take to build a box.
const SETTING_UP: Duration = Duration::from_secs(10);

/// A program that runs under supervision. Dropping it ends the program.
pub struct Running {
    supervisor: Supervisor,
    /// Whether the next program is likely to run in a box as well.
    boxed: bool,
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
        let mut text = serde_json::to_string(job)?;
        text.push('\n');
        let boxed = job.walls.namespaces;
        let waiting = if boxed { waiting::take() } else { None };
        let given = waiting.and_then(|mut supervisor| give(&mut supervisor, &text).ok().map(|()| supervisor));
        let supervisor = match given {
            Some(supervisor) => supervisor,
            None => {
                let mut supervisor = Supervisor::start(job.walls.any())?;
                give(&mut supervisor, &text)?;
                supervisor
            }
        };
        let wall = Duration::from_secs_f64(job.wall.clamp(0.0, 1e9));
        Ok(Running { supervisor, boxed, mark: job.mark.clone(), wall, start: Instant::now(), over: false })
    }

    /// The listener on the port of a job's box. An error if the box cannot be had.
    pub fn listener(&self) -> io::Result<TcpListener> {
        self.supervisor.line.set_read_timeout(Some(SETTING_UP))?;
        Ok(TcpListener::from(passing::receive(&self.supervisor.line)?))
    }

    /// Whether the supervisor has ended: so has the program.
    pub fn is_over(&mut self) -> bool {
        self.supervisor.process.try_wait().is_ok_and(|status| status.is_some())
    }

    /// Waits for the report. One that does not come in time, or is none, is a report of supervision that ended.
    pub fn finish(mut self) -> io::Result<ExitReport> {
        let text = self.read_report(self.start + self.wall + REPORT_LATEST);
        let report = text.and_then(|text| serde_json::from_slice(&text).ok());
        if self.boxed {
            // It starts while the box is taken down.
            waiting::prepare();
        }
        self.end();
        Ok(report.unwrap_or_else(|| {
            // The program's processes have ended the supervisor, or the system has for want of memory.
            kill_marked(&format!("{MARK}={}", self.mark));
            ExitReport { wall: self.start.elapsed().as_secs_f64(), orphaned: true, ..ExitReport::default() }
        }))
    }

    /// Asks the supervisor to end the program now, and waits for the report.
    pub fn stop(mut self) -> io::Result<ExitReport> {
        let _ = self.supervisor.line.shutdown(Shutdown::Write);
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
            self.supervisor.line.set_read_timeout(Some(left)).ok()?;
            match self.supervisor.line.read(&mut piece) {
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
        let _ = self.supervisor.line.shutdown(Shutdown::Both);
        // One that has reported is about to leave; one that is stopped or stuck is not waited for.
        if self.is_over() {
            return;
        }
        let process = &mut self.supervisor.process;
        if let Ok(Some(_)) = wait_for(process.id() as i32, PATIENCE) {
            return;
        }
        kill_group(process.id());
        let _ = process.wait();
    }
}

fn give(supervisor: &mut Supervisor, job: &str) -> io::Result<()> {
    supervisor.line.set_write_timeout(Some(SETTING_UP))?;
    supervisor.line.write_all(job.as_bytes())
}

impl Drop for Running {
    fn drop(&mut self) {
        self.end();
    }
}
