//! The accuracy of a side in a game, as lichess counts it (`AccuracyPercent.scala` of its server):
//! half of it a mean by how much the chances change around a move, half a harmonic mean.

use crate::finding::Finding;
use engine::score::distance_to_end;
use engine::{Curve, Side};

/// Fewer moves that count have no accuracy: one of them would decide it.
pub const LEAST_MOVES: usize = 5;
/// In per cent: who expects less has nothing left to lose.
const LOST: f64 = 5.0;

/// A move by the expected results of its side, in per cent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoveValue {
    /// With the best move.
    pub before: f64,
    /// After the move played.
    pub after: f64,
    /// Whether there was a choice, and something to lose.
    pub counts: bool,
}

impl MoveValue {
    /// The value of a move. By `curve`, proven points weigh as in an even game, as in marks.
    pub fn of(finding: &Finding, curve: Option<Curve>) -> MoveValue {
        let are_points = |score: &i32| finding.proven && distance_to_end(*score).is_none();
        let scores = finding.best_score.filter(are_points).zip(finding.score.filter(are_points));
        let [before, after] = match scores.zip(curve) {
            Some(((best, score), curve)) => [best, score]
                .map(|score| 100.0 * Curve { first: 0.0, ..curve }.expected(score, Side::First)),
            None => [finding.best_chance, finding.chance].map(|chance| 50.0 + 50.0 * chance),
        };
        MoveValue { before, after, counts: finding.choices > 1 && before >= LOST }
    }
}

/// The mean and the standard deviation of numbers.
pub fn spread(numbers: &[f64]) -> (f64, f64) {
    let mean = |numbers: &[f64]| numbers.iter().sum::<f64>() / numbers.len() as f64;
    let middle = mean(numbers);
    let squares: Vec<f64> = numbers.iter().map(|number| (number - middle).powi(2)).collect();
    (middle, mean(&squares).sqrt())
}

/// The accuracy in per cent by all moves of the side, in order; `None` if too few count.
pub fn accuracy(moves: &[MoveValue]) -> Option<f64> {
    // The positions before and after the side's moves are those of the game.
    let expected: Vec<f64> = moves.iter().flat_map(|mv| [mv.before, mv.after]).collect();
    let window = (expected.len() / 10).clamp(2, 8);
    let (mut count, mut weights, mut weighted, mut inverse) = (0, 0.0, 0.0, 0.0);
    for (index, mv) in moves.iter().enumerate().filter(|(_, mv)| mv.counts) {
        let begin = (2 * index + 2).saturating_sub(window);
        let weight = spread(&expected[begin..begin + window]).1.clamp(0.5, 12.0);
        let lost = (mv.before - mv.after).max(0.0);
        let value = (103.1668 * (-0.04354 * lost).exp() - 3.1669).clamp(0.0, 100.0);
        count += 1;
        weights += weight;
        weighted += weight * value;
        inverse += 1.0 / value.max(1.0);
    }
    (count >= LEAST_MOVES).then(|| (weighted / weights + count as f64 / inverse) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Effort;

    #[test]
    fn the_two_means_of_a_game_are_those_of_lichess() {
        // Windows of four positions: 60, 60, 60, 40 for the first two moves, then 60, 40, 60, 60.
        let value = |after| MoveValue { before: 60.0, after, counts: true };
        let mut moves = vec![value(60.0); 20];
        moves[1] = value(40.0);
        let one = 103.1668 * (-0.04354_f64 * 20.0).exp() - 3.1669;
        let weight = 75.0_f64.sqrt();
        let weighted = (100.0 * (2.0 * weight + 17.0 * 0.5) + one * weight) / (3.0 * weight + 8.5);
        let both = (weighted + 20.0 / (0.19 + 1.0 / one)) / 2.0;
        assert!((accuracy(&moves).unwrap() - both).abs() < 0.01);
        assert_eq!(accuracy(&moves[..4]), None);
    }

    #[test]
    fn a_move_counts_by_its_chances_or_points_if_it_has_a_choice_and_something_to_lose() {
        let curve = Curve { points: 20.0, first: 0.5, tempo: 0.0 };
        let of = |best_chance, choices, points: Option<i32>| {
            let finding = Finding {
                best_chance,
                chance: -1.0,
                best_score: points.map(|_| 0),
                score: points,
                proven: true,
                ..Finding::of_best(String::new(), choices, Effort::Nodes(1))
            };
            let MoveValue { before, after, counts } = MoveValue::of(&finding, Some(curve));
            ([before, after].map(|expected| expected.round() as i32), counts)
        };
        assert_eq!(of(0.0, 2, None), ([50, 0], true));
        assert_eq!(of(0.0, 1, None), ([50, 0], false));
        assert!(!of(-0.91, 2, None).1);
        assert_eq!(of(-1.0, 2, Some(-20)), ([50, 27], true));
    }
}
