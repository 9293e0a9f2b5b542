//! Results of games.

use super::jobs::end_job;
use super::ladder::debt_after;
use super::settings::note;
use super::{LeagueStore, Write};
use super::{execute, scalar, sql};
use super::{is_rated, of_the_final, rated_games};
use crate::clock::Millis;
use anyhow::Result;
use serde::{Deserialize, Serialize};

const TRAIL: usize = 24;

/// A game that a worker has played. Arrays are by side.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct PlayedGame {
    pub players: [i64; 2],
    /// The side that won; `None` for a draw.
    pub winner: Option<usize>,
    pub blamed: Option<usize>,
    pub termination: String,
    pub reason: String,
    pub plies: u32,
    /// CPU seconds.
    pub cpu: [f64; 2],
    pub wall: [f64; 2],
    /// A digest of the opening and the moves. Workers of older versions send none.
    #[serde(default)]
    pub moves: Option<i64>,
    /// A digest of the opening. Workers of older versions send none.
    #[serde(default)]
    pub opening: Option<i64>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct PlayedPair {
    pub pair: i64,
    pub games: [PlayedGame; 2],
}

super::row! {
#[derive(Clone, Debug)]
pub(crate) struct GameRow {
    pub id: i64,
    pub pair: i64,
    /// The number in the pair, 1 or 2.
    pub half: i64,
    /// Why it was played: `ladder`, `challenge`, `final` or `unrated`.
    pub why: String,
    pub first_entrant: i64,
    pub second_entrant: i64,
    pub first_name: String,
    pub second_name: String,
    pub first_number: i64,
    pub second_number: i64,
    pub seed: i64,
    pub winner: Option<i64>,
    pub blamed: Option<i64>,
    pub termination: String,
    pub reason: String,
    pub plies: i64,
    /// CPU seconds by side.
    pub first_cpu: f64,
    pub second_cpu: f64,
    pub ended: Millis,
    pub analysis: Option<String>,
}
}

macro_rules! select_games {
    ($($rest:expr),+) => {
        concat!(
            "SELECT game.id, pair, half, pair.reason AS why, one.entrant AS first_entrant, two.entrant AS second_entrant,
             first_entrant.name AS first_name, second_entrant.name AS second_name,
             one.number AS first_number, two.number AS second_number, seed, winner, blamed, termination, game.reason, plies,
             first_cpu, second_cpu, ended, analysis
             FROM game JOIN pair ON pair.id = game.pair
             JOIN submission AS one ON one.id = first JOIN entrant AS first_entrant ON first_entrant.id = one.entrant
             JOIN submission AS two ON two.id = second JOIN entrant AS second_entrant ON second_entrant.id = two.entrant ",
            $($rest),+
        )
    };
}

super::row! {
#[derive(Clone, Copy, Debug)]
pub(crate) struct RatedGame {
    pub id: i64,
    pub rating: f64,
    /// 1 for a win, 0 for a loss, 0.5 for a draw.
    pub score: f64,
}
}

super::row! {
#[derive(Clone, Debug)]
pub(crate) struct Opponent {
    pub entrant: i64,
    pub name: String,
    pub games: i64,
    /// Games won, draws as half.
    pub score: f64,
}
}

super::row! {
/// Games of a version on a side against a version of another player.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Meeting {
    pub version: i64,
    pub other: i64,
    /// The side of the first player, 0 or 1.
    pub side: i64,
    pub games: i64,
    /// Games that the first player won, draws as half.
    pub score: f64,
    pub own_faults: i64,
    pub other_faults: i64,
}
}

/// Which games of a player are asked for.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct GamesAsked {
    /// Older games than this one alone.
    pub before: Option<i64>,
    /// The other player.
    pub against: Option<i64>,
    /// Those alone that the player lost by a fault.
    pub own_faults: bool,
}

