//! The choice of a move from exact values: a shortest win, a longest loss, and in a draw the move
//! after which a random opponent errs most often.

use crate::oracle::{Known, Oracle};
use crate::rules::{Move, Position};
use crate::{Evaluation, strategy};
use engine::search::Knowledge;
use engine::{Advice, Game};

/// The opponent's turns in which its mistakes are counted.
const TURNS: u32 = 2;

/// The advice for a position that is not finished, from the oracle's values of its moves.
pub fn advise(position: &Position, oracle: &Oracle) -> Advice<Move> {
    let side = position.side_to_move();
    let moves = position.legal_moves();
    let ask = |&mv| {
        let (next, known) = oracle.ask_after(position, mv);
        Some((mv, next, known?))
    };
    let known: Vec<(Move, Position, Known)> = moves.iter().filter_map(ask).collect();
    let Some(best) = known.iter().map(|(.., known)| known.result_for(side)).max() else {
        return Advice::Nothing;
    };
    if best < 1 && known.len() < moves.len() {
        return Advice::Nothing;
    }
    let kept: Vec<_> =
        known.into_iter().filter(|(.., known)| known.result_for(side) == best).collect();
    let exact = kept.iter().filter_map(|&(mv, next, known)| Some((mv, next, known.plies?)));
    match best {
        1 => {
            if let Some((mv, _, plies)) = exact.min_by_key(|&(.., plies)| plies) {
                return Advice::Move(mv, format!("win in {}", plies + 1));
            }
            if let Some(mv) = strategy::play(position) {
                return Advice::Move(mv, "win, by the stored strategy".to_string());
            }
        }
        0 => {
            let drawing = kept.iter().map(|&(mv, next, _)| (mv, next));
            let (mv, probability) = trickiest(drawing, oracle, TURNS);
            return Advice::Move(mv, format!("draw, {:.0} % traps", 100.0 * probability));
        }
        _ => {
            let longest = exact.clone().map(|(.., plies)| plies).max();
            if let Some(longest) = longest.filter(|_| exact.clone().count() == kept.len()) {
                let longest_moves =
                    exact.filter(|&(.., plies)| plies == longest).map(|(mv, next, _)| (mv, next));
                let (mv, _) = trickiest(longest_moves, oracle, 1);
                return Advice::Move(mv, format!("loss in {}", longest + 1));
            }
        }
    }
    Advice::Among(kept.into_iter().map(|(mv, ..)| mv).collect())
}

/// The move after which a random opponent errs most often, with the probability of an error within
/// `turns` turns; of equal moves the one with the best evaluation, and of those the first.
fn trickiest(
    moves: impl Iterator<Item = (Move, Position)>,
    oracle: &Oracle,
    turns: u32,
) -> (Move, f64) {
    let estimate =
        |next: &Position| if next.outcome().is_some() { 0 } else { -Evaluation.evaluate(next) };
    let rated =
        moves.map(|(mv, next)| (mv, mistake_probability(&next, oracle, turns), estimate(&next)));
    let better =
        |a: &(Move, f64, i32), b: &(Move, f64, i32)| a.1 > b.1 || (a.1 == b.1 && a.2 > b.2);
    let best = rated.reduce(|best, other| if better(&other, &best) { other } else { best });
    let (mv, probability, _) = best.expect("there is a move to choose");
    (mv, probability)
}

/// The probability that the side to move, moving at random, gives away its result within `turns`
/// turns, while the other side moves to make that likely without giving away its own; 0 where
/// values are missing.
fn mistake_probability(position: &Position, oracle: &Oracle, turns: u32) -> f64 {
    let side = position.side_to_move();
    let moves = position.legal_moves();
    let mut replies = Vec::with_capacity(moves.len());
    for &mv in &moves {
        let (next, Some(known)) = oracle.ask_after(position, mv) else { return 0.0 };
        replies.push((next, known.result_for(side)));
    }
    let Some(best) = replies.iter().map(|reply| reply.1).max() else { return 0.0 };
    let probability_after = |&(next, result): &(Position, i32)| {
        if result < best {
            return 1.0;
        }
        if turns == 1 || next.outcome().is_some() {
            return 0.0;
        }
        let answers = next.legal_moves().into_iter().filter_map(|mv| {
            let (after, known) = oracle.ask_after(&next, mv);
            (known?.result_for(side) == result)
                .then(|| mistake_probability(&after, oracle, turns - 1))
        });
        answers.fold(0.0, f64::max)
    };
    replies.iter().map(probability_after).sum::<f64>() / moves.len() as f64
}
