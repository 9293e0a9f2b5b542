//! Remarks on submissions, by the staff and by students who ask to look again.

use super::LeagueStore;
use crate::clock::Millis;
use anyhow::Result;

/// A remark on a submission.
#[derive(Clone, Debug)]
pub(crate) struct Remark {
    /// The name of the person who wrote it.
    pub who: String,
    /// The time of writing.
    pub at: Millis,
    /// The words.
    pub text: String,
    /// 1 if a student asks the staff to look again.
    pub asks: i64,
}

super::from_row!(Remark { who, at, text, asks });

/// A submission about which a student asks, and whom nobody of the staff has answered.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    /// The submission.
    pub submission: i64,
    /// The player.
    pub player: String,
    /// The number among the player's versions.
    pub number: i64,
    /// When it was asked.
    pub at: Millis,
}

super::from_row!(Question { submission, player, number, at });

impl LeagueStore {
    /// Adds a remark.
    pub(crate) async fn remark(
        &self,
        submission: i64,
        person: i64,
        (text, asks): (&str, bool),
        now: Millis,
    ) -> Result<()> {
        sqlx::query(
            "INSERT INTO remark (submission, person, at, text, asks) VALUES ($1, $2, $3, $4, $5)",
        )
        .bind(submission)
        .bind(person)
        .bind(now)
        .bind(text)
        .bind(i64::from(asks))
        .execute(&self.write)
        .await?;
        Ok(())
    }

    /// Returns the number of remarks of a person since a time.
    pub(crate) async fn remarks_since(&self, person: i64, since: Millis) -> Result<i64> {
        let (count,): (i64,) =
            sqlx::query_as("SELECT COUNT(*) FROM remark WHERE person = $1 AND at >= $2")
                .bind(person)
                .bind(since)
                .fetch_one(&self.read)
                .await?;
        Ok(count)
    }

    /// Returns the remarks on a submission, in order.
    pub(crate) async fn remarks(&self, submission: i64) -> Result<Vec<Remark>> {
        Ok(sqlx::query_as(
            "SELECT person.name AS who, at, text, asks FROM remark JOIN person ON person.id = remark.person
             WHERE submission = $1 ORDER BY remark.id",
        )
        .bind(submission)
        .fetch_all(&self.read)
        .await?)
    }

    /// Returns what students ask and nobody of the staff has answered, the oldest first.
    pub(crate) async fn questions(&self) -> Result<Vec<Question>> {
        Ok(sqlx::query_as(
            "SELECT submission.id AS submission, entrant.name AS player, number, MAX(remark.at) AS at
             FROM remark JOIN submission ON submission.id = remark.submission JOIN entrant ON entrant.id = submission.entrant
             WHERE asks = 1 AND NOT EXISTS (SELECT 1 FROM remark AS answer JOIN person ON person.id = answer.person
                 WHERE answer.submission = remark.submission AND answer.id > remark.id AND person.role <> 'student')
             GROUP BY submission.id, entrant.name, number ORDER BY at",
        )
        .fetch_all(&self.read)
        .await?)
    }
}