impl LeagueStore {
    /// Counts a pair of games and ends its job, all or nothing. Returns false if the lease was
    /// lost. So many `faults` in a row pause a submission, which has a `share` of so many workers.
    pub(crate) async fn finish_pair(
        &self,
        job: i64,
        token: &str,
        played: &PlayedPair,
        (now, faults, share): (Millis, u32, f64),
    ) -> Result<bool> {
        let (standings, frozen) = (self.standings().await?, self.frozen().await?.is_some());
        // Sums of both players are read and written: nobody else may do so meanwhile.
        let mut transaction = self.begin_alone().await?;
        if !end_job(&mut transaction, job, token).await? {
            return Ok(false);
        }
        let reason: String = scalar!(
            fetch_one(&mut *transaction),
            "SELECT reason FROM pair WHERE id = $1",
            played.pair
        );
        // Faults in a frozen ladder pause nobody.
        let most_faults = (!frozen).then_some(i64::from(faults.max(1)));
        for (half, game) in (1_i64..).zip(&played.games) {
            let ratings = game.players.map(|player| standings.of(player).rating);
            for (side, rating) in ratings.into_iter().enumerate().filter(|_| reason != "unrated") {
                count(&mut transaction, (game, side), rating, (now, most_faults, share)).await?;
            }
            let sides = [game.winner, game.blamed].map(|side| side.map(|side| side as i64));
            execute!(
                &mut *transaction,
                "INSERT INTO game (pair, half, first, second, winner, blamed, termination, reason, plies, first_cpu, second_cpu, wall, ended,
                     first_rating, second_rating, moves, opening)
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)",
                played.pair,
                half,
                game.players[0],
                game.players[1],
                sides[0],
                sides[1],
                &game.termination,
                &game.reason,
                i64::from(game.plies),
                game.cpu[0],
                game.cpu[1],
                game.wall[0] + game.wall[1],
                now,
                ratings[0],
                ratings[1],
                game.moves,
                game.opening
            );
        }
        execute!(&mut *transaction, "UPDATE pair SET state = 'done' WHERE id = $1", played.pair);
        transaction.commit().await?;
        Ok(true)
    }

    pub(crate) async fn game(&self, id: i64) -> Result<Option<GameRow>> {
        Ok(sql!(fetch_optional(&self.read), select_games!("WHERE game.id = $1"), id))
    }

    /// Returns games of a player, the newest first, and so many at most.
    pub(crate) async fn games_of(
        &self,
        entrant: i64,
        asked: GamesAsked,
        most: i64,
    ) -> Result<Vec<GameRow>> {
        // There is no player 0.
        let (before, against) = (asked.before.unwrap_or(i64::MAX), asked.against.unwrap_or(0));
        Ok(sql!(fetch_all(&self.read), select_games!(
            "WHERE game.id IN (SELECT id FROM game WHERE id < $2 AND (first IN (SELECT id FROM submission WHERE entrant = $1)
                 OR second IN (SELECT id FROM submission WHERE entrant = $1))
                 AND ($4 = 0 OR first IN (SELECT id FROM submission WHERE entrant = $4)
                 OR second IN (SELECT id FROM submission WHERE entrant = $4))
                 AND ($5 = 0 OR CASE blamed WHEN 0 THEN first ELSE second END IN (SELECT id FROM submission WHERE entrant = $1) AND blamed >= 0)
                 ORDER BY id DESC LIMIT $3) ORDER BY game.id DESC"
        ), entrant, before, most, against, i64::from(asked.own_faults)))
    }

    /// Returns all games of two players by version and side, the newest versions first.
    pub(crate) async fn meetings_of(&self, entrant: i64, other: i64) -> Result<Vec<Meeting>> {
        Ok(sql!(
            fetch_all(&self.read),
            "SELECT own.number AS version, foe.number AS other, side, COUNT(*) AS games,
                 SUM(CAST(CASE WHEN winner IS NULL THEN 0.5 WHEN winner = side THEN 1.0 ELSE 0.0 END AS DOUBLE PRECISION)) AS score,
                 COUNT(CASE WHEN blamed = side THEN 1 END) AS own_faults, COUNT(CASE WHEN blamed = 1 - side THEN 1 END) AS other_faults
             FROM (SELECT first AS one, second AS two, CAST(0 AS BIGINT) AS side, winner, blamed FROM game
                     WHERE first IN (SELECT id FROM submission WHERE entrant = $1) AND second IN (SELECT id FROM submission WHERE entrant = $2)
                 UNION ALL SELECT second, first, CAST(1 AS BIGINT), winner, blamed FROM game
                     WHERE second IN (SELECT id FROM submission WHERE entrant = $1) AND first IN (SELECT id FROM submission WHERE entrant = $2)) AS met
             JOIN submission AS own ON own.id = one JOIN submission AS foe ON foe.id = two
             GROUP BY own.number, foe.number, side ORDER BY version DESC, other DESC, side",
            entrant,
            other
        ))
    }

    pub(crate) async fn newest_games(&self, most: i64) -> Result<Vec<GameRow>> {
        Ok(sql!(fetch_all(&self.read), select_games!("ORDER BY game.id DESC LIMIT $1"), most))
    }

    pub(crate) async fn final_games(&self) -> Result<Vec<GameRow>> {
        Ok(sql!(
            fetch_all(&self.read),
            select_games!("WHERE ", of_the_final!(), " ORDER BY game.id")
        ))
    }

    pub(crate) async fn final_waiting(&self) -> Result<i64> {
        Ok(scalar!(
            fetch_one(&self.read),
            concat!("SELECT COUNT(*) FROM pair WHERE state = 'open' AND ", of_the_final!())
        ))
    }

    /// Returns the ratings of a submission before each of its games, in order.
    pub(crate) async fn rating_history(&self, submission: i64) -> Result<Vec<RatedGame>> {
        Ok(sql!(fetch_all(&self.read), concat!(rated_games!(), " ORDER BY id"), submission))
    }

    pub(crate) async fn by_opponent(&self, submission: i64) -> Result<Vec<Opponent>> {
        let (last, until) = self.counted_until().await?;
        Ok(sql!(fetch_all(&self.read), concat!(
            "SELECT entrant.id AS entrant, entrant.name, COUNT(*) AS games, SUM(score) AS score FROM (", rated_games!(), " AND id <= $2 AND ended < $3) AS met
             JOIN submission ON submission.id = opponent JOIN entrant ON entrant.id = submission.entrant
             GROUP BY entrant.id, entrant.name ORDER BY games DESC, entrant.name"), submission, last, until))
    }

    /// Returns the games between versions that play now: both submissions by side, games, and the
    /// points of the first side.
    pub(crate) async fn meetings_now(&self) -> Result<Vec<(i64, i64, i64, f64)>> {
        let (last, until) = self.counted_until().await?;
        Ok(sql!(fetch_all(&self.read), concat!(
            "SELECT first, second, COUNT(*), SUM(CAST(CASE winner WHEN 0 THEN 1.0 WHEN 1 THEN 0.0 ELSE 0.5 END AS DOUBLE PRECISION))
             FROM game WHERE first IN (SELECT active FROM entrant) AND second IN (SELECT active FROM entrant) AND ", is_rated!(), " AND id <= $1 AND ended < $2 GROUP BY first, second"), last, until))
    }

    pub(crate) async fn played_pairs(&self) -> Result<Vec<i64>> {
        Ok(scalar!(fetch_all(&self.read), "SELECT id FROM pair WHERE state = 'done' ORDER BY id"))
    }

    /// Returns the time of the last games, as many as were asked for or all, and their number.
    pub(crate) async fn newest_since(&self, most: i64) -> Result<(Option<Millis>, i64)> {
        Ok(sql!(
            fetch_one(&self.read),
            "SELECT MIN(ended), COUNT(*) FROM (SELECT ended FROM game ORDER BY id DESC LIMIT $1) AS newest",
            most
        ))
    }

    pub(crate) async fn game_count(&self) -> Result<i64> {
        Ok(scalar!(fetch_one(&self.read), "SELECT COUNT(*) FROM game"))
    }
}

#[cfg(test)]
impl LeagueStore {
    /// Returns the steps by which SQLite finds the rows for `/final`, `/mine` and the ratings.
    pub(super) async fn plans(&self) -> Result<Vec<String>> {
        let mut steps = Vec::new();
        for statement in [
            concat!("EXPLAIN QUERY PLAN ", select_games!("WHERE ", of_the_final!())),
            concat!(
                "EXPLAIN QUERY PLAN SELECT COUNT(*) FROM pair WHERE state = 'open' AND ",
                of_the_final!()
            ),
            concat!("EXPLAIN QUERY PLAN SELECT one, other FROM ", super::ladder::requests!()),
            "EXPLAIN QUERY PLAN SELECT id, twin FROM submission WHERE twin IS NOT NULL",
            concat!("EXPLAIN QUERY PLAN ", rated_games!()),
        ] {
            let found: Vec<(i64, i64, i64, String)> = sql!(fetch_all(&self.read), statement);
            steps.extend(found.into_iter().map(|(.., step)| step));
        }
        Ok(steps)
    }
}

/// Counts a rated game for the program of a side, which had this rating before it. So many faults
/// in a row pause a program; `None` if they do not count.
async fn count(
    transaction: &mut Write,
    (game, side): (&PlayedGame, usize),
    rating: f64,
    (now, most_faults, share): (Millis, Option<i64>, f64),
) -> Result<()> {
    let id = game.players[side];
    let (before, trail, counted, debt): (i64, String, Millis, f64) = sql!(
        fetch_one(&mut **transaction),
        "SELECT faults, trail, counted, debt FROM submission WHERE id = $1",
        id
    );
    let faults = match most_faults {
        Some(_) if game.blamed == Some(side) => before + 1,
        Some(_) => 0,
        None => before,
    };
    let paused = most_faults.is_some_and(|most| faults >= most).then(|| {
        format!("paused after {faults} games that it lost by a fault, one after the other")
    });
    if let Some(why) = &paused {
        note(transaction, now, None, "paused", &format!("submission {id}: {why}")).await?;
    }
    let new = format!("{rating:.0}");
    let mut trail: Vec<&str> = trail.split_whitespace().chain([&*new]).collect();
    trail.drain(..trail.len().saturating_sub(TRAIL));
    let debt = debt_after(debt, now - counted, share) + game.wall[side];
    execute!(
        &mut **transaction,
        "UPDATE submission SET faults = $1, paused = COALESCE($2, paused), trail = $3, counted = $4, debt = $5 WHERE id = $6",
        faults,
        paused,
        trail.join(" "),
        now,
        debt,
        id
    );
    Ok(())
}
