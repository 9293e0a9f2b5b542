//! The ladder: who stands where, and who meets whom next. The player of whom least is known meets
//! the one against whom a game tells most: of about the same strength, and seldom met. A submission
//! that has taken more than its share of the workers waits until that is made up for.

use super::jobs::{JobKind, end_pairs_without_jobs, new_job};
use super::{LeagueStore, Write};
use super::{execute, scalar, sql};
use super::{of_the_final, rated_games};
use crate::clock::{DAY, Millis};
use crate::rating::Standings;
use anyhow::Result;
use std::collections::HashMap;

/// Limits of the games of one submission.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LadderLimits {
    /// Pairs that it plays at the same time.
    pub running: i64,
    /// Workers that its turns keep busy, on average.
    pub share: f64,
    pub frozen: bool,
    /// In a closing period, the ± of all ratings at which it ends.
    pub closing: Option<f64>,
    pub seed: i64,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct LadderRow {
    pub entrant: i64,
    pub name: String,
    /// `student`, `team` or `baseline`.
    pub kind: String,
    pub submission: i64,
    pub number: i64,
    pub language: String,
    pub rating: f64,
    pub deviation: f64,
    pub games: i64,
    pub wins: i64,
    pub draws: i64,
    pub paused: Option<String>,
    /// The last ratings, separated by blanks.
    pub trail: String,
    pub provisional: bool,
    /// From 1; equal ratings share a place. 0 while the rating is provisional.
    pub place: usize,
}

/// Ratings that are nearer than this are equal: the CSV file shows tenths.
const EQUAL: f64 = 0.05;

super::row! {
#[derive(Clone, Debug)]
struct Candidate {
    id: i64,
    kind: String,
    counted: i64,
    debt: f64,
}
}

/// Seconds of its share that a submission may be ahead: quick programs never wait.
const GRACE: f64 = 60.0;

/// Returns what is left of a debt of seconds of wall time after a time in which a share of the
/// workers made up for it.
pub(super) fn debt_after(debt: f64, time: Millis, share: f64) -> f64 {
    (debt - share * time.max(0) as f64 / 1000.0).max(0.0)
}

/// Pairs of a submission that wait since a machine failed at them, with which it gets no further
/// ones.
const MOST_DELAYED: i64 = 3;
/// The deviation below which baselines do not play each other.
const KNOWN: f64 = 60.0;
/// The deviation of an opponent with which a game against it counts twice as much for the ladder.
const UNKNOWN: f64 = 450.0;

const ASKED: Millis = 7 * DAY;

/// The pairs that one player has asked another for since `$1`, with the versions of both.
macro_rules! requests {
    () => {
        "pair JOIN submission AS asking ON asking.id = one JOIN submission AS asked ON asked.id = other
         WHERE pair.state = 'asked' AND created >= $1"
    };
}
#[cfg(test)]
pub(super) use requests;

impl LeagueStore {
    /// Returns the ladder, the strongest first, and then those whose ratings are provisional.
    pub(crate) async fn ladder(&self) -> Result<Vec<LadderRow>> {
        type Row = (i64, String, String, i64, i64, String, Option<String>, String);
        let standings = self.standings().await?;
        let deviations = self.deviations(&standings).await?;
        let programs: Vec<Row> = sql!(
            fetch_all(&self.read),
            "SELECT entrant.id, entrant.name, kind, submission.id, number, language, paused, trail
             FROM entrant JOIN submission ON submission.id = entrant.active"
        );
        let row = |(entrant, name, kind, submission, number, language, paused, trail): Row| {
            let standing = standings.of(submission);
            let deviation = deviations.get(&standings.program(submission)).copied();
            let deviation = deviation.unwrap_or(standing.doubt());
            LadderRow {
                entrant,
                name,
                kind,
                submission,
                number,
                language,
                rating: standing.rating,
                deviation,
                games: standing.games,
                wins: standing.wins,
                draws: standing.draws,
                paused,
                trail,
                provisional: standing.is_provisional(deviation),
                place: 0,
            }
        };
        let mut rows: Vec<LadderRow> = programs.into_iter().map(row).collect();
        rows.sort_by(|one, other| {
            let by_rating = other.rating.total_cmp(&one.rating);
            let by_place = one.provisional.cmp(&other.provisional).then(by_rating);
            by_place.then(one.entrant.cmp(&other.entrant))
        });
        let (mut place, mut rating) = (0, f64::INFINITY);
        for (at, row) in rows.iter_mut().enumerate().filter(|(_, row)| !row.provisional) {
            if rating - row.rating > EQUAL {
                (place, rating) = (at + 1, row.rating);
            }
            row.place = place;
        }
        Ok(rows)
    }

