//! What analyses ask of a game: winning chances, proven results, countable features.

use crate::drawing::Place;
use crate::game::{Outcome, Side};
use crate::score::{Score, distance_to_end};
use crate::search::Knowledge;
use crate::think::{Playable, default_knowledge};

/// A game whose positions and moves can be explained. Everything has a default.
pub trait Explain: Playable {
    /// Winning chances from scores, fitted to results of games as docs/analysis.md says.
    const CURVE: Option<Curve> = None;

    /// The sides whose accuracy does not tell how well they play, as docs/analysis.md says.
    const NO_ACCURACY: &'static [Side] = &[];

    /// [`Explain::CURVE`], or a guess from the first aspiration window ([`Knowledge::aspiration`]).
    fn curve() -> Curve {
        // About the number of margins that are worth odds of e to 1 in a game whose curve was fitted.
        const WINDOWS: f64 = 7.0;
        Self::CURVE.unwrap_or_else(|| {
            let window = default_knowledge::<Self>().aspiration().max(1);
            Curve { points: WINDOWS * f64::from(window), first: 0.0, tempo: 0.0 }
        })
    }

    /// The proven result of a position that is not finished, if it is known: from a table, a stored
    /// strategy or an exact solver. It takes less than a second and depends on the position alone.
    fn proven(position: &Self) -> Option<Proven<Self::Move>> {
        let _ = position;
        None
    }

    /// What of a board matters to a side and can be counted: the pieces it has lost, the distance
    /// it still has to go. Every position has the same counts in the same order.
    fn counts(position: &Self, side: Side) -> Vec<Count> {
        let _ = (position, side);
        Vec::new()
    }

    /// The parts of the evaluation with their names, in points for the side to move; their sum is
    /// the evaluation. Empty if the game does not split it.
    fn evaluation_parts(position: &Self) -> Vec<(&'static str, Score)> {
        let _ = position;
        Vec::new()
    }
}

/// Winning chances from scores: the logistic curve `1 / (1 + exp(-(score / points + first)))` of
/// the first side's expected result, where a win counts 1, a draw 1/2 and a loss 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Curve {
    /// The score, in points, that corresponds to odds of e to 1.
    pub points: f64,
    /// The first side's advantage at a score of 0, as the logarithm of the odds.
    pub first: f64,
    /// The odd-even effect, in points: the amount by which a search of an odd number of plies is
    /// more favourable to the side to move than one of an even number, because an evaluation that
    /// does not count the right to move sees one more move of one side.
    pub tempo: f64,
}

impl Curve {
    /// The score of a search of `depth` plies, corrected for the odd-even effect to the mean of an
    /// odd and an even depth.
    pub fn levelled(self, score: Score, depth: u32) -> Score {
        if distance_to_end(score).is_some() {
            return score;
        }
        let half = (self.tempo / 2.0).round() as Score;
        if depth % 2 == 1 { score - half } else { score + half }
    }

    /// The expected result of a side, from 0 (a loss) to 1 (a win), at a score from its view.
    pub fn expected(self, score: Score, view: Side) -> f64 {
        if distance_to_end(score).is_some() {
            return f64::from(u8::from(score > 0));
        }
        let advantage = if view == Side::First { self.first } else { -self.first };
        1.0 / (1.0 + (-(f64::from(score) / self.points + advantage)).exp())
    }

    /// The winning chances of a side, from -1 (lost) to 1 (won), at a score from its view.
    pub fn chance(self, score: Score, view: Side) -> f64 {
        2.0 * self.expected(score, view) - 1.0
    }
}

/// The result of a position with best play of both sides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Proven<M> {
    /// The result.
    pub outcome: Outcome,
    /// The plies to the end with best play, if they are known exactly.
    pub plies: Option<u32>,
    /// A move that keeps the result, if one is known.
    pub best: Option<M>,
    /// The source of the result, in words that fit after "by": `the exact table`.
    pub source: &'static str,
}

/// A feature of a position that people can count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// What is counted, such as `pieces left in the own camp`.
    pub what: &'static str,
    /// The count in the position.
    pub number: i32,
    /// Whether a larger count is better for the side asked about.
    pub more_is_better: bool,
    /// About the points of the evaluation that one more or less is worth. An analysis gives as the
    /// reason of a loss only what is worth a good part of it.
    pub worth: Score,
    /// The cells of what is counted, which an analysis names; empty if there are none to name.
    pub cells: Vec<Place>,
    /// Whether it is the way that running pieces have left, so that long moves explain it.
    pub is_way: bool,
}

impl Count {
    /// A count without cells, and of no way.
    pub fn new(what: &'static str, number: i32, more_is_better: bool, worth: Score) -> Count {
        Count { what, number, more_is_better, worth, cells: Vec::new(), is_way: false }
    }

    /// A count of things on cells, one on each.
    pub fn of(
        what: &'static str,
        cells: impl IntoIterator<Item = Place>,
        more_is_better: bool,
        worth: Score,
    ) -> Count {
        let cells: Vec<Place> = cells.into_iter().collect();
        Count::new(what, cells.len() as i32, more_is_better, worth).on(cells)
    }

    /// The count with these cells to name.
    pub fn on(self, cells: impl IntoIterator<Item = Place>) -> Count {
        Count { cells: cells.into_iter().collect(), ..self }
    }
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
