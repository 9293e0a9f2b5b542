//! Submissions: everything that was handed in, and which of it plays.

use super::jobs::{JobKind, end_pairs_without_jobs, new_job};
use super::people::entrant;
use super::settings::note;
use super::{LeagueStore, Write};
use super::{execute, scalar, sql};
use crate::clock::Millis;
use anyhow::{Result, bail};
use std::collections::HashMap;

#[derive(Default)]
pub(crate) struct NewSubmission<'a> {
    pub entrant: i64,
    pub person: Option<i64>,
    pub received: Millis,
    pub late: bool,
    pub file_name: &'a str,
    pub bytes: u64,
    pub digest: &'a str,
}

super::row! {
#[derive(Clone, Debug)]
pub(crate) struct SubmissionRow {
    pub id: i64,
    pub entrant: i64,
    pub name: String,
    pub number: i64,
    pub received: Millis,
    /// 1 if that was after the deadline.
    pub late: i64,
    pub file_name: String,
    pub bytes: i64,
    /// Its SHA-256; empty for a baseline.
    pub digest: String,
    /// `waiting`, `plays`, `refused` or `withdrawn`.
    pub state: String,
    pub verdict: String,
    pub report: String,
    pub paused: Option<String>,
}
}

macro_rules! select_submissions {
    ($rest:literal) => {
        concat!(
            "SELECT submission.id, entrant, entrant.name, number, received, late, file_name, bytes, digest, state,
             verdict, report, paused
             FROM submission JOIN entrant ON entrant.id = submission.entrant ",
            $rest
        )
    };
}

#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct CheckResult {
    pub plays: bool,
    pub language: String,
    pub command: String,
    pub verdict: String,
    pub report: String,
    /// What ran the program, as JSON; empty from workers of earlier versions.
    #[serde(default)]
    pub runtime: String,
    /// A digest of the built program and its command. Workers of older versions send none.
    #[serde(default)]
    pub program: String,
}

impl LeagueStore {
    /// Keeps a submission, orders its check, and returns its id and its number among those of the
    /// entrant; `None` if the entrant has handed in `a_day` since the beginning of the day.
    pub(crate) async fn receive(
        &self,
        new: &NewSubmission<'_>,
        since: Millis,
        a_day: u32,
    ) -> Result<Option<(i64, i64)>> {
        let mut transaction = self.begin_alone().await?;
        let today: i64 = scalar!(
            fetch_one(&mut *transaction),
            "SELECT COUNT(*) FROM submission WHERE entrant = $1 AND received >= $2",
            new.entrant,
            since
        );
        if today >= i64::from(a_day) {
            return Ok(None);
        }
        let (id, number) = insert(&mut transaction, new, "waiting", "").await?;
        new_job(&mut transaction, JobKind::Check, id, new.received).await?;
        transaction.commit().await?;
        Ok(Some((id, number)))
    }

    pub(crate) async fn submissions_since(&self, entrant: i64, since: Millis) -> Result<i64> {
        Ok(scalar!(
            fetch_one(&self.read),
            "SELECT COUNT(*) FROM submission WHERE entrant = $1 AND received >= $2",
            entrant,
            since
        ))
    }

    /// Adds or changes a baseline, which plays at once. `player` is its player as JSON.
    pub(crate) async fn set_baseline(&self, name: &str, player: &str, now: Millis) -> Result<i64> {
        let mut transaction = self.begin().await?;
        let entrant = entrant(&mut transaction, name, "baseline").await?;
        let current: Option<(i64, String)> = sql!(
            fetch_optional(&mut *transaction),
            "SELECT submission.id, command FROM entrant JOIN submission ON submission.id = entrant.active WHERE entrant.id = $1",
            entrant
        );
        if let Some((id, command)) = current
            && command == player
        {
            return Ok(id);
        }
        let new = NewSubmission { entrant, received: now, ..NewSubmission::default() };
        let (id, _) = insert(&mut transaction, &new, "plays", player).await?;
        set_active(&mut transaction, entrant, id).await?;
        transaction.commit().await?;
        Ok(id)
    }

    /// Takes baselines off the ladder that are not in the list.
    pub(crate) async fn keep_baselines(&self, names: &[String]) -> Result<()> {
        let all: Vec<(i64, String)> =
            sql!(fetch_all(&self.read), "SELECT id, name FROM entrant WHERE kind = 'baseline'");
        for (id, _) in all.iter().filter(|(_, name)| !names.contains(name)) {
            execute!(&self.write, "UPDATE entrant SET active = NULL WHERE id = $1", id);
        }
        Ok(())
    }