    /// Returns the players' programs whose rating does not lie within ± yet, and the games against
    /// equals until it does. Paused programs are left out.
    pub(crate) async fn unknown(&self, within: f64) -> Result<HashMap<i64, f64>> {
        let standings = self.standings().await?;
        let rows = self.ladder().await?.into_iter();
        let rows = rows.filter(|row| row.kind != "baseline" && row.paused.is_none());
        let games = rows.map(|row| {
            let standing = standings.of(row.submission);
            (row.submission, standing.games_until(within, row.deviation))
        });
        Ok(games.filter(|&(_, games)| games > 0.0).collect())
    }

    /// How many programs come before one in the queue for the next game, which is for the one of
    /// which least is known, and whether it is playing now.
    pub(crate) async fn queue(&self, submission: i64) -> Result<(usize, bool)> {
        let standings = self.standings().await?;
        let candidates: Vec<i64> = scalar!(
            fetch_all(&self.read),
            "SELECT submission.id FROM entrant JOIN submission ON submission.id = entrant.active
             WHERE kind <> 'baseline' AND paused IS NULL AND state = 'plays'"
        );
        let playing: i64 = scalar!(fetch_one(&self.read), "SELECT COUNT(*) FROM pair JOIN job ON job.kind = 'pair' AND job.subject = pair.id AND job.state = 'leased'
             WHERE pair.state = 'open' AND (one = $1 OR other = $1)", submission);
        let doubt = standings.of(submission).doubt();
        let before =
            candidates.iter().filter(|&&other| standings.of(other).doubt() > doubt).count();
        Ok((before, playing > 0))
    }

    /// Orders the final. Returns false if there is one already.
    pub(crate) async fn order_final(
        &self,
        players: &[(i64, i64)],
        asked_by: i64,
        (now, seed): (Millis, i64),
    ) -> Result<bool> {
        // Two requests at once must not both be the first.
        let mut transaction = self.begin_alone().await?;
        let count: i64 = scalar!(
            fetch_one(&mut *transaction),
            concat!("SELECT COUNT(*) FROM pair WHERE ", of_the_final!())
        );
        if count > 0 {
            return Ok(false);
        }
        for &(one, other) in players {
            let pair =
                new_pair(&mut transaction, "final", (one, other), Some(asked_by), (now, seed))
                    .await?;
            new_job(&mut transaction, JobKind::Final, pair, now).await?;
        }
        transaction.commit().await?;
        Ok(true)
    }

    /// Resets the final: its games count for it no more, pairs that wait are not played.
    pub(crate) async fn reset_final(&self, person: i64, now: Millis) -> Result<()> {
        let mut transaction = self.begin_alone().await?;
        execute!(
            &mut *transaction,
            concat!(
                "UPDATE job SET state = 'done' WHERE kind = 'pair' AND state = 'waiting' AND subject IN (SELECT id FROM pair WHERE state = 'open' AND ",
                of_the_final!(),
                ")"
            )
        );
        end_pairs_without_jobs(&mut transaction).await?;
        let last: i64 =
            scalar!(fetch_one(&mut *transaction), "SELECT COALESCE(MAX(id), 0) FROM pair");
        execute!(&mut *transaction, "DELETE FROM setting WHERE key = 'final'");
        super::settings::write(&mut *transaction, "final-after", &last.to_string()).await?;
        super::settings::note(&mut transaction, now, Some(person), "reset the final", "").await?;
        Ok(transaction.commit().await?)
    }

    /// Orders a pair that a person asks for; one of two versions of a player is unrated. Returns
    /// false if the person has had `most` since the beginning of the day.
    pub(crate) async fn order_challenge(
        &self,
        (one, other): (i64, i64),
        asked_by: i64,
        today: (Millis, u32),
        times: (Millis, i64),
    ) -> Result<bool> {
        // Two requests at once must not both be the last one of the day.
        let mut transaction = self.begin_alone().await?;
        let players: i64 = scalar!(
            fetch_one(&mut *transaction),
            "SELECT COUNT(DISTINCT entrant) FROM submission WHERE id IN ($1, $2)",
            one,
            other
        );
        let reason = if players == 1 { "unrated" } else { "challenge" };
        let pair = asked_pair(&mut transaction, (reason, one, other), asked_by, today, times);
        let Some(pair) = pair.await? else { return Ok(false) };
        new_job(&mut transaction, JobKind::Pair, pair, times.0).await?;
        transaction.commit().await?;
        Ok(true)
    }

    /// Asks another player for an unrated pair, or agrees to the one that the other has asked for:
    /// the programs of then play it. Returns false as for challenges.
    pub(crate) async fn ask_unrated(
        &self,
        [own, other]: [&LadderRow; 2],
        asked_by: i64,
        today: (Millis, u32),
        times: (Millis, i64),
    ) -> Result<bool> {
        let mut transaction = self.begin_alone().await?;
        let (one, two) = (own.submission, other.submission);
        let asked: Option<(i64, i64)> = sql!(
            fetch_optional(&mut *transaction),
            concat!(
                "SELECT pair.id, asking.entrant FROM ",
                requests!(),
                " AND asking.entrant IN ($2, $3) AND asked.entrant IN ($2, $3)"
            ),
            times.0 - ASKED,
            own.entrant,
            other.entrant
        );
        let (pair, state) = match asked {
            Some((pair, asking)) if asking == own.entrant => (Some(pair), "asked"),
            Some((pair, _)) => {
                new_job(&mut transaction, JobKind::Pair, pair, times.0).await?;
                (Some(pair), "open")
            }
            None => {
                let pair = ("unrated", one, two);
                let pair = asked_pair(&mut transaction, pair, asked_by, today, times).await?;
                (pair, "asked")
            }
        };
        execute!(
            &mut *transaction,
            "UPDATE pair SET state = $1, one = $2, other = $3 WHERE id = $4",
            state,
            one,
            two,
            pair
        );
        transaction.commit().await?;
        Ok(pair.is_some())
    }

    /// Returns who has asked whom for unrated games, of an entrant's requests without an answer.
    pub(crate) async fn requests(
        &self,
        entrant: i64,
        now: Millis,
    ) -> Result<Vec<(i64, String, i64, String)>> {
        Ok(sql!(
            fetch_all(&self.read),
            concat!(
                "SELECT asking.entrant, (SELECT name FROM entrant WHERE entrant.id = asking.entrant),
                     asked.entrant, (SELECT name FROM entrant WHERE entrant.id = asked.entrant) FROM ",
                requests!(),
                " AND $2 IN (asking.entrant, asked.entrant) ORDER BY pair.id"
            ),
            now - ASKED,
            entrant
        ))
    }
}

/// Adds a pair that a person asks for; `None` if the person has asked for `most` since the
/// beginning of the day.
async fn asked_pair(
    transaction: &mut Write,
    (reason, one, other): (&str, i64, i64),
    person: i64,
    (since, most): (Millis, u32),
    times: (Millis, i64),
) -> Result<Option<i64>> {
    let count: i64 = scalar!(
        fetch_one(&mut **transaction),
        "SELECT COUNT(*) FROM pair WHERE asked_by = $1 AND reason IN ('challenge', 'unrated') AND created >= $2",
        person,
        since
    );
    if count >= i64::from(most) {
        return Ok(None);
    }
    Ok(Some(new_pair(transaction, reason, (one, other), Some(person), times).await?))
}

/// Makes the next pair of the ladder; `None` if nobody may play now.
pub(super) async fn next_pair(
    transaction: &mut Write,
    standings: &Standings,
    limits: &LadderLimits,
    unknown: Option<&HashMap<i64, f64>>,
    now: Millis,
) -> Result<Option<i64>> {
    if limits.frozen {
        return Ok(None);
    }
    let candidates: Vec<Candidate> = sql!(fetch_all(&mut **transaction), "SELECT submission.id, kind, counted, debt FROM entrant
         JOIN submission ON submission.id = entrant.active WHERE state = 'plays' AND paused IS NULL ORDER BY submission.id");
    let open: Vec<(i64, i64, i64)> = sql!(fetch_all(&mut **transaction), "SELECT one, other, (SELECT COUNT(*) FROM job WHERE kind = 'pair' AND subject = pair.id AND state = 'waiting' AND attempts > 0)
         FROM pair WHERE state = 'open'");
    // A pair that a machine failed at takes no worker while it waits.
    let (mut running, mut delayed): (HashMap<i64, i64>, HashMap<i64, i64>) = Default::default();
    for &(one, other, waits) in &open {
        for id in [one, other] {
            *if waits > 0 { &mut delayed } else { &mut running }.entry(id).or_default() += 1;
        }
    }
    let running = |candidate: &Candidate| running.get(&candidate.id).copied().unwrap_or_default();
    let may_play = |candidate: &&Candidate| {
        let times = if candidate.kind == "baseline" { 4 } else { 1 };
        let debt = debt_after(candidate.debt, now - candidate.counted, limits.share);
        let has_time = debt <= GRACE * limits.share * times as f64;
        let is_delayed = delayed.get(&candidate.id).is_some_and(|&count| count >= MOST_DELAYED);
        running(candidate) < times * limits.running && has_time && !is_delayed
    };
    let free: Vec<&Candidate> = candidates.iter().filter(may_play).collect();
    // A game of two baselines tells about nobody, and is played only while there is nobody else.
    let students = free.iter().filter(|candidate| candidate.kind != "baseline").count();
    let least_known = free
        .iter()
        .filter(|candidate| students == 0 || candidate.kind != "baseline")
        .filter(|candidate| unknown.is_none_or(|unknown| unknown.contains_key(&candidate.id)))
        .max_by(|one, other| {
            let unknown = |candidate: &Candidate| {
                standings.of(candidate.id).doubt() - 40.0 * running(candidate) as f64
            };
            unknown(one).total_cmp(&unknown(other)).then(other.id.cmp(&one.id))
        });
    let Some(one) = least_known else { return Ok(None) };
    // Quick baselines alone would fill the disk with games.
    if students == 0 && standings.of(one.id).doubt() < KNOWN {
        return Ok(None);
    }
    let met: Vec<(i64, i64)> = sql!(
        fetch_all(&mut **transaction),
        concat!("SELECT opponent, COUNT(*) FROM (", rated_games!(), ") AS met GROUP BY opponent"),
        one.id
    );
    let mut met: HashMap<i64, i64> = met.into_iter().collect();
    for &(first, second, _) in &open {
        if first == one.id || second == one.id {
            *met.entry(if first == one.id { second } else { first }).or_default() += 2;
        }
    }
    let program = standings.program(one.id);
    let others = free.iter().filter(|other| standings.program(other.id) != program);
    let opponent = others.max_by(|a, b| {
        let worth = |other: &Candidate| {
            let other_standing = standings.of(other.id);
            let expected = standings.of(one.id).expected(&other_standing);
            let meetings = met.get(&other.id).copied().unwrap_or_default() as f64 / 2.0;
            expected * (1.0 - expected) * (1.0 + other_standing.doubt() / UNKNOWN)
                / (1.0 + meetings)
        };
        worth(a).total_cmp(&worth(b)).then(b.id.cmp(&a.id))
    });
    let Some(other) = opponent else { return Ok(None) };
    let players = (one.id, other.id);
    Ok(Some(new_pair(transaction, "ladder", players, None, (now, limits.seed)).await?))
}

/// Adds a pair, whose seed is the league's and its number.
async fn new_pair(
    transaction: &mut Write,
    reason: &str,
    (one, other): (i64, i64),
    asked_by: Option<i64>,
    (now, seed): (Millis, i64),
) -> Result<i64> {
    Ok(scalar!(fetch_one(&mut **transaction), "INSERT INTO pair (reason, one, other, seed, asked_by, created, state)
         VALUES ($1, $2, $3, (SELECT COALESCE(MAX(id), 0) + 1 + $4 FROM pair), $5, $6, 'open') RETURNING id", reason, one, other, seed, asked_by, now))
}
