//! Leases: a worker gets a job for a minute at a time, and its result counts only while the lease
//! is held.

use super::jobs::{
    JobKind, LEASE_TIME, LONGEST_PAUSE, Lease, PlayerOrder, Work, end_job, new_job, note_failure,
    pause_after,
};
use super::ladder::{LadderLimits, next_pair};
use super::submissions::{CheckResult, checked};
use super::{LeagueStore, Write};
use super::{execute, scalar, sql};
use crate::clock::Millis;
use crate::secret::new_secret;
use anyhow::Result;
use std::sync::atomic::Ordering;

impl LeagueStore {
    /// Leases the most urgent job; `None` if there is nothing to do. Analyses come after all else
    /// that was ordered, and take turns with the pairs of the ladder, which has no end.
    pub(crate) async fn lease(
        &self,
        worker: &str,
        limits: &LadderLimits,
        now: Millis,
    ) -> Result<Option<Lease>> {
        let standings = self.standings().await?;
        let unknown = match limits.closing {
            Some(within) => Some(self.unknown(within).await?),
            None => None,
        };
        let mut transaction = self.begin_alone().await?;
        end_leases(&mut transaction, now).await?;
        let mut next = take_next(&mut transaction, false, worker, now).await?;
        if next.is_none() && !self.analysed.load(Ordering::Relaxed) {
            next = take_next(&mut transaction, true, worker, now).await?;
        }
        if next.is_none()
            && let Some(pair) =
                next_pair(&mut transaction, &standings, limits, unknown.as_ref(), now).await?
        {
            new_job(&mut transaction, JobKind::Pair, pair, now).await?;
            next = take_next(&mut transaction, false, worker, now).await?;
            self.analysed.store(false, Ordering::Relaxed);
        }
        if next.is_none() {
            next = take_next(&mut transaction, true, worker, now).await?;
        }
        transaction.commit().await?;
        let Some((job, token, kind, subject)) = next else {
            if unknown.is_some_and(|unknown| unknown.is_empty()) {
                let open: i64 = scalar!(
                    fetch_one(&self.read),
                    "SELECT (SELECT COUNT(*) FROM pair WHERE state = 'open')
                         + (SELECT COUNT(*) FROM job WHERE kind = 'check' AND state IN ('waiting', 'leased'))"
                );
                if open == 0 {
                    self.freeze(None, now).await?;
                }
            }
            return Ok(None);
        };
        if kind == "analysis" {
            self.analysed.store(true, Ordering::Relaxed);
        }
        Ok(Some(Lease { job, token, work: self.work(&kind, subject).await? }))
    }

    async fn work(&self, kind: &str, subject: i64) -> Result<Work> {
        match kind {
            "check" => {
                let (name, file_name, digest): (String, String, String) = sql!(
                    fetch_one(&self.read),
                    "SELECT entrant.name, file_name, digest FROM submission JOIN entrant ON entrant.id = submission.entrant WHERE submission.id = $1",
                    subject
                );
                Ok(Work::Check { submission: subject, name, file_name, digest })
            }
            "pair" => {
                let (one, other, seed): (i64, i64, i64) = sql!(
                    fetch_one(&self.read),
                    "SELECT one, other, seed FROM pair WHERE id = $1",
                    subject
                );
                let mut players = [self.player(one).await?, self.player(other).await?];
                if players[0].name == players[1].name {
                    for player in &mut players {
                        let number =
                            self.submission(player.submission).await?.map(|row| row.number);
                        player.name += &format!(" v{}", number.unwrap_or_default());
                    }
                }
                Ok(Work::Pair { pair: subject, seed, players: Box::new(players) })
            }
            _ => Ok(Work::Analysis { pair: subject }),
        }
    }

    async fn player(&self, submission: i64) -> Result<PlayerOrder> {
        let (name, kind, command, language, runtime): (String, String, String, String, String) = sql!(
            fetch_one(&self.read),
            "SELECT entrant.name, kind, command, language, runtime FROM submission JOIN entrant ON entrant.id = submission.entrant WHERE submission.id = $1",
            submission
        );
        Ok(PlayerOrder {
            submission,
            name,
            command,
            language,
            runtime,
            baseline: kind == "baseline",
        })
    }

