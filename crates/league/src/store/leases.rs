//! Leases: a worker gets a job for a minute at a time, and its result counts only while the lease is held.

use super::jobs::{JobKind, LEASE_TIME, Lease, PAUSE, PlayerOrder, Work, end_job, new_job};
use super::ladder::{Limits, next_pair};
use super::settings::note;
use super::submissions::{CheckResult, checked};
use super::{Store, Write};
use crate::clock::Millis;
use anyhow::Result;

/// How often a job is begun before it is given up.
const MOST_ATTEMPTS: i64 = 5;
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
        let Some(pair) = next_pair(&mut transaction, limits, now).await? else {
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
        result: &CheckResult,
    ) -> Result<bool> {
        let mut transaction = self.begin().await?;
        if !end_job(&mut transaction, job, token).await? {
            return Ok(false);
        }
        checked(&mut transaction, submission, result).await?;
        transaction.commit().await?;
        Ok(true)
    }
}

/// Leases a job within a transaction, and returns the secret of the lease.
async fn take(transaction: &mut Write, job: i64, worker: &str, now: Millis) -> Result<String> {
    let token = crate::secret::new_secret();
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
