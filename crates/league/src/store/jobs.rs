//! Jobs: what there is to do for the workers, and what they say while they do it.

use super::settings::note;
use super::{LeagueStore, Write};
use super::{execute, scalar, sql};
use crate::clock::{MINUTE, Millis};
use anyhow::Result;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// The silence of a worker after which its job is given to another one.
pub(super) const LEASE_TIME: Millis = MINUTE;
/// The pause before a job that a machine failed at is begun again; it doubles with each attempt.
pub(super) const PAUSE: Millis = MINUTE / 2;
pub(super) const LONGEST_PAUSE: Millis = 10 * MINUTE;
/// Analyses that wait, of all people together.
const MOST_ANALYSES: i64 = 50;

pub(super) fn pause_after(attempts: i64) -> Millis {
    (PAUSE << (attempts - 1).clamp(0, 10)).min(LONGEST_PAUSE)
}

/// The kinds of jobs, the most urgent first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JobKind {
    Check,
    Final,
    /// Play a pair of games that somebody asked for, or one of the ladder.
    Pair,
    Analysis,
}

impl JobKind {
    /// The word in the database, and the priority.
    const fn word(self) -> (&'static str, i64) {
        match self {
            JobKind::Check => ("check", 0),
            JobKind::Final => ("pair", 1),
            JobKind::Pair => ("pair", 2),
            JobKind::Analysis => ("analysis", 3),
        }
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct PlayerOrder {
    pub submission: i64,
    pub name: String,
    /// The command that starts the program in its folder. The players of baselines are in the
    /// settings.
    pub command: String,
    /// The language by its name in the table of languages, and what ran the program in its check
    /// ([`CheckResult::runtime`](super::CheckResult::runtime)).
    #[serde(default)]
    pub language: String,
    #[serde(default)]
    pub runtime: String,
    pub baseline: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Work {
    Check {
        submission: i64,
        name: String,
        file_name: String,
        digest: String,
    },
    Pair {
        pair: i64,
        /// The seed of the opening and of random players.
        seed: i64,
        /// The players; the first one moves first in the first game.
        players: Box<[PlayerOrder; 2]>,
    },
    Analysis {
        pair: i64,
    },
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Lease {
    pub job: i64,
    pub token: String,
    pub work: Work,
}

super::row! {
#[derive(Clone, Debug)]
pub(crate) struct RunningJob {
    pub id: i64,
    /// `check`, `pair` or `analysis`.
    pub kind: String,
    /// The last message of the worker: the report so far of a check, the position of a game as
    /// JSON.
    pub progress: String,
}
}

super::row! {
#[derive(Clone, Debug)]
pub(crate) struct OpenJob {
    pub id: i64,
    pub kind: String,
    /// `waiting` or `leased`.
    pub state: String,
    pub created: Millis,
    pub worker: String,
    pub note: String,
    /// The player whose program is checked, or the first of a pair.
    pub one: String,
    /// The other player of a pair, or nothing.
    pub other: String,
}
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct JobCounts {
    pub checks: i64,
    pub pairs: i64,
    pub running: i64,
    /// Jobs that wait since a machine failed at them.
    pub delayed: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AnalysisOrder {
    Ordered,
    TooManyOfPerson,
    TooManyWait,
}

pub(super) async fn new_job(
    transaction: &mut Write,
    kind: JobKind,
    subject: i64,
    now: Millis,
) -> Result<i64> {
    let (word, priority) = kind.word();
    Ok(scalar!(fetch_one(&mut **transaction), "INSERT INTO job (kind, subject, priority, state, created, not_before, attempts, lease, lease_until, worker, progress, note)
         VALUES ($1, $2, $3, 'waiting', $4, $4, 0, NULL, 0, '', '', '') RETURNING id", word, subject, priority, now))
}

/// Writes into the log that a machine failed at a job: at the first attempt, and then more and more
/// seldom.
pub(super) async fn note_failure(
    transaction: &mut Write,
    job: i64,
    attempts: i64,
    why: &str,
    now: Millis,
) -> Result<()> {
    if attempts > 0 && attempts & (attempts - 1) == 0 {
        let detail = format!("job {job}, attempt {attempts}: {why}");
        note(transaction, now, None, "the machine failed", &detail).await?;
    }
    Ok(())
}

/// Ends a job whose lease is still held. Returns whether it was: otherwise its result must not
/// count.
pub(super) async fn end_job(transaction: &mut Write, job: i64, token: &str) -> Result<bool> {
    let done = execute!(
        &mut **transaction,
        "UPDATE job SET state = 'done', lease = NULL, progress = '' WHERE id = $1 AND lease = $2 AND state = 'leased'",
        job,
        token
    );
    Ok(done.rows_affected() == 1)
}

/// Ends the pairs whose jobs were ended before they were played.
pub(super) async fn end_pairs_without_jobs(transaction: &mut Write) -> Result<()> {
    execute!(
        &mut **transaction,
        "UPDATE pair SET state = 'failed' WHERE state = 'open' AND NOT EXISTS
             (SELECT 1 FROM job WHERE kind = 'pair' AND subject = pair.id AND state IN ('waiting', 'leased'))"
    );
    Ok(())
}

impl LeagueStore {
    /// Returns whether a lease is held, and of which work.
    pub(crate) async fn leased(&self, job: i64, token: &str) -> Result<Option<(String, i64)>> {
        Ok(sql!(
            fetch_optional(&self.read),
            "SELECT kind, subject FROM job WHERE id = $1 AND lease = $2 AND state = 'leased'",
            job,
            token
        ))
    }

    /// Extends a lease, and keeps what the worker says. Returns whether the lease is still held.
    pub(crate) async fn heartbeat(
        &self,
        job: i64,
        token: &str,
        progress: &str,
        now: Millis,
    ) -> Result<bool> {
        let done = execute!(
            &self.write,
            "UPDATE job SET lease_until = $1, progress = $2 WHERE id = $3 AND lease = $4",
            now + LEASE_TIME,
            progress,
            job,
            token
        );
        Ok(done.rows_affected() == 1)
    }

    /// Gives a job back that the machine could not do. Any worker begins it again after a pause.
    pub(crate) async fn give_back(
        &self,
        job: i64,
        token: &str,
        why: &str,
        now: Millis,
    ) -> Result<()> {
        let mut transaction = self.begin().await?;
        let given: Option<i64> = scalar!(
            fetch_optional(&mut *transaction),
            "UPDATE job SET state = 'waiting', lease = NULL, progress = '', note = $1
             WHERE id = $2 AND lease = $3 RETURNING attempts",
            why,
            job,
            token
        );
        let Some(attempts) = given else { return Ok(()) };
        let not_before = now + pause_after(attempts);
        execute!(
            &mut *transaction,
            "UPDATE job SET not_before = $1 WHERE id = $2",
            not_before,
            job
        );
        note_failure(&mut transaction, job, attempts, why, now).await?;
        Ok(transaction.commit().await?)
    }

    /// Takes a lease back of a worker that ends in order, at no cost to the job.
    pub(crate) async fn release(&self, job: i64, token: &str) -> Result<()> {
        execute!(
            &self.write,
            "UPDATE job SET state = 'waiting', lease = NULL, progress = '', attempts = attempts - 1 WHERE id = $1 AND lease = $2",
            job,
            token
        );
        Ok(())
    }

    /// Orders the analysis of a pair, unless it has been ordered. A person has `most` since a time.
    pub(crate) async fn order_analysis(
        &self,
        pair: i64,
        person: i64,
        (since, most): (Millis, i64),
        now: Millis,
    ) -> Result<AnalysisOrder> {
        // Two requests at once must not make two jobs.
        let mut transaction = self.begin_alone().await?;
        let ordered: Option<i64> = scalar!(
            fetch_optional(&mut *transaction),
            "SELECT id FROM job WHERE kind = 'analysis' AND subject = $1 AND state IN ('waiting', 'leased')",
            pair
        );
        if ordered.is_some() {
            return Ok(AnalysisOrder::Ordered);
        }
        let of_person: i64 = scalar!(
            fetch_one(&mut *transaction),
            "SELECT COUNT(*) FROM job WHERE asked_by = $1 AND created >= $2 AND kind = 'analysis'",
            person,
            since
        );
        if of_person >= most {
            return Ok(AnalysisOrder::TooManyOfPerson);
        }
        let wait: i64 = scalar!(
            fetch_one(&mut *transaction),
            "SELECT COUNT(*) FROM job WHERE kind = 'analysis' AND state IN ('waiting', 'leased')"
        );
        if wait >= MOST_ANALYSES {
            return Ok(AnalysisOrder::TooManyWait);
        }
        let job = new_job(&mut transaction, JobKind::Analysis, pair, now).await?;
        execute!(&mut *transaction, "UPDATE job SET asked_by = $1 WHERE id = $2", person, job);
        note(&mut transaction, now, Some(person), "asked for an analysis", &format!("pair {pair}"))
            .await?;
        transaction.commit().await?;
        Ok(AnalysisOrder::Ordered)
    }

    pub(crate) async fn running(&self) -> Result<Vec<RunningJob>> {
        Ok(sql!(
            fetch_all(&self.read),
            "SELECT id, kind, progress FROM job WHERE state = 'leased' ORDER BY id"
        ))
    }

    /// Returns the jobs that wait or are being done, in the order in which they are begun.
    pub(crate) async fn open_jobs(&self, most: i64) -> Result<Vec<OpenJob>> {
        Ok(sql!(fetch_all(&self.read), "SELECT job.id, job.kind, job.state, job.created, job.worker, job.note,
                 COALESCE((SELECT entrant.name FROM submission JOIN entrant ON entrant.id = submission.entrant
                     WHERE submission.id = CASE WHEN job.kind = 'check' THEN subject ELSE pair.one END), '') AS one,
                 COALESCE((SELECT entrant.name FROM submission JOIN entrant ON entrant.id = submission.entrant
                     WHERE submission.id = pair.other), '') AS other
             FROM job LEFT JOIN pair ON job.kind <> 'check' AND pair.id = job.subject
             WHERE job.state IN ('waiting', 'leased') ORDER BY job.state, job.priority, job.id LIMIT $1", most))
    }

    /// Cancels a pair of games or an analysis; what its worker reports no longer counts. Returns
    /// whether there was such a job.
    pub(crate) async fn cancel(&self, job: i64, person: i64, now: Millis) -> Result<bool> {
        let mut transaction = self.begin_alone().await?;
        let found: Option<(String, i64)> = sql!(
            fetch_optional(&mut *transaction),
            "SELECT kind, subject FROM job WHERE id = $1 AND kind <> 'check' AND state IN ('waiting', 'leased')",
            job
        );
        let Some((kind, subject)) = found else { return Ok(false) };
        execute!(
            &mut *transaction,
            "UPDATE job SET state = 'done', lease = NULL, note = 'cancelled' WHERE id = $1",
            job
        );
        end_pairs_without_jobs(&mut transaction).await?;
        note(&mut transaction, now, Some(person), "cancelled a job", &format!("{kind} {subject}"))
            .await?;
        transaction.commit().await?;
        Ok(true)
    }

    /// Returns the newest job of a kind for a subject: its state, progress, note and number of
    /// attempts.
    pub(crate) async fn job_of(
        &self,
        kind: JobKind,
        subject: i64,
    ) -> Result<Option<(String, String, String, i64)>> {
        Ok(sql!(
            fetch_optional(&self.read),
            "SELECT state, progress, note, attempts FROM job WHERE kind = $1 AND subject = $2 ORDER BY id DESC LIMIT 1",
            kind.word().0,
            subject
        ))
    }

    /// The number of checks that wait before the one of a submission: those of other
    /// entrants come in between its own.
    pub(crate) async fn checks_before(&self, submission: i64) -> Result<usize> {
        let rows: Vec<(i64, i64, i64, i64)> = sql!(fetch_all(&self.read), "SELECT job.subject, entrant.id, entrant.checked,
                 (SELECT COUNT(*) FROM job AS other JOIN submission AS own ON own.id = other.subject
                  WHERE other.state = 'leased' AND other.kind = 'check' AND own.entrant = entrant.id)
             FROM job JOIN submission ON submission.id = job.subject JOIN entrant ON entrant.id = submission.entrant
             WHERE job.kind = 'check' AND job.state = 'waiting' ORDER BY job.id");
        let mut earlier: HashMap<i64, i64> = HashMap::new();
        let mut order = Vec::new();
        for (at, (subject, entrant, checked, running)) in rows.into_iter().enumerate() {
            let before = earlier.entry(entrant).or_default();
            let last = if *before == 0 { checked } else { Millis::MAX };
            order.push((running + *before, last, at, subject));
            *before += 1;
        }
        let own = order.iter().filter(|(.., subject)| *subject == submission).min();
        Ok(own.map_or(0, |own| order.iter().filter(|other| *other < own).count()))
    }

    pub(crate) async fn job_counts(&self) -> Result<JobCounts> {
        let rows: Vec<(String, String, i64)> = sql!(
            fetch_all(&self.read),
            "SELECT kind, state, COUNT(*) FROM job WHERE state IN ('waiting', 'leased') GROUP BY kind, state"
        );
        let delayed: i64 = scalar!(
            fetch_one(&self.read),
            "SELECT COUNT(*) FROM job WHERE state = 'waiting' AND attempts > 0"
        );
        let mut counts = JobCounts { delayed, ..JobCounts::default() };
        for (kind, state, count) in rows {
            match (kind.as_str(), state.as_str()) {
                ("check", "waiting") => counts.checks += count,
                ("pair", "waiting") => counts.pairs += count,
                (_, "leased") => counts.running += count,
                _ => {}
            }
        }
        Ok(counts)
    }
}
