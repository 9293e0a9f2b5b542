//! Where workers get work and leave results: the database and the files, which a worker of the
//! server reaches itself.

use crate::clock::now;
use crate::config::Config;
use crate::disk::Disks;
use crate::files::{LeagueFiles, Stored};
use crate::store::{CheckResult, LadderLimits, LeagueStore, Lease, PlayedPair, Setting};
use anyhow::Result;
use std::sync::Arc;
use tokio::runtime::Handle;

/// The league as a worker sees it: jobs, files, results.
pub(crate) trait JobSource: Send + Sync {
    /// Leases a job; `None` if there is nothing to do.
    fn lease(&self, worker: &str) -> Result<Option<Lease>>;

    /// Extends a lease. Returns whether it is still held.
    fn heartbeat(&self, lease: &Lease, progress: &str) -> Result<bool>;

    /// Gives a job back that the machine could not do.
    fn give_back(&self, lease: &Lease, why: &str) -> Result<()>;

    /// Gives a job back because the worker ends, or has no room for it.
    fn release(&self, lease: &Lease) -> Result<()>;

    /// Writes into the log that the machine of a worker has no room for jobs and why, or that there
    /// is room again.
    fn note_room(&self, worker: &str, why: Option<&str>) -> Result<()>;

    /// Returns a file.
    fn get(&self, file: Stored<'_>) -> Result<Vec<u8>>;

    /// Keeps the result of a check, and the program as a tar archive if it plays.
    fn finish_check(
        &self,
        lease: &Lease,
        submission: i64,
        result: &CheckResult,
        program: Option<Vec<u8>>,
    ) -> Result<()>;

    /// Keeps the results of a pair, and its record.
    fn finish_pair(&self, lease: &Lease, played: &PlayedPair, record: Vec<u8>) -> Result<()>;

    /// Keeps the analyses of the two games of a pair, and the record with the findings.
    fn finish_analysis(
        &self,
        lease: &Lease,
        pair: i64,
        texts: &[String; 2],
        record: Vec<u8>,
    ) -> Result<()>;
}

/// The jobs of workers that reach the database.
pub(crate) struct LocalJobs {
    /// The settings of the league.
    pub config: Arc<Config>,
    /// The database.
    pub store: LeagueStore,
    /// The stored files: uploads, programs and records.
    pub files: LeagueFiles,
    /// The disks of this process.
    pub disks: Arc<Disks>,
    /// The workers that this process has, at least.
    pub workers: usize,
    /// The runtime of the database.
    pub runtime: Handle,
}

impl LocalJobs {
    /// Returns what limits the games of a submission, given the number of workers that are at work.
    async fn limits(&self) -> Result<LadderLimits> {
        let running = self.store.job_counts().await?.running + 1;
        let workers = f64::from(u32::try_from(running).unwrap_or(1)).max(self.workers as f64);
        let share = self.config.ladder.share;
        Ok(LadderLimits {
            running: (workers * share).ceil().max(1.0) as i64,
            hour_wall: (3600.0 * workers * share).max(60.0),
            frozen: self.store.setting(Setting::Frozen).await?.is_some(),
            seed: i64::try_from(self.config.seed & 0xffff_ffff).unwrap_or(1),
        })
    }
}

impl LocalJobs {
    /// Extends a lease for the time in which its files are written. A worker that has lost it must
    /// not write over the files of the one that has it now.
    async fn still_held(&self, lease: &Lease) -> Result<bool> {
        self.store.extend(lease.job, &lease.token, now()).await
    }
}

impl JobSource for LocalJobs {
    fn lease(&self, worker: &str) -> Result<Option<Lease>> {
        // Also a worker of another machine leaves its results here.
        if !self.disks.have_room(|why| self.note_room("the server", why)) {
            return Ok(None);
        }
        self.runtime.block_on(async {
            let limits = self.limits().await?;
            self.store.lease(worker, &limits, now()).await
        })
    }

    fn heartbeat(&self, lease: &Lease, progress: &str) -> Result<bool> {
        self.runtime.block_on(self.store.heartbeat(lease.job, &lease.token, progress, now()))
    }

    fn give_back(&self, lease: &Lease, why: &str) -> Result<()> {
        self.runtime.block_on(self.store.give_back(lease.job, &lease.token, why, now()))
    }

    fn release(&self, lease: &Lease) -> Result<()> {
        self.runtime.block_on(self.store.release(lease.job, &lease.token))
    }

    fn note_room(&self, worker: &str, why: Option<&str>) -> Result<()> {
        let (action, detail) = match why {
            Some(why) => ("no jobs are begun", format!("{worker}: {why}")),
            None => ("jobs are begun again", format!("{worker}: there is room on the disk")),
        };
        self.runtime.block_on(self.store.note(now(), None, action, &detail))
    }

    fn get(&self, file: Stored<'_>) -> Result<Vec<u8>> {
        self.runtime.block_on(self.files.get(file))
    }

    fn finish_check(
        &self,
        lease: &Lease,
        submission: i64,
        result: &CheckResult,
        program: Option<Vec<u8>>,
    ) -> Result<()> {
        self.runtime.block_on(async {
            if !self.still_held(lease).await? {
                return Ok(());
            }
            // The file comes first: whatever the database names is there.
            if let Some(program) = program {
                self.files.put(Stored::Program(submission), program).await?;
            }
            self.store.finish_check(lease.job, &lease.token, submission, result).await?;
            Ok(())
        })
    }

    fn finish_pair(&self, lease: &Lease, played: &PlayedPair, record: Vec<u8>) -> Result<()> {
        self.runtime.block_on(async {
            if !self.still_held(lease).await? {
                return Ok(());
            }
            self.files.put(Stored::Record(played.pair), record).await?;
            self.store
                .finish_pair(lease.job, &lease.token, played, (now(), self.config.ladder.faults))
                .await?;
            Ok(())
        })
    }

    fn finish_analysis(
        &self,
        lease: &Lease,
        pair: i64,
        texts: &[String; 2],
        record: Vec<u8>,
    ) -> Result<()> {
        self.runtime.block_on(async {
            if !self.still_held(lease).await? {
                return Ok(());
            }
            self.files.put(Stored::Record(pair), record).await?;
            self.store.finish_analysis(lease.job, &lease.token, pair, texts).await?;
            Ok(())
        })
    }
}
