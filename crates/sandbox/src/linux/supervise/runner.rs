//! The judge's side of a supervised run.

use super::questions::{Message, ask, read_answer};
use crate::job::{ExitReport, Job, MARK, TurnLimits, Used};
use crate::linux::accounting::cgroup::{self, OUT_OF_MEMORY};
use crate::linux::descriptors;
use crate::linux::process_tree::kill_marked;
use crate::linux::requests::{self, Request, SETUP_TIME, Supervisor};
use std::io::{self, Read};
use std::net::{Shutdown, TcpListener};
use std::time::{Duration, Instant};

const REPORT_LIMIT: usize = 1 << 28;
/// The judge waits so much longer for the report; a supervisor kills its program sooner.
const REPORT_LATEST: Duration = Duration::from_secs(10);
/// The longest wait for an answer of a supervisor, on however busy a machine.
const ANSWER_LATEST: Duration = Duration::from_secs(60);

/// A program that runs under supervision. Dropping it kills the program.
pub struct Running {
    supervisor: Supervisor,
    job: Job,
    longest: Duration,
    /// The kernel's kills for lack of memory before, where no control group tells.
    kills: Option<u64>,
    start: Instant,
}

impl Running {
    /// Starts a supervisor and sends it the job. An error means that none could be started.
    pub fn start(job: &Job) -> io::Result<Running> {
        let layers = &job.layers;
        let request = Request::Run(Box::new(job.clone()));
        let supervisor = Supervisor::asked(&request, layers.namespaces, layers.any())?;
        let kills = if layers.any() && !layers.group { cgroup::kills() } else { None };
        let (job, longest, start) = (job.clone(), job.first_turn().longest(), Instant::now());
        Ok(Running { supervisor, job, longest, kills, start })
    }

    /// The listener on the port of the job's box; an error if the box could not be built.
    pub fn listener(&self) -> io::Result<TcpListener> {
        self.supervisor.socket.set_read_timeout(Some(SETUP_TIME))?;
        Ok(TcpListener::from(descriptors::receive(&self.supervisor.socket)?))
    }

    /// Whether the supervisor has ended. The program then has, too.
    pub fn is_over(&mut self) -> bool {
        self.supervisor.is_over()
    }

    /// Lets all others go first wherever they want a processor that this program wants too, or no
    /// longer; not without a control group.
    pub fn let_others_first(&self, others_first: bool) {
        let groups = self.job.layers.groups.as_ref();
        cgroup::let_others_first(groups, self.supervisor.process.id(), others_first);
    }

    /// Begins a turn: the supervisor ends the program at these limits, whatever the judge reads of
    /// it. Returns what was used up to now; `None` if the program has ended, or does not end a turn
    /// in time.
    pub fn begin_turn(&mut self, limits: TurnLimits) -> Option<Used> {
        Some(self.tell(Message::Begin(limits))?.0)
    }

    /// Ends a turn: the program goes on without limits of time. Returns as [`Running::begin_turn`],
    /// and what the program has written to standard error since the end of the turn before.
    pub fn end_turn(&mut self) -> Option<(Used, String)> {
        self.tell(Message::End)
    }

    fn tell(&mut self, message: Message) -> Option<(Used, String)> {
        let before = self.latest();
        self.longest = self.start.elapsed() + message.limits()?.longest();
        self.ask(message, before.min(self.latest()))
    }

    /// What the program has used up to now; `None` if it has ended.
    pub fn used(&self) -> Option<Used> {
        Some(self.ask(Message::Question, self.latest())?.0)
    }

    fn ask(&self, message: Message, until: Instant) -> Option<(Used, String)> {
        ask(&self.supervisor.socket, message, until.min(Instant::now() + ANSWER_LATEST))
    }

    /// When the judge itself ends a program that the supervisor should have ended long ago.
    pub fn latest(&self) -> Instant {
        self.start + self.longest + REPORT_LATEST
    }

    /// Waits for the report. A late or malformed report counts as a failure of the supervisor.
    pub fn finish(mut self) -> io::Result<ExitReport> {
        let text = self.read_report(self.latest());
        let report = text.and_then(|text| serde_json::from_slice(&text).ok());
        if self.job.layers.namespaces {
            // The next supervisor starts while this box is taken down.
            requests::prepare();
        }
        self.supervisor.end();
        let mut report = report.unwrap_or_else(|| {
            // The program killed its supervisor, or the kernel did for lack of memory.
            kill_marked(&format!("{MARK}={}", self.job.mark));
            if self.job.is_given() {
                take_back(&self.job);
            }
            ExitReport::lost(self.start)
        });
        // The kernel does not say whose process it was: perhaps one of this program.
        let killed =
            self.kills.is_some_and(|before| cgroup::kills().is_some_and(|now| now > before));
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
                // A supervisor that has ended without reading the last message.
                Err(error) if error.kind() == io::ErrorKind::ConnectionReset => Ok(0),
                read => read,
            };
            match read {
                Ok(0) => {
                    // Answers that nobody has read.
                    let mut left = &text[..];
                    while left.first() == Some(&0) {
                        read_answer(&mut left)?;
                    }
                    return Some(left.to_vec());
                }
                Ok(count) => text.extend_from_slice(&piece[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return None,
            }
        }
    }
}

/// Has the files of a job given back to the judge, and waits until that is done.
fn take_back(job: &Job) {
    let request = Request::TakeBack(Box::new(job.clone()));
    if let Ok(mut process) = Supervisor::asked(&request, false, true) {
        let _ = process.socket.set_read_timeout(Some(SETUP_TIME));
        let _ = process.socket.read(&mut [0]);
        process.end();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.supervisor.end();
    }
}
