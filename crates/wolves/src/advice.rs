//! The play from what is known: a quickest win, the longest loss, and in a draw the play that sets most traps.

use crate::oracle::{Known, Oracle};
use crate::rules::{Play, Position};
use crate::{Evaluation, strategy};
use engine::Game;
use engine::search::Knowledge;

/// What knowledge says about a position's plays.
#[derive(Clone, Debug, PartialEq)]
pub enum Advice {
    /// The play to make, and why, in a few words.
    Play(Play, String),
    /// These are not mistakes; which is best is not known.
    Among(Vec<Play>),
    /// Nothing is known that helps.
    Nothing,
}

/// How many turns of the opponent to look ahead for mistakes.
const TURNS: u32 = 2;

/// The advice for a position that is not finished.
#[must_use]
pub fn advise(position: &Position, oracle: &Oracle) -> Advice {
    let side = position.side_to_move();
    let plays = position.legal_moves();
    let known: Vec<(Play, Position, Known)> = plays
        .iter()
        .filter_map(|&play| {
            let (next, known) = oracle.ask_after(position, play);
            Some((play, next, known?))
        })
        .collect();
    let Some(best) = known.iter().map(|(.., known)| known.result_for(side)).max() else { return Advice::Nothing };
    if best < 1 && known.len() < plays.len() {
        return Advice::Nothing;
    }
    let kept: Vec<_> = known.into_iter().filter(|(.., known)| known.result_for(side) == best).collect();
    let exact = kept.iter().filter_map(|&(play, next, known)| Some((play, next, known.plies()?)));
    match best {
        1 => {
            if let Some((play, _, plies)) = exact.min_by_key(|&(.., plies)| plies) {
                return Advice::Play(play, format!("win in {}", plies + 1));
            }
            if let Some(play) = strategy::play(position).filter(|_| !oracle.is_ignorant()) {
                return Advice::Play(play, "win, by the stored strategy".to_string());
            }
        }
        0 => {
            let (play, share) = trickiest(kept.iter().map(|&(play, next, _)| (play, next)), oracle, TURNS);
            return Advice::Play(play, format!("draw, {:.0} % traps", 100.0 * share));
        }
        _ => {
            let longest = exact.clone().map(|(.., plies)| plies).max();
            if let Some(longest) = longest
                && exact.clone().count() == kept.len()
            {
                let longest_plays = exact.filter(|&(.., plies)| plies == longest).map(|(play, next, _)| (play, next));
                let (play, _) = trickiest(longest_plays, oracle, 1);
                return Advice::Play(play, format!("loss in {}", longest + 1));
            }
        }
    }
    Advice::Among(kept.into_iter().map(|(play, ..)| play).collect())
}

/// The play after which a random opponent errs most often, and how often; of equals the one that looks best, and of
/// those the first.
fn trickiest(plays: impl Iterator<Item = (Play, Position)>, oracle: &Oracle, turns: u32) -> (Play, f64) {
    let estimate = |next: &Position| if next.outcome().is_some() { 0 } else { -Evaluation.evaluate(next) };
    let judged = plays.map(|(play, next)| (play, mistakes(&next, oracle, turns), estimate(&next)));
    let better = |a: &(Play, f64, i32), b: &(Play, f64, i32)| a.1 > b.1 || (a.1 == b.1 && a.2 > b.2);
    let best = judged.reduce(|best, other| if better(&other, &best) { other } else { best });
    let (play, share, _) = best.expect("there is a play to choose");
    (play, share)
}

/// How likely a side that plays at random gives away its result within so many of its turns, if the other side, which
/// must not give away its own, plays for that. 0 where not enough is known.
fn mistakes(position: &Position, oracle: &Oracle, turns: u32) -> f64 {
    let side = position.side_to_move();
    let plays = position.legal_moves();
    let mut replies = Vec::with_capacity(plays.len());
    for &play in &plays {
        let (next, Some(known)) = oracle.ask_after(position, play) else { return 0.0 };
        replies.push((next, known.result_for(side)));
    }
    let Some(best) = replies.iter().map(|reply| reply.1).max() else { return 0.0 };
    let share_of = |&(next, result): &(Position, i32)| {
        if result < best {
            return 1.0;
        }
        if turns == 1 || next.outcome().is_some() {
            return 0.0;
        }
        let answers = next.legal_moves().into_iter().filter_map(|play| {
            let (after, known) = oracle.ask_after(&next, play);
            (known?.result_for(side) == result).then(|| mistakes(&after, oracle, turns - 1))
        });
        answers.fold(0.0, f64::max)
    };
    replies.iter().map(share_of).sum::<f64>() / plays.len() as f64
}
