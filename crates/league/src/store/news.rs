//! News of a person, for feeds.

use super::people::Person;
use super::{LeagueStore, sql};
use crate::clock::Millis;
use anyhow::Result;

super::row! {
#[derive(Clone, Debug)]
pub(crate) struct News {
    pub at: Millis,
    /// The path of the page with more.
    pub page: String,
    pub text: String,
}
}

impl LeagueStore {
    /// Returns the newest news of a person: checks and pauses of own programs, remarks of others,
    /// requests and results of games that were asked for, and what the staff did for all. The staff
    /// has what students ask.
    pub(crate) async fn news(&self, person: &Person, most: i64) -> Result<Vec<News>> {
        Ok(sql!(
            fetch_all(&self.read),
            "SELECT received AS at, '/submissions/' || id AS page,
                 'Version ' || number || ': ' || CASE state WHEN 'withdrawn' THEN 'withdrawn by the staff' ELSE verdict END
                 || COALESCE('; ' || paused, '') AS text
             FROM submission WHERE entrant = $1 AND state <> 'waiting'
             UNION ALL SELECT remark.at, '/submissions/' || submission.id, person.name || ': ' || text
             FROM remark JOIN person ON person.id = remark.person JOIN submission ON submission.id = remark.submission
             WHERE remark.person <> $2 AND (submission.entrant = $1 OR $3 = 1 AND asks = 1)
             UNION ALL SELECT created, '/mine', entrant.name || ' asks for two unrated games'
             FROM pair JOIN submission AS asking ON asking.id = one JOIN submission AS asked ON asked.id = other
                 JOIN entrant ON entrant.id = asking.entrant
             WHERE pair.state = 'asked' AND asked.entrant = $1
             UNION ALL SELECT ended, '/games/' || game.id, pair.reason || ': ' || white.name || ' against ' || black.name || ', '
                 || CASE winner WHEN 0 THEN white.name || ' wins' WHEN 1 THEN black.name || ' wins' ELSE 'a draw' END
             FROM game JOIN pair ON pair.id = game.pair
                 JOIN entrant AS white ON white.id = (SELECT entrant FROM submission WHERE submission.id = first)
                 JOIN entrant AS black ON black.id = (SELECT entrant FROM submission WHERE submission.id = second)
             WHERE pair.reason <> 'ladder' AND $1 IN (white.id, black.id)
             UNION ALL SELECT at, '/', 'The staff ' || action || CASE detail WHEN '' THEN '' ELSE ': ' || detail END
             FROM audit WHERE action IN ('set the message', 'froze the ladder', 'closed uploads and choices', 'let the ladder go on', 'ordered the final')
             ORDER BY at DESC LIMIT $4",
            person.entrant,
            person.id,
            i64::from(person.is_staff()),
            most
        ))
    }
}
