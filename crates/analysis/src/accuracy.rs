//! The accuracy of a side's moves in a game, as lichess counts it (lichess.org/page/accuracy, and
//! `AccuracyPercent.scala` of its server): the mean of two means over the moves, one weighted by how
//! much the winning chances changed at that time, and a harmonic one.

use crate::finding::Finding;
use engine::score::distance_to_end;
use engine::{Curve, Side};

/// Fewer moves that count have no accuracy: a single one would decide it.
pub const LEAST_MOVES: usize = 5;
/// In per cent: a side that expects less has nothing left to lose, and its move does not count.
const LOST: f64 = 5.0;
/// Positions of the window in which a weight is the standard deviation of the expected results: a
/// tenth of the game, within these bounds.
const WINDOW: [usize; 2] = [2, 8];
/// The bounds of a weight, in per cent.
const WEIGHTS: [f64; 2] = [0.5, 12.0];

/// What a move was worth: the expected results of the side that made it, in per cent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoveValue {
    /// The expected result with the best move.
    pub before: f64,
    /// The expected result after the move played.
    pub after: f64,
    /// Whether there was a choice, and something to lose.
    pub counts: bool,
}

impl MoveValue {
    /// The value of a move. By `curve`, proven points weigh as in an even game, as in marks.
    pub fn of(finding: &Finding, curve: Option<Curve>) -> MoveValue {
        let are_points = |score: &i32| finding.proven && distance_to_end(*score).is_none();
        let scores = finding.best_score.filter(are_points).zip(finding.score.filter(are_points));
        let [before, after] = match (scores, curve) {
            (Some((best, score)), Some(curve)) => {
                let even = Curve { first: 0.0, ..curve };
                [best, score].map(|score| 100.0 * even.expected(score, Side::First))
            }
            _ => [finding.best_chance, finding.chance].map(|chance| 50.0 + 50.0 * chance),
        };
        MoveValue { before, after, counts: finding.choices > 1 && before >= LOST }
    }

    /// The accuracy of the move, in per cent.
    fn accuracy(self) -> f64 {
        let lost = (self.before - self.after).max(0.0);
        (103.1668 * (-0.04354 * lost).exp() - 3.1669).clamp(0.0, 100.0)
    }
}

/// The accuracy, in per cent, of all moves of a side in a game, in order; `None` if fewer than
/// [`LEAST_MOVES`] of them count.
pub fn accuracy(moves: &[MoveValue]) -> Option<f64> {
    // The positions before and after the side's moves are those of the game.
    let expected: Vec<f64> = moves.iter().flat_map(|mv| [mv.before, mv.after]).collect();
    let window = (expected.len() / 10).clamp(WINDOW[0], WINDOW[1]);
    let weight = |index: usize| {
        let begin = (2 * index + 2).saturating_sub(window);
        let near = &expected[begin..(begin + window).min(expected.len())];
        let mean = near.iter().sum::<f64>() / near.len() as f64;
        let squares: f64 = near.iter().map(|expected| (expected - mean).powi(2)).sum();
        (squares / near.len() as f64).sqrt().clamp(WEIGHTS[0], WEIGHTS[1])
    };
    let counted = moves.iter().enumerate().filter(|(_, mv)| mv.counts);
    let counted: Vec<(f64, f64)> =
        counted.map(|(index, mv)| (mv.accuracy(), weight(index))).collect();
    if counted.len() < LEAST_MOVES {
        return None;
    }
    let weights: f64 = counted.iter().map(|(_, weight)| weight).sum();
    let weighted = counted.iter().map(|(value, weight)| value * weight).sum::<f64>() / weights;
    let inverse: f64 = counted.iter().map(|(value, _)| 1.0 / value.max(1.0)).sum();
    Some((weighted + counted.len() as f64 / inverse) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Effort;
    use engine::score::WIN;

    fn value(before: f64, after: f64) -> MoveValue {
        MoveValue { before, after, counts: true }
    }

    #[test]
    fn the_two_means_of_a_game_are_those_of_lichess() {
        // 40 positions: windows of four, that of the second move the first one, as of the first.
        let mut moves = vec![value(60.0, 60.0); 20];
        moves[1] = value(60.0, 40.0);
        moves[10] = value(60.0, 60.0 - 1e-9);
        let one = 103.1668 * (-0.04354_f64 * 20.0).exp() - 3.1669;
        // The deviation of 60, 60, 60, 40 for the first two moves and of 60, 40, 60, 60 for the
        // third one.
        let deviation = 75.0_f64.sqrt();
        let weighted = (2.0 * deviation + 17.0 * 0.5) * 100.0 + one * deviation;
        let weighted = weighted / (3.0 * deviation + 17.0 * 0.5);
        let harmonic = 20.0 / (19.0 / 100.0 + 1.0 / one);
        let found = accuracy(&moves).unwrap();
        assert!((found - (weighted + harmonic) / 2.0).abs() < 0.01, "{found}");
    }

    #[test]
    fn moves_without_a_choice_or_anything_to_lose_do_not_count_and_a_few_have_no_accuracy() {
        let finding = |best: f64, chance: f64, choices| Finding {
            best_chance: best,
            chance,
            ..Finding::of_best(String::new(), choices, Effort::Nodes(1))
        };
        let counts = |best, choices| MoveValue::of(&finding(best, -1.0, choices), None).counts;
        assert_eq!(
            [(0.0, 2), (0.0, 1), (-0.89, 2), (-0.91, 2), (-1.0, 2)].map(|(b, c)| counts(b, c)),
            [true, false, true, false, false]
        );
        let lost = MoveValue::of(&finding(-1.0, -1.0, 9), None);
        let mut moves = vec![value(70.0, 70.0); LEAST_MOVES - 1];
        moves.extend([lost; 30]);
        assert_eq!((accuracy(&[]), accuracy(&moves)), (None, None));
        moves.push(value(70.0, 70.0));
        assert!(accuracy(&moves).unwrap() > 99.9);
    }

    #[test]
    fn proven_points_weigh_by_the_curve_and_proven_results_as_results() {
        let curve = Some(Curve { points: 20.0, first: 0.5, tempo: 0.0 });
        let of = |best, score, curve| {
            let finding = Finding {
                best_score: Some(best),
                score: Some(score),
                best_chance: 1.0,
                chance: -1.0,
                proven: true,
                ..Finding::of_best(String::new(), 2, Effort::Nodes(1))
            };
            let MoveValue { before, after, .. } = MoveValue::of(&finding, curve);
            [before, after].map(|expected| (expected * 10.0).round() / 10.0)
        };
        assert_eq!(of(0, -20, curve), [50.0, 26.9]);
        assert_eq!(of(0, -20, None), [100.0, 0.0]);
        assert_eq!(of(WIN - 3, 3 - WIN, curve), [100.0, 0.0]);
    }
}
