//! The judge's side of a supervised run: it sends the job, waits with its own deadline, and
//! receives the report.

use super::idle::{self, Request, SETUP_TIME, Supervisor};
use crate::job::{ExitReport, Job, MARK};
use crate::layers::Groups;
use crate::linux::cgroup::{self, OUT_OF_MEMORY};
use crate::linux::descriptors;
use crate::linux::process_tree::kill_marked;
use crate::linux::waiting::{ANSWER_LENGTH, BoxWaits};
use crate::{memory, room};
use std::io::{self, Read};
use std::net::{Shutdown, TcpListener};
use std::time::{Duration, Instant};

/// The longest report that is read, in bytes. Real ones are much shorter.
const REPORT_LIMIT: usize = 1 << 28;
/// How long after the wall-time limit the judge waits for the report. A supervisor kills its
/// program sooner.
const REPORT_LATEST: Duration = Duration::from_secs(10);
/// A program that runs under supervision. Dropping it kills the program.
pub struct Running {
    supervisor: Supervisor,
    /// Whether the job has namespaces. If so, a supervisor for another such job is kept ready
    /// afterwards.
    boxed: bool,
    /// Whether the supervisor tells the CPU time of the box meanwhile.
    counted: bool,
    mark: String,
    /// The longest that the program may take.
    longest: Duration,
    groups: Option<Groups>,
    /// The job, if its files belong to its player while it runs.
    given: Option<Box<Job>>,
    /// How many processes the kernel had ended for lack of memory before, where no control group
    /// tells.
    kills: Option<u64>,
    start: Instant,
    over: bool,
}

/// Runs a job to its end. An error means that no supervisor could be started.
/// It waits for [`room`] first.
pub fn run_job(job: &Job) -> io::Result<ExitReport> {
    let _place = room::take(job);
    Running::start(job)?.finish()
}

impl Running {
    /// Starts a supervisor and sends it the job.
    pub fn start(job: &Job) -> io::Result<Running> {
        let request = Request::Run(Box::new(job.clone()));
        let boxed = job.layers.namespaces;
        let waiting = if boxed { idle::take() } else { None };
        let given =
            waiting.and_then(|mut supervisor| supervisor.send(&request).ok().map(|()| supervisor));
        let supervisor = match given {
            Some(supervisor) => supervisor,
            None => {
                let mut supervisor = Supervisor::start(job.layers.any())?;
                supervisor.send(&request)?;
                supervisor
            }
        };
        let (mark, longest, groups) = (job.mark.clone(), job.longest(), job.layers.groups.clone());
        let given =
            job.identity.is_some_and(|user| user.owner().is_none()).then(|| Box::new(job.clone()));
        let kills = if job.layers.any() && !job.layers.group { memory::kills() } else { None };
        let start = Instant::now();
        let counted = boxed && job.is_counted();
        Ok(Running {
            supervisor,
            boxed,
            counted,
            mark,
            longest,
            groups,
            given,
            kills,
            start,
            over: false,
        })
    }

    /// The listener on the port of the job's box. An error if the box could not be built.
    pub fn listener(&self) -> io::Result<TcpListener> {
        self.supervisor.socket.set_read_timeout(Some(SETUP_TIME))?;
        Ok(TcpListener::from(descriptors::receive(&self.supervisor.socket)?))
    }

    /// Whether the supervisor has ended. The program then has, too.
    pub fn is_over(&mut self) -> bool {
        self.supervisor.is_over()
    }

    /// Lets all others go first wherever they want a processor that this program wants too, or no
    /// longer. Does nothing where the box has no control group for that.
    pub fn let_others_first(&self, others_first: bool) {
        cgroup::let_others_first(self.groups.as_ref(), self.supervisor.process.id(), others_first);
    }

    /// Begins to measure how long the program is kept waiting for a processor.
    pub fn waits(&self) -> BoxWaits {
        let socket = self.counted.then(|| self.supervisor.socket.try_clone().ok()).flatten();
        BoxWaits::begin(self.supervisor.process.id(), self.boxed, socket)
    }

    /// Begins the same without a question to the supervisor, which has no answer before the box is
    /// built.
    pub fn waits_unasked(&self) -> BoxWaits {
        BoxWaits::begin(self.supervisor.process.id(), self.boxed, None)
    }

    /// Waits for the report. A late or malformed report counts as a failure of the supervisor.
    pub fn finish(mut self) -> io::Result<ExitReport> {
        let text = self.read_report(self.start + self.longest + REPORT_LATEST);
        let report = text.and_then(|text| serde_json::from_slice(&text).ok());
        if self.boxed {
            // The next supervisor starts while this box is taken down.
            idle::prepare();
        }
        self.end();
        let mut report = report.unwrap_or_else(|| {
            // The program killed its supervisor, or the kernel did for lack of memory.
            kill_marked(&format!("{MARK}={}", self.mark));
            if let Some(job) = self.given.take() {
                take_back(job);
            }
            ExitReport {
                wall: self.start.elapsed().as_secs_f64(),
                orphaned: true,
                ..ExitReport::default()
            }
        });
        // The kernel does not say whose process it was: perhaps one of this program.
        let killed =
            self.kills.is_some_and(|before| memory::kills().is_some_and(|now| now > before));
        let failed = report.exit_code != Some(0) && report.excess.is_none() && !report.timed_out;
        if killed && failed {
            report.machine_fault.get_or_insert_with(|| OUT_OF_MEMORY.to_string());
        }
        Ok(report)
    }

    /// Asks the supervisor to kill the program, and waits for the report.
    pub fn stop(mut self) -> io::Result<ExitReport> {
        let _ = self.supervisor.socket.shutdown(Shutdown::Write);
        self.longest = self.start.elapsed();
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
            self.supervisor.socket.set_read_timeout(Some(left)).ok()?;
            let read = match self.supervisor.socket.read(&mut piece) {
                // A supervisor that has ended without reading the last question about CPU time.
                Err(error) if error.kind() == io::ErrorKind::ConnectionReset => Ok(0),
                read => read,
            };
            match read {
                Ok(0) => {
                    // Answers about CPU time that nobody has read.
                    while text.first() == Some(&0) {
                        text.drain(..ANSWER_LENGTH.min(text.len()));
                    }
                    return Some(text);
                }
                Ok(count) => text.extend_from_slice(&piece[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return None,
            }
        }
    }

    /// Makes sure that the supervisor has ended.
    fn end(&mut self) {
        if self.over {
            return;
        }
        self.over = true;
        self.supervisor.end();
    }
}

/// Has the files of a job given back to the judge, and waits until that is done.
fn take_back(job: Box<Job>) {
    if let Ok(mut process) = Supervisor::start(true)
        && process.send(&Request::TakeBack(job)).is_ok()
    {
        let _ = process.socket.set_read_timeout(Some(SETUP_TIME));
        let _ = process.socket.read(&mut [0]);
        process.end();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.end();
    }
}
