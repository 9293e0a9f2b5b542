//! Remarks on submissions, by the staff and by students who ask to look again.

use super::LeagueStore;
use super::{execute, scalar, sql};
use crate::clock::Millis;
use anyhow::Result;

super::row! {
#[derive(Clone, Debug)]
pub(crate) struct Remark {
    pub who: String,
    pub at: Millis,
    pub text: String,
    /// 1 if a student asks the staff to look again.
    pub asks: i64,
}
}

super::row! {
/// A submission about which a student asks, and which no teacher has answered.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    pub submission: i64,
    pub player: String,
    pub number: i64,
    pub at: Millis,
}
}

impl LeagueStore {
    pub(crate) async fn remark(
        &self,
        submission: i64,
        person: i64,
        (text, asks): (&str, bool),
        now: Millis,
    ) -> Result<()> {
        execute!(
            &self.write,
            "INSERT INTO remark (submission, person, at, text, asks) VALUES ($1, $2, $3, $4, $5)",
            submission,
            person,
            now,
            text,
            i64::from(asks)
        );
        Ok(())
    }

    pub(crate) async fn remarks_since(&self, person: i64, since: Millis) -> Result<i64> {
        Ok(scalar!(
            fetch_one(&self.read),
            "SELECT COUNT(*) FROM remark WHERE person = $1 AND at >= $2",
            person,
            since
        ))
    }

    pub(crate) async fn remarks(&self, submission: i64) -> Result<Vec<Remark>> {
        Ok(sql!(fetch_all(&self.read), "SELECT person.name AS who, at, text, asks FROM remark JOIN person ON person.id = remark.person
             WHERE submission = $1 ORDER BY remark.id", submission))
    }

    /// Returns what students ask and no teacher has answered, the oldest first.
    pub(crate) async fn questions(&self) -> Result<Vec<Question>> {
        Ok(sql!(fetch_all(&self.read), "SELECT submission.id AS submission, entrant.name AS player, number, MAX(remark.at) AS at
             FROM remark JOIN submission ON submission.id = remark.submission JOIN entrant ON entrant.id = submission.entrant
             WHERE asks = 1 AND NOT EXISTS (SELECT 1 FROM remark AS answer JOIN person ON person.id = answer.person
                 WHERE answer.submission = remark.submission AND answer.id > remark.id AND person.role = 'teacher')
             GROUP BY submission.id, entrant.name, number ORDER BY at"))
    }
}
