//! Ratings are computed from the games in the database. Each process keeps their sums in memory,
//! and reads the games that have come since.

use super::known::{Deviations, Known};
use super::{LeagueStore, is_rated, scalar, sql};
use crate::clock::Millis;
use crate::rating::{GameResult, Standings, Twins};
use anyhow::Result;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Deviations are computed anew for each request if that takes less than this, and otherwise at
/// most a part of the time.
const QUICK: Duration = Duration::from_millis(5);
const PAUSE: u32 = 10;

impl LeagueStore {
    /// Returns the deviations of the ratings. While games come faster than these are computed, they
    /// are those of some games before; newer programs have none.
    pub(super) async fn deviations(&self, standings: &Arc<Standings>) -> Result<HashMap<i64, f64>> {
        let mut known = self.deviations.lock().await;
        let holds = known.as_ref().is_some_and(|known| {
            Arc::ptr_eq(&known.standings, standings) || Instant::now() < known.due
        });
        if !holds {
            let (start, standings) = (Instant::now(), Arc::clone(standings));
            let made = tokio::task::spawn_blocking(move || {
                let of = standings.deviations();
                let took = start.elapsed();
                let due = start + if took < QUICK { Duration::ZERO } else { took * PAUSE };
                Deviations { of, standings, due }
            });
            *known = Some(made.await?);
        }
        Ok(known.as_ref().map(|known| known.of.clone()).unwrap_or_default())
    }

    /// Returns the last game that counts, and the time before which games count. A ladder that was
    /// frozen by an earlier version of the program has the time alone.
    pub(super) async fn counted_until(&self) -> Result<(i64, Millis)> {
        let Some(since) = self.frozen().await? else { return Ok((i64::MAX, Millis::MAX)) };
        let last: Option<i64> = scalar!(
            fetch_optional(&self.read),
            "SELECT CAST(value AS BIGINT) FROM setting WHERE key = 'frozen-game'"
        );
        Ok(last.map_or((i64::MAX, since), |last| (last, Millis::MAX)))
    }

    /// Returns the standings after all games. While the ladder is frozen, these are the games that
    /// ended before.
    pub(crate) async fn standings(&self) -> Result<Arc<Standings>> {
        let mut known = self.known.lock().await;
        let until = self.counted_until().await?;
        let twins: Vec<(i64, i64)> =
            sql!(fetch_all(&self.read), "SELECT id, twin FROM submission WHERE twin IS NOT NULL");
        let twins: Twins = twins.into_iter().collect();
        if known.until != until || known.results.twins != twins {
            *known = Known { until, ..Known::default() };
            known.results.twins = twins;
        }
        // A pair is counted while nobody else counts one, so that later games have larger numbers.
        let games: Vec<GameResult> = sql!(
            fetch_all(&self.read),
            concat!(
                "SELECT id, first, second, winner, blamed, opening, moves FROM game WHERE id > $1 AND id <= $2 AND ended < $3 AND ",
                is_rated!(),
                " ORDER BY id"
            ),
            known.last,
            until.0,
            until.1
        );
        if let (Some(standings), []) = (&known.standings, &games[..]) {
            return Ok(Arc::clone(standings));
        }
        // If this is cut short, the next call begins from the first game.
        let Known { mut last, mut results, .. } = std::mem::take(&mut *known);
        *known = tokio::task::spawn_blocking(move || {
            games.iter().for_each(|game| results.add(game));
            last = games.last().map_or(last, |game| game.id);
            let standings = Some(Arc::new(results.standings()));
            Known { last, until, results, standings }
        })
        .await?;
        Ok(Arc::clone(known.standings.as_ref().expect("made above")))
    }
}