    /// Keeps the analyses of the games of a pair. Returns whether they count.
    pub(crate) async fn finish_analysis(
        &self,
        job: i64,
        token: &str,
        pair: i64,
        texts: &[String; 2],
    ) -> Result<bool> {
        let mut transaction = self.begin().await?;
        if !end_job(&mut transaction, job, token).await? {
            return Ok(false);
        }
        for (half, text) in (1_i64..).zip(texts) {
            execute!(
                &mut *transaction,
                "UPDATE game SET analysis = $1 WHERE pair = $2 AND half = $3",
                text,
                pair,
                half
            );
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
        // Two equal programs must not both be the first one.
        let mut transaction = self.begin_alone().await?;
        if !end_job(&mut transaction, job, token).await? {
            return Ok(false);
        }
        checked(&mut transaction, submission, result).await?;
        transaction.commit().await?;
        Ok(true)
    }
}

/// Leases the most urgent job that waits, an analysis or anything else. Checks go in turn: one of
/// the entrant with the fewest running, then of the one that has waited longest. Returns job,
/// secret of the lease, kind and subject.
async fn take_next(
    transaction: &mut Write,
    analyses: bool,
    worker: &str,
    now: Millis,
) -> Result<Option<(i64, String, String, i64)>> {
    let token = new_secret();
    // No pause ends after `$5`, unless the clock was set back.
    let next: Option<(i64, String, i64)> = sql!(
        fetch_optional(&mut **transaction),
        "UPDATE job SET state = 'leased', lease = $1, lease_until = $2, worker = $3, attempts = attempts + 1
         WHERE state = 'waiting' AND id = (SELECT job.id FROM job
             LEFT JOIN submission ON job.kind = 'check' AND submission.id = job.subject
             LEFT JOIN entrant ON entrant.id = submission.entrant
             WHERE job.state = 'waiting' AND (job.not_before <= $4 OR job.not_before > $5)
                 AND CASE WHEN job.kind = 'analysis' THEN 1 ELSE 0 END = $6
             ORDER BY job.priority,
                 (SELECT COUNT(*) FROM job AS other JOIN submission AS own ON own.id = other.subject
                  WHERE other.state = 'leased' AND other.kind = 'check' AND own.entrant = submission.entrant),
                 COALESCE(entrant.checked, 0), job.id LIMIT 1)
         RETURNING id, kind, subject",
        &token,
        now + LEASE_TIME,
        worker,
        now,
        now + 2 * LONGEST_PAUSE,
        i64::from(analyses)
    );
    let Some((job, kind, subject)) = next else { return Ok(None) };
    if kind == "check" {
        execute!(
            &mut **transaction,
            "UPDATE entrant SET checked = $1 WHERE id = (SELECT entrant FROM submission WHERE id = $2)",
            now,
            subject
        );
    }
    Ok(Some((job, token, kind, subject)))
}

/// The workers that may vanish at a job before it pauses.
const VANISHES: i64 = 3;

/// Ends the leases of silent workers. Their jobs begin again at once, since somebody may have
/// started a machine anew; after some times they wait longer and longer, since a job may be what
/// ends its workers.
async fn end_leases(transaction: &mut Write, now: Millis) -> Result<()> {
    // No lease ends after `$2`, unless the clock was set back.
    let silent: Vec<(i64, i64)> = sql!(
        fetch_all(&mut **transaction),
        "UPDATE job SET state = 'waiting', lease = NULL, progress = '', not_before = $1
         WHERE state = 'leased' AND (lease_until < $1 OR lease_until > $2) RETURNING id, attempts",
        now,
        now + 2 * LEASE_TIME
    );
    for (job, attempts) in silent {
        let failures = attempts - VANISHES;
        if failures > 0 {
            let not_before = now + pause_after(failures);
            execute!(
                &mut **transaction,
                "UPDATE job SET not_before = $1 WHERE id = $2",
                not_before,
                job
            );
            note_failure(transaction, job, failures, "the worker vanished", now).await?;
        }
    }
    Ok(())
}
