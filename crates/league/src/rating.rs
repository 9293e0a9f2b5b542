//! Ratings: the strengths under which the results of all games are most likely (Zermelo 1929;
//! Bradley and Terry 1952), given a wide normal distribution of strengths
//! ([`arena::ratings::fit`]). The order of the games and ratings before play no part.
//!
//! Games of the same programs on the same sides from the same opening form a cell. The first game
//! of each cell counts fully. How much the others count is what part of the games that ended
//! without a fault brought new moves: all of it for programs that play by chance, nothing for
//! programs that repeat one line. The score of a cell is the mean of all its games, so that a
//! program that repeats a line and fails now and then is rated by how often it fails.

use arena::ratings::{Cluster, ELO, Prior, fit, logistic, variances};
use std::collections::{HashMap, HashSet};
use std::f64::consts::PI;

/// The ± above which a rating is provisional.
pub(crate) const PROVISIONAL: f64 = 240.0;
/// Programs whose results are all alike, which say little, are known after so many times the games
/// that it takes against equals.
const ENOUGH: f64 = 3.0;
/// The mean of all ratings, in points as Elo's: 400 more are ten wins to a loss.
const MEAN: f64 = 1500.0;
/// The standard deviation of strengths before the first game. What it is above the true spread
/// costs little (research/measurements/league.md).
const SPREAD: f64 = 700.0;

/// Returns half the width of the interval in which a rating lies with a probability of 95 %.
pub(crate) fn margin(deviation: f64) -> f64 {
    1.96 * deviation
}

/// The games against equals after which a rating lies within ±, without the prior.
fn games_for(margin: f64) -> f64 {
    4.0 * (1.96 * ELO / margin).powi(2)
}