    pub(crate) async fn submission(&self, id: i64) -> Result<Option<SubmissionRow>> {
        Ok(sql!(fetch_optional(&self.read), select_submissions!("WHERE submission.id = $1"), id))
    }

    pub(crate) async fn submissions_of(&self, entrant: i64) -> Result<Vec<SubmissionRow>> {
        Ok(sql!(
            fetch_all(&self.read),
            select_submissions!("WHERE entrant = $1 ORDER BY number DESC"),
            entrant
        ))
    }

    pub(crate) async fn newest_submissions(&self) -> Result<HashMap<i64, SubmissionRow>> {
        let rows: Vec<SubmissionRow> = sql!(
            fetch_all(&self.read),
            select_submissions!(
                "WHERE digest <> '' AND number = (SELECT MAX(number) FROM submission AS other WHERE other.entrant = submission.entrant)"
            )
        );
        Ok(rows.into_iter().map(|row| (row.entrant, row)).collect())
    }

    /// Lets a submission that plays be the one of its entrant.
    ///
    /// # Errors
    /// The submission does not play.
    pub(crate) async fn activate(&self, id: i64, person: Option<i64>, now: Millis) -> Result<()> {
        let mut transaction = self.begin().await?;
        let row: Option<(i64, String)> = sql!(
            fetch_optional(&mut *transaction),
            "SELECT entrant, state FROM submission WHERE id = $1",
            id
        );
        let Some((entrant, state)) = row else { bail!("no submission {id}") };
        if state != "plays" {
            bail!("submission {id} does not play ({state})");
        }
        set_active(&mut transaction, entrant, id).await?;
        execute!(
            &mut *transaction,
            "UPDATE submission SET paused = NULL, faults = 0 WHERE id = $1",
            id
        );
        note(&mut transaction, now, person, "activated", &format!("submission {id}")).await?;
        Ok(transaction.commit().await?)
    }

    /// Takes a submission off the ladder. Its games stay.
    pub(crate) async fn withdraw(&self, id: i64, person: i64, now: Millis) -> Result<()> {
        let mut transaction = self.begin().await?;
        execute!(&mut *transaction, "UPDATE submission SET state = 'withdrawn' WHERE id = $1", id);
        leave_the_ladder(&mut transaction, id).await?;
        // Its check and the games that wait are of no use any more.
        execute!(&mut *transaction, "UPDATE job SET state = 'done' WHERE state = 'waiting' AND (kind = 'check' AND subject = $1
                 OR kind = 'pair' AND subject IN (SELECT id FROM pair WHERE state = 'open' AND (one = $1 OR other = $1)))", id);
        end_pairs_without_jobs(&mut transaction).await?;
        note(&mut transaction, now, Some(person), "withdrew", &format!("submission {id}")).await?;
        Ok(transaction.commit().await?)
    }

