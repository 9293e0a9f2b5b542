//! What an analysis asks of a game beside its moves: winning chances, proven results, what can be counted.

use crate::game::{Outcome, Side};
use crate::score::{Score, distance_to_end};

/// Winning chances from scores: the logistic curve `1 / (1 + exp(-(score / points + first)))` of the first side's
/// result, where a win counts 1, a draw 1/2 and a loss 0. The numbers are fitted to results of games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Curve {
    /// A score of so many points is worth odds of e to 1.
    pub points: f64,
    /// The advantage of the first side at a score of 0, as the logarithm of its odds.
    pub first: f64,
    /// The points by which a search of an odd number of plies is more hopeful for the side to move than one of an even
    /// number: an evaluation that counts no right to move sees one move more of one side than of the other.
    pub tempo: f64,
}

impl Curve {
    /// The score of a search of so many plies, for the side to move, between those that one ply more and one ply less
    /// give. Wins and losses stay what they are.
    #[must_use]
    pub fn levelled(self, score: Score, depth: u32) -> Score {
        if distance_to_end(score).is_some() {
            return score;
        }
        let half = (self.tempo / 2.0).round() as Score;
        if depth % 2 == 1 { score - half } else { score + half }
    }

    /// The expected result of a side, from 0 (a loss) to 1 (a win), at a score from that side's view.
    #[must_use]
    pub fn expected(self, score: Score, view: Side) -> f64 {
        if distance_to_end(score).is_some() {
            return f64::from(u8::from(score > 0));
        }
        let advantage = if view == Side::First { self.first } else { -self.first };
        1.0 / (1.0 + (-(f64::from(score) / self.points + advantage)).exp())
    }

    /// The winning chances of a side on the scale from -1 (lost) to 1 (won), at a score from that side's view.
    #[must_use]
    pub fn chance(self, score: Score, view: Side) -> f64 {
        2.0 * self.expected(score, view) - 1.0
    }
}

/// A result that is known for certain, with best play of both sides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Proven<M> {
    /// The result.
    pub outcome: Outcome,
    /// Plies to the end with best play, where they are known exactly.
    pub plies: Option<u32>,
    /// A move that reaches the result, where one is known.
    pub best: Option<M>,
    /// Where the result comes from, in a few words that fit behind "by": `the exact table`.
    pub source: &'static str,
}

/// Something on a board that people can count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// What is counted, for people, such as `pieces left in the own camp`.
    pub what: &'static str,
    /// How many there are.
    pub number: i32,
    /// Whether more of them are better for the side that is asked about.
    pub more_is_better: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::WIN;

    #[test]
    fn chances_grow_with_the_score_and_a_win_is_certain() {
        let curve = Curve { points: 100.0, first: 0.5, tempo: 30.0 };
        let chances = [-400, -50, 0, 50, 400].map(|score| curve.chance(score, Side::First));
        assert!(chances.is_sorted() && chances[2] > 0.0);
        assert!((curve.chance(70, Side::First) + curve.chance(-70, Side::Second)).abs() < 1e-12);
        assert!((curve.expected(-50, Side::First) - 0.5).abs() < 1e-12);
        assert_eq!([WIN - 3, 3 - WIN].map(|score| curve.chance(score, Side::Second)), [1.0, -1.0]);
        assert_eq!(
            [(45, 3), (15, 4), (WIN - 3, 3)].map(|(score, depth)| curve.levelled(score, depth)),
            [30, 30, WIN - 3]
        );
    }
}
