//! Ratings: the strengths under which the results of all games are most likely (Zermelo 1929; Bradley and Terry 1952), given
//! what was known of a player before its first game (a normal distribution).
//!
//! After a game, each of its players takes one step of Newton's method towards the best rating for all of its games, against
//! the present ratings of its opponents. So an early game counts as much as a late one, and what is learned of an opponent
//! later corrects what its early games said: ladders come closer to the true order than with Elo or Glicko-2, which look at each
//! game once (docs/measurements/league.md).
//!
//! How far the strengths of a league lie apart is learned as well ([`Scale`]). Games between equals say little of it, so that
//! the prior matters: one too narrow or too wide shrinks or stretches the whole ladder.

use std::f64::consts::{LN_10, PI};

/// The rating of a submission.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rating {
    /// Points, as Elo's: 400 more are ten wins to a loss. A new player has 1500.
    pub rating: f64,
    /// The standard deviation of what is known of it.
    pub deviation: f64,
}

/// All games against one opponent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Meeting {
    /// The opponent's present rating.
    pub opponent: Rating,
    /// The number of games.
    pub games: f64,
    /// Games won, draws as half.
    pub score: f64,
}

/// The deviation of a player of whom nothing is known, in a league of which nothing is known.
pub(crate) const UNKNOWN: f64 = 450.0;
/// The rating of a new player with fewer games is provisional.
pub(crate) const PROVISIONAL: i64 = 10;
/// The deviation that a new version adds to that of the version before.
const NEW_VERSION: f64 = 100.0;
/// The longest step of a rating: far from the best rating, Newton's method could leave it behind.
const LONGEST_STEP: f64 = 400.0;
/// Points for a factor of e in the chances.
const SCALE: f64 = 400.0 / LN_10;

impl Default for Rating {
    fn default() -> Rating {
        Rating { rating: 1500.0, deviation: UNKNOWN }
    }
}

/// Returns how much a difference in ratings tells if it is known with a deviation only (Glickman 1999).
fn damping(deviation: f64) -> f64 {
    1.0 / (1.0 + 3.0 * (deviation / SCALE / PI).powi(2)).sqrt()
}

/// How far apart the strengths of a league lie, by how well the ratings before each game foretold its result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scale {
    /// The standard deviation of strengths, the deviation of a new player.
    pub spread: f64,
    /// The Fisher information about the logarithm of the spread: an inverse variance.
    pub information: f64,
}

/// The information that the spread of a new league counts for.
const SPREAD_GUESSED: f64 = 10.0;
/// The limits of a spread.
const SPREADS: (f64, f64) = (150.0, 1500.0);
/// The error of a ladder's scale, in multiples of that of the spread: both depend on the same games. Found by simulated terms
/// (docs/measurements/league.md).
const SCALE_ERROR: f64 = 1.75;

impl Default for Scale {
    fn default() -> Scale {
        Scale { spread: UNKNOWN, information: SPREAD_GUESSED }
    }
}

impl Scale {
    /// Returns the scale after a game between two players with these ratings before it, of which the first scored so much. Each game is
    /// a step of Newton's method towards the stretch of all differences under which the results are most likely.
    pub(crate) fn after(self, [one, other]: [Rating; 2], score: f64) -> Scale {
        let difference = damping(one.deviation.hypot(other.deviation)) * (one.rating - other.rating) / SCALE;
        let expected = logistic(difference);
        let step = (score - expected) * difference / self.information;
        Scale {
            spread: (self.spread * step.exp()).clamp(SPREADS.0, SPREADS.1),
            information: self.information + expected * (1.0 - expected) * difference * difference,
        }
    }

    /// Returns the deviation of a rating that lies this far from the mean of its ladder.
    pub(crate) fn deviation(self, deviation: f64, from_mean: f64) -> f64 {
        deviation.hypot(SCALE_ERROR * from_mean / self.information.sqrt())
    }

    /// Returns what was known of a player before its first game, by what was noted then: the spread counts for a player of
    /// whom nothing was known.
    pub(crate) fn prior(self, noted: Rating) -> Rating {
        if noted.deviation < UNKNOWN { noted } else { Rating { deviation: self.spread, ..noted } }
    }
}

fn logistic(number: f64) -> f64 {
    1.0 / (1.0 + (-number).exp())
}