crate::row::row! {
#[derive(Clone, Copy, Debug)]
pub(crate) struct GameResult {
    pub id: i64,
    pub first: i64,
    pub second: i64,
    /// The side that won, 0 or 1; `None` for a draw.
    pub winner: Option<i64>,
    /// The side that lost by a fault.
    pub blamed: Option<i64>,
    /// A digest of the opening; `None` if it is unknown.
    pub opening: Option<i64>,
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
    /// The number of different games, of which the rating is made.
    pub different: f64,
}

const UNKNOWN: Standing = Standing { rating: MEAN, games: 0, wins: 0, draws: 0, different: 0.0 };

impl Standing {
    pub(crate) fn is_provisional(&self, deviation: f64) -> bool {
        margin(deviation) > PROVISIONAL && self.different < ENOUGH * games_for(PROVISIONAL)
    }

    /// Returns the games against equals until the rating lies within ±; 0 for a program that has
    /// played so much that more would not help, since its games repeat or are all won or lost.
    pub(crate) fn games_until(&self, within: f64, deviation: f64) -> f64 {
        let all = games_for(within);
        let left = all - games_for(margin(deviation));
        left.min(ENOUGH * all - self.games as f64).max(0.0)
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
    pub twins: Twins,
}

/// Submissions whose program is that of an earlier one, and the earlier one.
pub(crate) type Twins = HashMap<i64, i64>;

/// The first submission with the program of this one.
fn program(twins: &Twins, submission: i64) -> i64 {
    twins.get(&submission).copied().unwrap_or(submission)
}

impl Standings {
    /// Returns the submission under which the ratings have the program of one.
    pub(crate) fn program(&self, submission: i64) -> i64 {
        program(&self.twins, submission)
    }

    pub(crate) fn of(&self, submission: i64) -> Standing {
        self.places.get(&self.program(submission)).map_or(UNKNOWN, |&place| self.standings[place])
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

/// The games of two programs on the same sides from the same opening.
#[derive(Debug, Default)]
struct Cell {
    games: f64,
    /// The points of the program with the smaller index.
    score: f64,
    without_fault: bool,
}

/// All games of two programs, summed over their cells.
#[derive(Debug, Default)]
struct Meeting {
    players: [usize; 2],
    cells: f64,
    games: f64,
    score: f64,
    /// The mean scores of all cells, added up.
    means: f64,
    /// Of the games without a fault: the cells with one, the games, and the different ones.
    clean: [f64; 3],
}

impl Meeting {
    fn cluster(&self) -> Cluster {
        let [cells, games, different] = self.clean;
        let part = if games > cells { (different - cells) / (games - cells) } else { 0.0 };
        let mixed = |least: f64, most: f64| least + part * (most - least);
        Cluster {
            players: self.players,
            score: mixed(self.means, self.score),
            games: mixed(self.cells, self.games),
        }
    }
}

/// A set of games, summed by pairs of programs, and the strengths that fit them.
#[derive(Debug, Default)]
pub(crate) struct Results {
    places: HashMap<i64, usize>,
    standings: Vec<Standing>,
    /// The players and moves of the games.
    seen: HashSet<(i64, i64, i64)>,
    cells: HashMap<(i64, i64, Option<i64>), Cell>,
    meetings: Vec<Meeting>,
    met: HashMap<[usize; 2], usize>,
    strengths: Vec<f64>,
    pub twins: Twins,
}

impl Results {
    pub(crate) fn add(&mut self, game: &GameResult) {
        let programs = [game.first, game.second].map(|one| program(&self.twins, one));
        // A program says nothing about itself.
        if programs[0] == programs[1] {
            return;
        }
        let [first, second] = programs.map(|submission| {
            *self.places.entry(submission).or_insert_with(|| {
                self.standings.push(UNKNOWN);
                self.strengths.push(0.0);
                self.standings.len() - 1
            })
        });
        for (side, place) in (0..).zip([first, second]) {
            let standing = &mut self.standings[place];
            standing.games += 1;
            standing.wins += i64::from(game.winner == Some(side));
            standing.draws += i64::from(game.winner.is_none());
        }
        let players = [first.min(second), first.max(second)];
        let at = *self.met.entry(players).or_insert_with(|| {
            self.meetings.push(Meeting { players, ..Meeting::default() });
            self.meetings.len() - 1
        });
        let points = game.winner.map_or(0.5, |winner| if winner == 0 { 1.0 } else { 0.0 });
        let points = if players[0] == first { points } else { 1.0 - points };
        let is_new =
            game.moves.is_none_or(|moves| self.seen.insert((programs[0], programs[1], moves)));
        let meeting = &mut self.meetings[at];
        let cell = self.cells.entry((programs[0], programs[1], game.opening)).or_default();
        if cell.games == 0.0 {
            meeting.cells += 1.0;
        } else {
            meeting.means -= cell.score / cell.games;
        }
        cell.games += 1.0;
        cell.score += points;
        meeting.games += 1.0;
        meeting.score += points;
        meeting.means += cell.score / cell.games;
        if game.blamed.is_none() {
            let is_first = !std::mem::replace(&mut cell.without_fault, true);
            for (count, counts) in meeting.clean.iter_mut().zip([is_first, true, is_new]) {
                *count += f64::from(u8::from(counts));
            }
        }
    }

    pub(crate) fn standings(&mut self) -> Standings {
        let meetings: Vec<Cluster> = self.meetings.iter().map(Meeting::cluster).collect();
        self.strengths = fit(std::mem::take(&mut self.strengths), &meetings, prior());
        for (standing, strength) in self.standings.iter_mut().zip(&self.strengths) {
            (standing.rating, standing.different) = (MEAN + ELO * strength, 0.0);
        }
        for meeting in &meetings {
            for place in meeting.players {
                self.standings[place].different += meeting.games;
            }
        }
        Standings {
            places: self.places.clone(),
            standings: self.standings.clone(),
            strengths: self.strengths.clone(),
            meetings,
            twins: self.twins.clone(),
        }
    }
}

#[cfg(test)]
pub(crate) mod tests;
