//! Jobs: what there is to do for the workers, and what they say while they do it.

use super::settings::note;
use super::{Store, Write};
use crate::clock::{MINUTE, Millis};
use anyhow::Result;
use serde::{Deserialize, Serialize};
use sqlx::FromRow;

/// How long a worker may be silent before its job is given to another one.
pub(super) const LEASE_TIME: Millis = MINUTE;
/// The pause before a job that failed is begun again.
pub(super) const PAUSE: Millis = MINUTE / 2;

/// The kinds of jobs, the most urgent first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JobKind {
    /// Build and try a submission.
    Check,
    /// Analyse the games of a pair.
    Analysis,
    /// Play a pair of games that somebody asked for. Pairs of the ladder are made when a worker has nothing else to do.
    Pair,
}

impl JobKind {
    /// The word in the database, and the priority.
    const fn word(self) -> (&'static str, i64) {
        match self {
            JobKind::Check => ("check", 0),
            JobKind::Analysis => ("analysis", 1),
            JobKind::Pair => ("pair", 2),
        }
    }
}

/// A player of a pair.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct PlayerOrder {
    /// The submission.
    pub submission: i64,
    /// The name of the entrant.
    pub name: String,
    /// The command that starts the program in its folder. The players of baselines are in the settings.
    pub command: String,
    /// Whether it is a baseline.
    pub baseline: bool,
}

/// What a worker has to do.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Work {
    /// Build and try a submission.
    Check {
        /// The submission.
        submission: i64,
        /// The name of the entrant.
        name: String,
        /// The name of the file.
        file_name: String,
        /// The SHA-256 of the file.
        digest: String,
    },
    /// Play two games with sides swapped.
    Pair {
        /// The pair.
        pair: i64,
        /// The seed of the opening and of random players.
        seed: i64,
        /// The players; the first one moves first in the first game.
        players: Box<[PlayerOrder; 2]>,
    },
    /// Analyse the games of a pair.
    Analysis {
        /// The pair.
        pair: i64,
    },
}

/// A job that a worker has leased.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Lease {
    /// The job.
    pub job: i64,
    /// The secret that shows who has the lease.
    pub token: String,
    /// The work.
    pub work: Work,
}

/// A job that is being done.
#[derive(Clone, Debug, FromRow)]
pub(crate) struct RunningJob {
    /// The job.
    pub id: i64,
    /// `check`, `pair` or `analysis`.
    pub kind: String,
    /// What the worker last said: the report so far of a check, the position of a game as JSON.
    pub progress: String,
}

/// The numbers of jobs.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct JobCounts {
    /// Checks that wait.
    pub checks: i64,
    /// Pairs that somebody asked for and that wait.
    pub pairs: i64,
    /// Jobs that are being done.
    pub running: i64,
    /// Jobs that were given up.
    pub failed: i64,
}

/// Orders a job.
pub(super) async fn new_job(transaction: &mut Write, kind: JobKind, subject: i64, now: Millis) -> Result<i64> {
    let (word, priority) = kind.word();
    let (id,): (i64,) = sqlx::query_as(
        "INSERT INTO job (kind, subject, priority, state, created, not_before, attempts, lease, lease_until, worker, progress, note)
         VALUES ($1, $2, $3, 'waiting', $4, $4, 0, NULL, 0, '', '', '') RETURNING id",
    )
    .bind(word)
    .bind(subject)
    .bind(priority)
    .bind(now)
    .fetch_one(&mut **transaction)
    .await?;
    Ok(id)
}

/// Ends a job whose lease is still held. Returns whether it was: otherwise its result must not count.
pub(super) async fn end_job(transaction: &mut Write, job: i64, token: &str) -> Result<bool> {
    let done = sqlx::query(
        "UPDATE job SET state = 'done', lease = NULL, progress = '' WHERE id = $1 AND lease = $2 AND state = 'leased'",
    )
    .bind(job)
    .bind(token)
    .execute(&mut **transaction)
    .await?;
    Ok(done.rows_affected() == 1)
}

impl Store {
    /// Returns whether a lease is held, and of which work.
    pub(crate) async fn leased(&self, job: i64, token: &str) -> Result<Option<(String, i64)>> {
        Ok(sqlx::query_as("SELECT kind, subject FROM job WHERE id = $1 AND lease = $2 AND state = 'leased'")
            .bind(job)
            .bind(token)
            .fetch_optional(&self.read)
            .await?)
    }

    /// Extends a lease, and keeps what the worker says. Returns whether the lease is still held.
    pub(crate) async fn heartbeat(&self, job: i64, token: &str, progress: &str, now: Millis) -> Result<bool> {
        let done = sqlx::query("UPDATE job SET lease_until = $1, progress = $2 WHERE id = $3 AND lease = $4")
            .bind(now + LEASE_TIME)
            .bind(progress)
            .bind(job)
            .bind(token)
            .execute(&self.write)
            .await?;
        Ok(done.rows_affected() == 1)
    }

