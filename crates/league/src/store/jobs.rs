//! Work for the workers: leases, heartbeats, and what happens when a worker vanishes.

use super::settings::note;
use super::{Limits, Store, Write};
use crate::clock::{MINUTE, Millis};
use anyhow::Result;
use serde::{Deserialize, Serialize};
use sqlx::FromRow;

/// How long a worker may be silent before its job is given to another one.
pub(crate) const LEASE_TIME: Millis = MINUTE;
/// How often a job is begun before it is given up.
const MOST_ATTEMPTS: i64 = 5;
/// The pause before a job that failed is begun again.
const PAUSE: Millis = MINUTE / 2;

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
    /// The command that starts the program in its folder; for a baseline its player as JSON.
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
    /// The submission or pair.
    pub subject: i64,
    /// The worker's name.
    pub worker: String,
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
    /// Leases the most urgent job to a worker; `None` if there is nothing to do.
    pub(crate) async fn lease(&self, worker: &str, limits: &Limits, now: Millis) -> Result<Option<Lease>> {
        let mut transaction = self.begin().await?;
        // A lease that ends far in the future was given before the clock was set back.
        sqlx::query(
            "UPDATE job SET state = 'waiting', lease = NULL, progress = ''
             WHERE state = 'leased' AND (lease_until < $1 OR lease_until > $2)",
        )
        .bind(now)
        .bind(now + 2 * LEASE_TIME)
        .execute(&mut *transaction)
        .await?;
        give_up(&mut transaction, now).await?;
        let next = if self.postgres {
            "SELECT id, kind, subject FROM job WHERE state = 'waiting' AND (not_before <= $1 OR not_before > $2)
             ORDER BY priority, id LIMIT 1 FOR UPDATE SKIP LOCKED"
        } else {
            "SELECT id, kind, subject FROM job WHERE state = 'waiting' AND (not_before <= $1 OR not_before > $2)
             ORDER BY priority, id LIMIT 1"
        };
        let next: Option<(i64, String, i64)> =
            sqlx::query_as(next).bind(now).bind(now + 10 * PAUSE).fetch_optional(&mut *transaction).await?;
        if let Some((job, kind, subject)) = next {
            let token = take(&mut transaction, job, worker, now).await?;
            transaction.commit().await?;
            let work = self.work(&kind, subject).await?;
            return Ok(Some(Lease { job, token, work }));
        }
        transaction.commit().await?;
        let mut transaction = self.begin_alone().await?;
        let Some(pair) = super::ladder::next_pair(&mut transaction, limits, now).await? else {
            return Ok(None);
        };
        let job = new_job(&mut transaction, JobKind::Pair, pair, now).await?;
        let token = take(&mut transaction, job, worker, now).await?;
        transaction.commit().await?;
        let work = self.work("pair", pair).await?;
        Ok(Some(Lease { job, token, work }))
    }

    /// Returns what there is to do for a job.
    async fn work(&self, kind: &str, subject: i64) -> Result<Work> {
        match kind {
            "check" => {
                let (name, file_name, digest): (String, String, String) = sqlx::query_as(
                    "SELECT entrant.name, file_name, digest FROM submission JOIN entrant ON entrant.id = submission.entrant WHERE submission.id = $1",
                )
                .bind(subject)
                .fetch_one(&self.read)
                .await?;
                Ok(Work::Check { submission: subject, name, file_name, digest })
            }
            "pair" => {
                let (one, other, seed): (i64, i64, i64) =
                    sqlx::query_as("SELECT one, other, seed FROM pair WHERE id = $1")
                        .bind(subject)
                        .fetch_one(&self.read)
                        .await?;
                let players = [self.player(one).await?, self.player(other).await?];
                Ok(Work::Pair { pair: subject, seed, players: Box::new(players) })
            }
            _ => Ok(Work::Analysis { pair: subject }),
        }
    }

    async fn player(&self, submission: i64) -> Result<PlayerOrder> {
        let (name, kind, command): (String, String, String) = sqlx::query_as(
            "SELECT entrant.name, kind, command FROM submission JOIN entrant ON entrant.id = submission.entrant WHERE submission.id = $1",
        )
        .bind(submission)
        .fetch_one(&self.read)
        .await?;
        Ok(PlayerOrder { submission, name, command, baseline: kind == "baseline" })
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

    /// Keeps the analyses of the games of a pair. Returns whether they count.
    pub(crate) async fn finish_analysis(&self, job: i64, token: &str, pair: i64, texts: &[String; 2]) -> Result<bool> {
        let mut transaction = self.begin().await?;
        if !end_job(&mut transaction, job, token).await? {
            return Ok(false);
        }
        for (half, text) in (1_i64..).zip(texts) {
            sqlx::query("UPDATE game SET analysis = $1 WHERE pair = $2 AND half = $3")
                .bind(text)
                .bind(pair)
                .bind(half)
                .execute(&mut *transaction)
                .await?;
        }
        transaction.commit().await?;
        Ok(true)
    }

    /// Keeps the result of a check. Returns whether it counts.
    pub(crate) async fn finish_check(
        &self,
        job: i64,
        token: &str,
        submission: i64,
        result: &super::CheckResult,
    ) -> Result<bool> {
        let mut transaction = self.begin().await?;
        if !end_job(&mut transaction, job, token).await? {
            return Ok(false);
        }
        super::submissions::checked(&mut transaction, submission, result).await?;
        transaction.commit().await?;
        Ok(true)
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
        Ok(sqlx::query_as("SELECT id, kind, subject, worker, progress FROM job WHERE state = 'leased' ORDER BY id")
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
        let rows: Vec<(String, String, i64)> =
            sqlx::query_as("SELECT kind, state, COUNT(*) FROM job WHERE state <> 'done' GROUP BY kind, state")
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

/// Leases a job within a transaction, and returns the secret of the lease.
async fn take(transaction: &mut Write, job: i64, worker: &str, now: Millis) -> Result<String> {
    let token = super::people::new_secret();
    sqlx::query(
        "UPDATE job SET state = 'leased', lease = $1, lease_until = $2, worker = $3, attempts = attempts + 1 WHERE id = $4",
    )
    .bind(&token)
    .bind(now + LEASE_TIME)
    .bind(worker)
    .bind(job)
    .execute(&mut **transaction)
    .await?;
    Ok(token)
}

/// Gives up jobs that were begun too often, and says so in the log.
async fn give_up(transaction: &mut Write, now: Millis) -> Result<()> {
    let given_up: Vec<(i64, String, i64, String)> = sqlx::query_as(
        "UPDATE job SET state = 'failed' WHERE state = 'waiting' AND attempts >= $1 RETURNING id, kind, subject, note",
    )
    .bind(MOST_ATTEMPTS)
    .fetch_all(&mut **transaction)
    .await?;
    for (job, kind, subject, why) in given_up {
        let failed = match kind.as_str() {
            "check" => "UPDATE submission SET state = 'failed' WHERE id = $1 AND state = 'waiting'",
            "pair" => "UPDATE pair SET state = 'failed' WHERE id = $1 AND state = 'open'",
            _ => "UPDATE game SET analysis = 'The analysis failed.' WHERE pair = $1",
        };
        sqlx::query(failed).bind(subject).execute(&mut **transaction).await?;
        let why = if why.is_empty() { "the worker vanished each time" } else { &why };
        let detail = format!("job {job}: {kind} {subject}, after {MOST_ATTEMPTS} attempts: {why}");
        note(transaction, now, None, "gave up", &detail).await?;
    }
    Ok(())
}