    pub(crate) async fn check_again(&self, id: i64, person: i64, now: Millis) -> Result<()> {
        let mut transaction = self.begin().await?;
        // A submission that plays keeps its command, by which its next check knows that it has
        // played.
        execute!(&mut *transaction, "UPDATE submission SET state = 'waiting', command = CASE WHEN state = 'plays' THEN command ELSE '' END
             WHERE id = $1 AND state <> 'waiting' AND digest <> ''", id);
        // A check that waits since a machine failed is begun afresh.
        let waits = execute!(
            &mut *transaction,
            "UPDATE job SET attempts = 0, not_before = $1 WHERE kind = 'check' AND subject = $2 AND state = 'waiting'",
            now,
            id
        );
        if waits.rows_affected() == 0 {
            new_job(&mut transaction, JobKind::Check, id, now).await?;
        }
        let detail = format!("submission {id}");
        note(&mut transaction, now, Some(person), "ordered another check", &detail).await?;
        Ok(transaction.commit().await?)
    }

    /// Returns number, digest and whether it plays, of each submission that was handed in.
    pub(crate) async fn stored_submissions(&self) -> Result<Vec<(i64, String, bool)>> {
        let rows: Vec<(i64, String, String)> = sql!(
            fetch_all(&self.read),
            "SELECT id, digest, state FROM submission WHERE digest <> '' ORDER BY id"
        );
        Ok(rows.into_iter().map(|(id, digest, state)| (id, digest, state == "plays")).collect())
    }

    pub(crate) async fn submission_counts(&self) -> Result<Vec<(String, i64)>> {
        Ok(sql!(
            fetch_all(&self.read),
            "SELECT state, COUNT(*) FROM submission WHERE digest <> '' GROUP BY state ORDER BY state"
        ))
    }
}

/// A program that plays becomes the active one, unless the entrant has a newer one that plays, or
/// the ladder was frozen before it came. One that has played before takes no other's place: that
/// was chosen. One that does not play any more leaves the ladder.
pub(super) async fn checked(transaction: &mut Write, id: i64, result: &CheckResult) -> Result<()> {
    let state = if result.plays { "plays" } else { "refused" };
    let before: Option<String> = scalar!(
        fetch_optional(&mut **transaction),
        "SELECT command FROM submission JOIN entrant ON entrant.id = submission.entrant
         WHERE submission.id = $1 AND entrant.active <> submission.id",
        id
    );
    let has_played_and_gave_way = before.is_some_and(|command| !command.is_empty());
    let kept = execute!(
        &mut **transaction,
        "UPDATE submission SET state = $1, language = $2, command = $3, verdict = $4, report = $5, program = $7,
              runtime = $8,
              twin = COALESCE(twin, (SELECT COALESCE(other.twin, other.id) FROM submission AS other
                  WHERE other.program = $7 AND other.program <> '' AND other.id <> $6 ORDER BY other.id LIMIT 1))
          WHERE id = $6 AND state = 'waiting'",
        state,
        &result.language,
        &result.command,
        &result.verdict,
        &result.report,
        id,
        &result.program,
        &result.runtime
    );
    // The submission may have been withdrawn meanwhile.
    if kept.rows_affected() == 0 {
        return Ok(());
    }
    if !result.plays {
        return leave_the_ladder(transaction, id).await;
    }
    if has_played_and_gave_way {
        return Ok(());
    }
    let newer: Option<(i64, Option<i64>)> = sql!(fetch_optional(&mut **transaction), "SELECT entrant.id, other.number FROM submission JOIN entrant ON entrant.id = submission.entrant
         LEFT JOIN submission AS other ON other.id = entrant.active AND other.number > submission.number
         WHERE submission.id = $1 AND submission.late = 0
             AND submission.id <= COALESCE((SELECT CAST(value AS BIGINT) FROM setting WHERE key = 'frozen-submission'), submission.id)
             AND NOT EXISTS (SELECT 1 FROM setting WHERE key = 'frozen' AND CAST(value AS BIGINT) < submission.received
                 AND NOT EXISTS (SELECT 1 FROM setting WHERE key = 'frozen-submission'))", id);
    if let Some((entrant, None)) = newer {
        set_active(transaction, entrant, id).await?;
    }
    Ok(())
}

async fn leave_the_ladder(transaction: &mut Write, id: i64) -> Result<()> {
    execute!(&mut **transaction, "UPDATE entrant SET active = NULL WHERE active = $1", id);
    Ok(())
}

async fn set_active(transaction: &mut Write, entrant: i64, id: i64) -> Result<()> {
    execute!(&mut **transaction, "UPDATE entrant SET active = $1 WHERE id = $2", id, entrant);
    Ok(())
}

/// Adds a submission, and returns its id and number.
async fn insert(
    transaction: &mut Write,
    new: &NewSubmission<'_>,
    state: &str,
    command: &str,
) -> Result<(i64, i64)> {
    Ok(sql!(
        fetch_one(&mut **transaction),
        "INSERT INTO submission (entrant, person, number, received, late, file_name, bytes, digest, state, language, command,
             verdict, report, faults, paused, trail, counted, debt)
         VALUES ($1, $2, (SELECT COALESCE(MAX(number), 0) + 1 FROM submission WHERE entrant = $1), $3, $4, $5, $6, $7, $8, '', $9,
             '', '', 0, NULL, '', 0, 0.0)
         RETURNING id, number",
        new.entrant,
        new.person,
        new.received,
        i64::from(new.late),
        new.file_name,
        i64::try_from(new.bytes)?,
        new.digest,
        state,
        command
    ))
}
