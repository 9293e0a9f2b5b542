//! Where workers get work and leave results.

use super::messages::JobMessage;
use crate::clock::now;
use crate::config::Config;
use crate::disk::Disks;
use crate::files::{LeagueFiles, Stored};
use crate::store::{LadderLimits, LeagueStore, Lease};
use anyhow::Result;
use std::sync::Arc;
use tokio::runtime::Handle;

/// The league as a worker sees it: jobs, files, results.
pub(crate) trait JobSource: Send + Sync {
    fn lease(&self, worker: &str) -> Result<Option<Lease>>;

    /// Says something of a job. Returns whether its lease is still held: otherwise a result does
    /// not count.
    fn say(&self, lease: &Lease, message: JobMessage) -> Result<bool>;

    /// Puts a file that a job has made. It comes before the result: whatever the database names is
    /// there.
    fn put(&self, lease: &Lease, file: Stored<'_>, bytes: Vec<u8>) -> Result<()>;

    /// Writes into the log that the machine of a worker has no room for jobs and why, or that there
    /// is room again.
    fn note_room(&self, worker: &str, why: Option<&str>) -> Result<()>;

    fn get(&self, file: Stored<'_>) -> Result<Vec<u8>>;
}

#[derive(Clone)]
pub(crate) struct LocalJobs {
    pub config: Arc<Config>,
    pub store: LeagueStore,
    pub files: LeagueFiles,
    pub disks: Arc<Disks>,
    /// The workers that this process has, at least.
    pub workers: usize,
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
            // A league without a share plays a minute of an hour.
            share: (workers * share).max(1.0 / 60.0),
            frozen: self.store.frozen().await?.is_some(),
            closing: self.store.closing().await?.map(|_| self.config.ladder.within),
            seed: self.config.pair_seed(),
        })
    }

    pub(crate) async fn tell(
        &self,
        (job, token): (i64, &str),
        message: &JobMessage,
    ) -> Result<bool> {
        let (store, now) = (&self.store, now());
        match message {
            JobMessage::Heartbeat(progress) => store.heartbeat(job, token, progress, now).await,
            JobMessage::GiveBack(why) => store.give_back(job, token, why, now).await.map(|()| true),
            JobMessage::Release => store.release(job, token).await.map(|()| true),
            JobMessage::Checked(submission, result) => {
                store.finish_check(job, token, *submission, result).await
            }
            JobMessage::Played(played) => {
                let share = self.limits().await?.share;
                let rules = (now, self.config.ladder.faults, share);
                store.finish_pair(job, token, played, rules).await
            }
            JobMessage::Analysed(pair, texts) => {
                store.finish_analysis(job, token, *pair, texts).await
            }
        }
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

    fn say(&self, lease: &Lease, message: JobMessage) -> Result<bool> {
        self.runtime.block_on(self.tell((lease.job, &lease.token), &message))
    }

    fn put(&self, lease: &Lease, file: Stored<'_>, bytes: Vec<u8>) -> Result<()> {
        self.runtime.block_on(async {
            // A worker that has lost the lease must not write over the files of the one that has it
            // now.
            if self.store.leased(lease.job, &lease.token).await?.is_some() {
                self.files.put(file, bytes).await?;
            }
            Ok(())
        })
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
}
