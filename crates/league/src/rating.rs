//! Ratings: the strengths under which the results of all games are most likely (Zermelo 1929;
//! Bradley and Terry 1952), given a wide normal distribution of strengths
//! ([`arena::ratings::fit`]). The order of the games and ratings before play no part. A game that
//! is played again, move by move by the same programs on the same sides, counts once.

use arena::ratings::{Cluster, ELO, Prior, fit, logistic, variances};
use std::collections::{HashMap, HashSet};
use std::f64::consts::PI;

/// The rating of a program with fewer games is provisional.
pub(crate) const PROVISIONAL: i64 = 10;
/// The mean of all ratings, in points as Elo's: 400 more are ten wins to a loss.
const MEAN: f64 = 1500.0;
/// The standard deviation of strengths before the first game. What it is above the true spread
/// costs little (research/measurements/league.md).
const SPREAD: f64 = 700.0;

/// Returns half the width of the interval in which a rating lies with a probability of 95 %.
pub(crate) fn margin(deviation: f64) -> f64 {
    1.96 * deviation
}

crate::row::row! {
#[derive(Clone, Copy, Debug)]
pub(crate) struct GameResult {
    pub id: i64,
    pub first: i64,
    pub second: i64,
    /// The side that won, 0 or 1; `None` for a draw.
    pub winner: Option<i64>,
    /// A digest of the opening and the moves; `None` if it is unknown.
    pub moves: Option<i64>,
}
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Standing {
    pub rating: f64,
    pub games: i64,
    pub wins: i64,
    pub draws: i64,
}

const UNKNOWN: Standing = Standing { rating: MEAN, games: 0, wins: 0, draws: 0 };

impl Standing {
    pub(crate) fn is_provisional(&self) -> bool {
        self.games < PROVISIONAL
    }

    /// Returns the rating's standard deviation as if all games were different, and against equals
    /// of known strength. Whoever has the largest one plays next: by the true deviation, a program
    /// that loses all its games would play for ever.
    pub(crate) fn doubt(&self) -> f64 {
        ELO * (prior().certainty + self.games as f64 / 4.0).powf(-0.5)
    }

    /// Returns the expected score, from 0 to 1. A difference of uncertain ratings tells less
    /// (Glickman 1999).
    pub(crate) fn expected(&self, other: &Standing) -> f64 {
        let deviation = self.doubt().hypot(other.doubt()) / ELO;
        logistic((self.rating - other.rating) / ELO / (1.0 + 3.0 * (deviation / PI).powi(2)).sqrt())
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Standings {
    places: HashMap<i64, usize>,
    standings: Vec<Standing>,
    strengths: Vec<f64>,
    meetings: Vec<Cluster>,
}

impl Standings {
    pub(crate) fn of(&self, submission: i64) -> Standing {
        self.places.get(&submission).map_or(UNKNOWN, |&place| self.standings[place])
    }

    /// Returns the standard deviation of each rating around the mean of all, in cubic time.
    pub(crate) fn deviations(&self) -> HashMap<i64, f64> {
        let variances = variances(&self.strengths, &self.meetings, prior());
        self.places
            .iter()
            .map(|(&submission, &place)| (submission, ELO * variances[place].sqrt()))
            .collect()
    }
}

fn prior() -> Prior {
    Prior { draws: 0.0, certainty: (ELO / SPREAD).powi(2) }
}

/// A set of games, summed by pairs of programs, and the strengths that fit them.
#[derive(Debug, Default)]
pub(crate) struct Results {
    places: HashMap<i64, usize>,
    standings: Vec<Standing>,
    /// The players and moves of the games.
    seen: HashSet<(i64, i64, i64)>,
    meetings: Vec<Cluster>,
    met: HashMap<[usize; 2], usize>,
    strengths: Vec<f64>,
}

impl Results {
    pub(crate) fn add(&mut self, game: &GameResult) {
        let [first, second] = [game.first, game.second].map(|submission| {
            *self.places.entry(submission).or_insert_with(|| {
                self.standings.push(UNKNOWN);
                self.strengths.push(0.0);
                self.standings.len() - 1
            })
        });
        let is_new =
            game.moves.is_none_or(|moves| self.seen.insert((game.first, game.second, moves)));
        for (side, place) in (0..).zip([first, second]) {
            let standing = &mut self.standings[place];
            standing.games += 1;
            standing.wins += i64::from(game.winner == Some(side));
            standing.draws += i64::from(game.winner.is_none());
        }
        if is_new {
            let points = game.winner.map_or(0.5, |winner| if winner == 0 { 1.0 } else { 0.0 });
            let players = [first.min(second), first.max(second)];
            let at = *self.met.entry(players).or_insert_with(|| {
                self.meetings.push(Cluster { players, score: 0.0, games: 0.0 });
                self.meetings.len() - 1
            });
            self.meetings[at].games += 1.0;
            self.meetings[at].score += if players[0] == first { points } else { 1.0 - points };
        }
    }

    pub(crate) fn standings(&mut self) -> Standings {
        self.strengths = fit(std::mem::take(&mut self.strengths), &self.meetings, prior());
        for (standing, strength) in self.standings.iter_mut().zip(&self.strengths) {
            standing.rating = MEAN + ELO * strength;
        }
        Standings {
            places: self.places.clone(),
            standings: self.standings.clone(),
            strengths: self.strengths.clone(),
            meetings: self.meetings.clone(),
        }
    }
}

#[cfg(test)]
pub(crate) mod tests;
