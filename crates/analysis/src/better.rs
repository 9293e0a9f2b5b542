//! A better move than the one played, with its line of play and the reasons why it is better.

use crate::finding::Finding;
use crate::taken;
use engine::score::distance_to_end;
use engine::search::Score;
use engine::{Drawing, Explain, Outcome, Side};

/// A better move than the one played.
pub struct Better {
    /// The line of play that begins with the better move.
    pub line: Vec<Step>,
    /// The opponent's best reply to the move played, as text for people.
    pub reply: Option<String>,
    /// Why the move is better, each reason in a few words: the end of the game, or what can be
    /// counted and is worth a third of the lost points at least.
    pub why: Vec<String>,
}

/// A move of a line, and the position after it.
pub struct Step {
    /// The move, as text for people.
    pub mv: String,
    /// The index of the side that makes the move, 0 or 1.
    pub side: usize,
    /// The drawing of the board after the move, if the game has one.
    pub drawing: Option<Drawing>,
    /// The board after the move as text.
    pub picture: String,
}

/// Returns the better move of a finding; `None` if the move played was best.
pub fn better<A: Explain>(before: &A, played: A::Move, finding: &Finding) -> Option<Better> {
    if before.read_move(&finding.best).ok()? == played {
        return None;
    }
    let (moves, positions) = line_of(before, &finding.line);
    let befores = std::iter::once(before).chain(&positions);
    let steps = befores.zip(&moves).zip(&positions).map(|((at, &mv), position)| Step {
        mv: at.describe_move(mv),
        side: at.side_to_move().index(),
        drawing: position.drawing(Some((at, mv))),
        picture: position.picture(Some(mv)),
    });
    let line = steps.collect();
    let mut worse = before.after(played);
    let reply = finding.reply.as_ref().and_then(|text| worse.read_move(text).ok());
    let described = reply.map(|mv| worse.describe_move(mv));
    if let Some(mv) = reply {
        worse.play(mv);
    }
    let after = positions.get(usize::from(reply.is_some())).or(positions.last())?;
    let lost = finding.estimate_lost();
    let mut why = reasons(before, &positions[0], (after, &worse), described.as_deref(), lost);
    let (mut played_moves, mut played_positions) = (vec![played], vec![before.after(played)]);
    let (replies, positions_after) = line_of(&played_positions[0], &finding.reply_line);
    played_moves.extend(replies);
    played_positions.extend(positions_after);
    let is_counted = !why.is_empty();
    if why.is_empty() {
        why.extend(ends(before, finding));
    }
    if why.is_empty() {
        why = later(before, &positions, &played_positions, lost);
    }
    // Pieces by name, of the move and its reply, or of as many plies as both lines have. Where the
    // loss is one of points, they have to be a good part of it.
    if lost.is_none() || !why.is_empty() {
        let plies = moves.len().min(played_moves.len());
        let compared = if is_counted { [2, plies] } else { [plies, plies] };
        let named = compared.map(|plies| taken::told(before, &moves, &played_moves, plies));
        let named = named.into_iter().find(|named| !named.is_empty()).unwrap_or_default();
        why.splice(0..0, named);
    }
    Some(Better { line, reply: described, why })
}

/// A count is a reason if its gain is worth at least the points lost, divided by this.
const REASON_PART: Score = 3;

/// The reasons for a better move: counts in which the side that moved gains, after the replies.
fn reasons<A: Explain>(
    before: &A,
    at_once: &A,
    (after, worse): (&A, &A),
    reply: Option<&str>,
    lost: Option<Score>,
) -> Vec<String> {
    let side = before.side_to_move();
    let won_by = |position: &A| position.outcome().and_then(Outcome::winner);
    if won_by(at_once) == Some(side) {
        return vec!["it wins at once".to_string()];
    }
    let mut reasons = Vec::new();
    if won_by(worse) == Some(side.other()) {
        let other = A::side_word(side.other());
        reasons.push(match reply {
            Some(reply) => format!("the move played lets {other} win at once by {reply}"),
            None => "the move played loses at once".to_string(),
        });
    }
    reasons.extend(gains(side, after, worse, lost));
    reasons
}

