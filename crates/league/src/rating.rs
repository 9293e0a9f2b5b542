//! Ratings by Glicko-2 (Glickman, "Example of the Glicko-2 system", 2022), each game a rating period of its own.

use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, expected_score, glicko2};

/// The rating of a submission.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rating {
    /// Points, as Elo's: 400 more are ten wins to a loss. A new player has 1500.
    pub rating: f64,
    /// The standard deviation of what is known of it.
    pub deviation: f64,
    /// How much it varies from game to game.
    pub volatility: f64,
}

/// The deviation of a player of whom nothing is known.
const UNKNOWN: f64 = 350.0;
/// The deviation that a new version adds to that of the version before.
const NEW_VERSION: f64 = 100.0;
/// A program plays as it did: its volatility hardly changes.
const CONFIG: Glicko2Config = Glicko2Config { tau: 0.2, convergence_tolerance: 0.000_001 };
/// The initial volatility: deviations of programs have to become small with many games.
const VOLATILITY: f64 = 0.006;

impl Default for Rating {
    fn default() -> Rating {
        Rating { rating: 1500.0, deviation: UNKNOWN, volatility: VOLATILITY }
    }
}

impl Rating {
    fn glicko(self) -> Glicko2Rating {
        Glicko2Rating { rating: self.rating, deviation: self.deviation, volatility: self.volatility }
    }

    /// Returns the rating of a new version of the program.
    pub(crate) fn of_a_new_version(self) -> Rating {
        Rating { deviation: self.deviation.hypot(NEW_VERSION).min(UNKNOWN), ..self }
    }

    /// Returns half the width of the interval in which the rating lies with a probability of 95 %.
    pub(crate) fn margin(deviation: f64) -> f64 {
        1.96 * deviation
    }

    /// Returns the expected score against another player, from 0 to 1.
    pub(crate) fn expected(self, other: Rating) -> f64 {
        expected_score(&self.glicko(), &other.glicko()).0
    }

    /// Returns both ratings after a game, given the score of the first: 1, 0.5 or 0.
    pub(crate) fn after(self, other: Rating, score: f64) -> (Rating, Rating) {
        let outcome = match score {
            1.0 => Outcomes::WIN,
            0.0 => Outcomes::LOSS,
            _ => Outcomes::DRAW,
        };
        let (one, two) = glicko2(&self.glicko(), &other.glicko(), &outcome, &CONFIG);
        let rating =
            |new: Glicko2Rating| Rating { rating: new.rating, deviation: new.deviation, volatility: new.volatility };
        (rating(one), rating(two))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_make_ratings_certain_and_a_new_version_less_so() {
        let (mut one, mut two) = (Rating::default(), Rating::default());
        assert!((one.expected(two) - 0.5).abs() < 1e-9);
        for _ in 0..30 {
            (one, two) = one.after(two, 1.0);
        }
        assert!(one.rating > 1750.0 && two.rating < 1250.0, "{one:?} {two:?}");
        for _ in 0..200 {
            (one, two) = one.after(two, 0.5);
        }
        assert!((one.rating - two.rating).abs() < 60.0 && one.deviation < 60.0, "{one:?} {two:?}");
        let next = one.of_a_new_version();
        assert!(next.rating == one.rating && next.deviation > 100.0 && next.deviation < UNKNOWN);
    }
}
