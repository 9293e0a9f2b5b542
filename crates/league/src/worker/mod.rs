//! Workers check submissions, play pairs of games, and analyse games. A worker is a thread of the
//! server or of `league worker`, and knows the database only through its [`JobSource`].

mod analysis;
mod check;
mod job_source;
mod messages;
mod pair;
mod programs;
mod remote;

pub(crate) use job_source::{JobSource, LocalJobs};
pub(crate) use messages::{JobMessage, LEASE_HEADER, LeaseRequest, RoomNote};
pub(crate) use pair::LivePosition;
pub(crate) use programs::Programs;
pub(crate) use remote::RemoteJobs;

use crate::config::Config;
use crate::disk::Disks;
use crate::files::Stored;
use crate::store::{Lease, Work};
use anyhow::{Result, anyhow};
use clock::{lock, unpoisoned};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::Duration;
use terminal::interrupt;

const HEARTBEAT: Duration = Duration::from_secs(1);
/// The sleep of a worker that has nothing to do, or cannot reach the league.
const IDLE: Duration = Duration::from_secs(1);
/// The pause between two looks at a full disk.
const FULL: Duration = Duration::from_secs(3);

#[derive(Clone)]
pub(crate) struct Worker {
    /// The worker's name, unique in the league.
    pub name: String,
    pub config: Arc<Config>,
    pub jobs: Arc<dyn JobSource>,
    pub programs: Arc<Programs>,
    pub disks: Arc<Disks>,
    /// Set when the server ends.
    pub stop: Arc<AtomicBool>,
}

/// The progress of a job as text, and whether its lease is still held.
#[derive(Default)]
pub(crate) struct Progress {
    text: Mutex<String>,
    lost: AtomicBool,
}

impl Progress {
    pub(crate) fn say(&self, text: String) {
        *lock(&self.text) = text;
    }

    pub(crate) fn add(&self, text: &str) {
        lock(&self.text).push_str(text);
    }

    pub(crate) fn text(&self) -> String {
        lock(&self.text).clone()
    }

    pub(crate) fn is_lost(&self) -> bool {
        self.lost.load(Ordering::Relaxed)
    }
}

impl Worker {
    pub(crate) fn run(&self) {
        let mut failures = 0;
        while !self.should_stop() {
            if !self.disks.have_room(|why| self.jobs.note_room(&self.name, why)) {
                self.sleep(FULL);
                continue;
            }
            match self.jobs.lease(&self.name) {
                Ok(Some(lease)) => {
                    failures = 0;
                    self.work(&lease);
                }
                Ok(None) => self.sleep(IDLE),
                Err(error) => {
                    // Once, and then each minute.
                    if failures % 60 == 0 {
                        eprintln!("{}: the league cannot be asked for work: {error:#}", self.name);
                    }
                    failures += 1;
                    self.sleep(IDLE);
                }
            }
        }
    }

    fn should_stop(&self) -> bool {
        interrupt::asked() || self.stop.load(Ordering::Relaxed)
    }

    fn sleep(&self, time: Duration) {
        let steps = (time.as_millis() / 50).max(1);
        for _ in 0..steps {
            if self.should_stop() {
                return;
            }
            thread::sleep(Duration::from_millis(50));
        }
    }

    /// Does a job. One that the machine cannot do is given back.
    fn work(&self, lease: &Lease) {
        let progress = Progress::default();
        let done = with_heartbeat(&*self.jobs, lease, &progress, || {
            // A panic must not end the worker: the job is given back.
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| self.job(lease, &progress)))
                .unwrap_or_else(|_| Err(anyhow!("the worker panicked")))
        });
        let ended = match done {
            Ok(()) => Ok(()),
            Err(_) if progress.is_lost() => Ok(()),
            Err(_) if self.should_stop() => self.jobs.say(lease, JobMessage::Release).map(drop),
            // No attempt is lost: the worker waits for room, and the job for the worker or another
            // one.
            Err(_) if self.disks.fullness().is_some() => {
                self.jobs.say(lease, JobMessage::Release).map(drop)
            }
            Err(error) => {
                eprintln!("{}: job {}: {error:#}", self.name, lease.job);
                self.sleep(IDLE);
                self.jobs.say(lease, JobMessage::GiveBack(format!("{error:#}"))).map(drop)
            }
        };
        if let Err(error) = ended {
            eprintln!("{}: job {}: the league cannot be told: {error:#}", self.name, lease.job);
        }
    }

    fn job(&self, lease: &Lease, progress: &Progress) -> Result<()> {
        let (file, result) = match &lease.work {
            Work::Check { submission, name, file_name, digest } => {
                let (result, program) = self.check(name, (file_name, digest), progress)?;
                let program = program.map(|program| (Stored::Program(*submission), program));
                (program, JobMessage::Checked(*submission, result))
            }
            Work::Pair { pair, seed, players } => {
                let (played, record) = self.play_pair(*pair, *seed, players, progress)?;
                (Some((Stored::Record(*pair), record)), JobMessage::Played(Box::new(played)))
            }
            Work::Analysis { pair } => {
                let (texts, record) = self.analyse(*pair)?;
                (Some((Stored::Record(*pair), record)), JobMessage::Analysed(*pair, texts))
            }
        };
        if let Some((file, bytes)) = file {
            self.jobs.put(lease, file, bytes)?;
        }
        self.jobs.say(lease, result).map(drop)
    }
}

/// Runs a job while another thread says regularly that the worker lives and what it does.
fn with_heartbeat<T>(
    jobs: &dyn JobSource,
    lease: &Lease,
    progress: &Progress,
    job: impl FnOnce() -> T,
) -> T {
    let (ended, ending) = (Mutex::new(false), Condvar::new());
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut guard = lock(&ended);
            while !*guard {
                let (next, _) = unpoisoned(ending.wait_timeout(guard, HEARTBEAT));
                guard = next;
                // A league that cannot be reached may be reached again before the lease ends.
                let beat = || jobs.say(lease, JobMessage::Heartbeat(progress.text()));
                if !*guard && beat().is_ok_and(|held| !held) {
                    progress.lost.store(true, Ordering::Relaxed);
                }
            }
        });
        let result = job();
        *lock(&ended) = true;
        ending.notify_all();
        result
    })
}