/// The differences of two boards that explain a good part of the points lost.
fn gains<A: Explain>(side: Side, better: &A, worse: &A, lost: Option<Score>) -> Vec<String> {
    let mut gains = Vec::new();
    for (better, worse) in A::counts(better, side).into_iter().zip(A::counts(worse, side)) {
        let more = better.number - worse.number;
        let gain = if better.more_is_better { more } else { -more };
        if gain > 0 && lost.is_some_and(|lost| gain * better.worth * REASON_PART >= lost) {
            gains.push(format!("{}: {} instead of {}", better.what, better.number, worse.number));
        }
    }
    gains
}

/// How far the ends of the game are that the search sees after either move.
fn ends<A: Explain>(before: &A, finding: &Finding) -> Option<String> {
    let moves = |plies: u32| match plies.div_ceil(2) {
        1 => "1 move".to_string(),
        moves => format!("{moves} moves"),
    };
    // The plies to the end, and whether it is won.
    let end =
        |score: Option<Score>| score.and_then(|score| Some((distance_to_end(score)?, score > 0)));
    let other = A::side_word(before.side_to_move().other());
    match [end(finding.best_score), end(finding.score)] {
        [Some((best, true)), Some((played, true))] => {
            Some(format!("it wins in {}, the move played in {}", moves(best), moves(played)))
        }
        [Some((best, true)), _] => Some(format!("it wins in {}", moves(best))),
        [Some((best, false)), Some((played, false))] => {
            Some(format!("it holds for {}, the move played for {}", moves(best), moves(played)))
        }
        // The loser's last move is the one before the end.
        [_, Some((played, false))] => {
            Some(format!("after the move played {other} wins in {}", moves(played - 1)))
        }
        _ => None,
    }
    .filter(|_| finding.best_score > finding.score)
}

fn line_of<A: Explain>(before: &A, texts: &[String]) -> (Vec<A::Move>, Vec<A>) {
    let (mut moves, mut positions) = (Vec::new(), Vec::new());
    for text in texts {
        let position = positions.last().unwrap_or(before);
        let Ok(mv) = position.read_move(text) else { break };
        let after = position.after(mv);
        moves.push(mv);
        positions.push(after);
    }
    (moves, positions)
}

/// Compares the positions after equally many moves of both lines.
fn later<A: Explain>(before: &A, better: &[A], worse: &[A], lost: Option<Score>) -> Vec<String> {
    let side = before.side_to_move();
    let plies = better.len().min(worse.len()) / 2 * 2;
    // Two plies, the move and its reply, have been compared.
    let Some(at) = plies.checked_sub(1).filter(|_| plies > 2) else { return Vec::new() };
    let gains = gains(side, &better[at], &worse[at], lost);
    gains.into_iter().map(|gain| format!("{} moves on, {gain}", plies / 2)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Effort;
    use engine::score::WIN;
    use engine::{Game, Protocol, RuleSet};
    use halma::Position;

    #[test]
    fn the_end_that_a_search_sees_is_a_reason() {
        let start = Position::start(<Position as Protocol>::Rules::AGENT);
        let [best, played, ..] = start.legal_moves()[..] else { panic!() };
        let why = |best_score, score| {
            let finding = Finding::of_best(start.write_move(best), 2, Effort::Nodes(1));
            let finding = Finding { score: Some(score), best_score: Some(best_score), ..finding };
            better(&start, played, &finding).unwrap().why
        };
        for (best, played, reason) in [
            (WIN - 9, WIN - 13, "it wins in 5 moves, the move played in 7 moves"),
            (WIN - 1, 0, "it wins in 1 move"),
            (90, 4 - WIN, "after the move played BLACK wins in 2 moves"),
            (12 - WIN, 4 - WIN, "it holds for 6 moves, the move played for 2 moves"),
        ] {
            assert_eq!(why(best, played), [reason]);
        }
    }
}