    /// Extends a lease. Returns whether it is still held.
    pub(crate) async fn extend(&self, job: i64, token: &str, now: Millis) -> Result<bool> {
        let done = sqlx::query("UPDATE job SET lease_until = $1 WHERE id = $2 AND lease = $3")
            .bind(now + LEASE_TIME)
            .bind(job)
            .bind(token)
            .execute(&self.write)
            .await?;
        Ok(done.rows_affected() == 1)
    }

    /// Gives a job back that the machine could not do. It is begun again after a pause, by any worker.
    pub(crate) async fn give_back(&self, job: i64, token: &str, why: &str, now: Millis) -> Result<()> {
        let mut transaction = self.begin().await?;
        let given: Option<(i64,)> = sqlx::query_as(
            "UPDATE job SET state = 'waiting', lease = NULL, progress = '', note = $1, not_before = $2
             WHERE id = $3 AND lease = $4 RETURNING attempts",
        )
        .bind(why)
        .bind(now + PAUSE)
        .bind(job)
        .bind(token)
        .fetch_optional(&mut *transaction)
        .await?;
        if let Some((attempts,)) = given {
            note(&mut transaction, now, None, "the machine failed", &format!("job {job}, attempt {attempts}: {why}"))
                .await?;
        }
        transaction.commit().await?;
        Ok(())
    }

    /// Takes a lease back of a worker that ends in order, at no cost to the job.
    pub(crate) async fn release(&self, job: i64, token: &str) -> Result<()> {
        sqlx::query(
            "UPDATE job SET state = 'waiting', lease = NULL, progress = '', attempts = attempts - 1 WHERE id = $1 AND lease = $2",
        )
        .bind(job)
        .bind(token)
        .execute(&self.write)
        .await?;
        Ok(())
    }

    /// Orders the analysis of a pair, unless it has been ordered.
    pub(crate) async fn order_analysis(&self, pair: i64, now: Millis) -> Result<()> {
        let mut transaction = self.begin().await?;
        let ordered: Option<(i64,)> = sqlx::query_as(
            "SELECT id FROM job WHERE kind = 'analysis' AND subject = $1 AND state IN ('waiting', 'leased')",
        )
        .bind(pair)
        .fetch_optional(&mut *transaction)
        .await?;
        if ordered.is_none() {
            new_job(&mut transaction, JobKind::Analysis, pair, now).await?;
        }
        transaction.commit().await?;
        Ok(())
    }

    /// Returns the jobs that are being done.
    pub(crate) async fn running(&self) -> Result<Vec<RunningJob>> {
        Ok(sqlx::query_as("SELECT id, kind, progress FROM job WHERE state = 'leased' ORDER BY id")
            .fetch_all(&self.read)
            .await?)
    }

    /// Returns the newest job of a kind for a subject: its state, progress, note and number of attempts.
    pub(crate) async fn job_of(&self, kind: JobKind, subject: i64) -> Result<Option<(String, String, String, i64)>> {
        Ok(sqlx::query_as(
            "SELECT state, progress, note, attempts FROM job WHERE kind = $1 AND subject = $2 ORDER BY id DESC LIMIT 1",
        )
        .bind(kind.word().0)
        .bind(subject)
        .fetch_optional(&self.read)
        .await?)
    }

    /// Returns the number of checks that wait before the one of a submission.
    pub(crate) async fn checks_before(&self, submission: i64) -> Result<i64> {
        let (count,): (i64,) = sqlx::query_as(
            "SELECT COUNT(*) FROM job WHERE kind = 'check' AND state = 'waiting'
             AND id < (SELECT MIN(id) FROM job WHERE kind = 'check' AND subject = $1 AND state = 'waiting')",
        )
        .bind(submission)
        .fetch_one(&self.read)
        .await?;
        Ok(count)
    }

    /// Returns the numbers of jobs.
    pub(crate) async fn job_counts(&self) -> Result<JobCounts> {
        let rows: Vec<(String, String, i64)> = sqlx::query_as(
            "SELECT kind, state, COUNT(*) FROM job WHERE state IN ('waiting', 'leased', 'failed') GROUP BY kind, state",
        )
        .fetch_all(&self.read)
        .await?;
        let mut counts = JobCounts::default();
        for (kind, state, count) in rows {
            match (kind.as_str(), state.as_str()) {
                ("check", "waiting") => counts.checks += count,
                ("pair", "waiting") => counts.pairs += count,
                (_, "leased") => counts.running += count,
                (_, "failed") => counts.failed += count,
                _ => {}
            }
        }
        Ok(counts)
    }
}