impl Rating {
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
        let damping = damping(self.deviation.hypot(other.deviation));
        logistic(damping * (self.rating - other.rating) / SCALE)
    }

    /// Returns the rating after all these games, given what was known before the first of them.
    pub(crate) fn after(self, before: Rating, meetings: &[Meeting]) -> Rating {
        let mut certainty = before.deviation.powi(-2);
        let mut slope = (before.rating - self.rating) * certainty;
        for meeting in meetings {
            let factor = damping(meeting.opponent.deviation) / SCALE;
            let expected = logistic(factor * (self.rating - meeting.opponent.rating));
            slope += factor * (meeting.score - meeting.games * expected);
            certainty += factor * factor * meeting.games * expected * (1.0 - expected);
        }
        let step = (slope / certainty).clamp(-LONGEST_STEP, LONGEST_STEP);
        Rating { rating: self.rating + step, deviation: certainty.powf(-0.5) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two players after some more games between them, of which the first wins all or half.
    fn play([one, two]: [Rating; 2], games: [f64; 2]) -> [Rating; 2] {
        let [won, drawn] = games;
        let meeting = |opponent, score| Meeting { opponent, games: won + drawn, score };
        let one = one.after(Rating::default(), &[meeting(two, won + drawn / 2.0)]);
        [one, two.after(Rating::default(), &[meeting(one, drawn / 2.0)])]
    }

    #[test]
    fn games_make_ratings_certain_and_a_new_version_less_so() {
        let mut both = [Rating::default(); 2];
        assert!((both[0].expected(both[1]) - 0.5).abs() < 1e-9);
        for won in 1..=30 {
            both = play(both, [f64::from(won), 0.0]);
        }
        assert!(both[0].rating > 1750.0 && both[1].rating < 1250.0, "{both:?}");
        for drawn in 1..=400 {
            both = play(both, [30.0, f64::from(drawn)]);
        }
        let [one, two] = both;
        assert!((one.rating - two.rating - 50.0).abs() < 30.0, "{both:?}");
        // Of two players who met nobody else, the difference is known, and the mean is not.
        assert!(one.deviation < 60.0, "{both:?}");
        let next = one.of_a_new_version();
        assert!(next.rating == one.rating && next.deviation > 100.0 && next.deviation < UNKNOWN);
    }

    #[test]
    fn ratings_that_foretell_too_much_narrow_the_spread() {
        let both = [1700.0, 1500.0].map(|rating| Rating { rating, deviation: 60.0 });
        let after = |scores: [f64; 4]| {
            scores.into_iter().cycle().take(200).fold(Scale::default(), |scale, score| scale.after(both, score))
        };
        let (upset, as_said, sure) = (after([1.0, 0.0, 0.5, 0.5]), after([1.0, 1.0, 1.0, 0.0]), after([1.0; 4]));
        assert!(upset.spread < as_said.spread && as_said.spread < sure.spread, "{upset:?}, {as_said:?}, {sure:?}");
        assert!((as_said.spread / UNKNOWN - 1.0).abs() < 0.1, "{as_said:?}");
        // The more games, the less is added to what is known of a rating; nothing in the middle.
        assert!(Scale::default().deviation(60.0, 300.0) > as_said.deviation(60.0, 300.0));
        assert!(as_said.deviation(60.0, 300.0) > 60.0 && as_said.deviation(60.0, 0.0) == 60.0);
        let known = Rating { rating: 1600.0, deviation: 110.0 };
        assert!(sure.prior(known) == known && sure.prior(Rating::default()).deviation == sure.spread);
    }

    #[test]
    fn the_order_of_games_does_not_matter_in_the_end() {
        let strong = Rating { rating: 1900.0, deviation: 30.0 };
        let weak = Rating { rating: 1100.0, deviation: 30.0 };
        let meetings = [
            Meeting { opponent: strong, games: 10.0, score: 3.0 },
            Meeting { opponent: weak, games: 10.0, score: 10.0 },
        ];
        let settled = |meetings: &[Meeting]| {
            (0..50).fold(Rating::default(), |rating, _| rating.after(Rating::default(), meetings))
        };
        let (one, other) = (settled(&meetings), settled(&[meetings[1], meetings[0]]));
        assert!((one.rating - other.rating).abs() < 1e-6 && (1650.0..1850.0).contains(&one.rating), "{one:?}");
    }
}
