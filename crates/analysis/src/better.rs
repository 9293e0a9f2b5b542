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
    let mut position = before.clone();
    let (mut line, mut positions, mut moves) = (Vec::new(), Vec::new(), Vec::new());
    for text in &finding.line {
        let Ok(mv) = position.read_move(text) else { break };
        let at = position.clone();
        position.play(mv);
        line.push(Step {
            mv: at.describe_move(mv),
            side: at.side_to_move().index(),
            drawing: position.drawing(Some((&at, mv))),
            picture: position.picture(Some(mv)),
        });
        positions.push(position.clone());
        moves.push(mv);
    }
    let mut worse = before.after(played);
    let reply = finding.reply.as_ref().and_then(|text| worse.read_move(text).ok());
    let described = reply.map(|mv| worse.describe_move(mv));
    if let Some(mv) = reply {
        worse.play(mv);
    }
    let after = positions.get(usize::from(reply.is_some())).or(positions.last())?;
    let lost = finding.estimate_lost();
    let mut why = reasons(before, &positions[0], (after, &worse), described.as_deref(), lost);
    let (played_moves, played_positions) = line_after(before, played, finding);
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

/// What the side that moved gains by the better move, each after the reply.
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
        reasons.push(match reply {
            Some(reply) => format!(
                "the move played lets {} win at once by {reply}",
                A::side_word(side.other())
            ),
            None => "the move played loses at once".to_string(),
        });
    }
    reasons.extend(gains(side, after, worse, lost));
    reasons
}

/// The differences of two boards that explain a good part of the points lost.
fn gains<A: Explain>(side: Side, better: &A, worse: &A, lost: Option<Score>) -> Vec<String> {
    let pairs = A::counts(better, side).into_iter().zip(A::counts(worse, side));
    pairs
        .filter(|(better, worse)| {
            let more = better.number - worse.number;
            let gain = if better.more_is_better { more } else { -more };
            gain > 0 && lost.is_some_and(|lost| gain * better.worth * REASON_PART >= lost)
        })
        .map(|(better, worse)| {
            format!("{}: {} instead of {}", better.what, better.number, worse.number)
        })
        .collect()
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

fn line_after<A: Explain>(
    before: &A,
    played: A::Move,
    finding: &Finding,
) -> (Vec<A::Move>, Vec<A>) {
    let mut position = before.after(played);
    let (mut moves, mut positions) = (vec![played], vec![position.clone()]);
    for text in &finding.reply_line {
        let Ok(mv) = position.read_move(text) else { break };
        position.play(mv);
        moves.push(mv);
        positions.push(position.clone());
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

    /// The reasons why Halma's longest first jump is better than its shortest step, and the worth
    /// of what it gains.
    fn why(best_score: Option<Score>, score: Option<Score>) -> (Vec<String>, Score) {
        let start = Position::start(<Position as Protocol>::Rules::AGENT);
        let to_go = |position: &Position| Position::counts(position, start.side_to_move())[0];
        let after = |&mv: &<Position as Game>::Move| to_go(&start.after(mv)).number;
        let moves = start.legal_moves();
        let best = *moves.iter().min_by_key(|mv| after(mv)).unwrap();
        let played = *moves.iter().max_by_key(|mv| after(mv)).unwrap();
        let finding = Finding {
            score,
            best_score,
            ..Finding::of_best(start.write_move(best), 2, Effort::Nodes(1))
        };
        (
            better(&start, played, &finding).unwrap().why,
            (after(&played) - after(&best)) * to_go(&start).worth,
        )
    }

    #[test]
    fn a_count_is_a_reason_only_if_it_is_worth_a_good_part_of_the_points_lost() {
        let (reasons, worth) = why(Some(10), Some(9));
        assert!(
            worth > 0 && reasons.len() == 1 && reasons[0].contains(" instead of "),
            "{reasons:?}"
        );
        let most = REASON_PART * worth;
        assert_eq!(why(Some(0), Some(-most)).0, reasons);
        for (best, played) in [
            (Some(1), Some(-most)),
            (Some(9), None),
            (None, Some(9)),
            (Some(WIN - 9), Some(WIN - 9)),
        ] {
            assert!(why(best, played).0.is_empty(), "{best:?}, {played:?}");
        }
    }

    #[test]
    fn the_end_that_a_search_sees_is_a_reason() {
        for (best, played, reason) in [
            (WIN - 9, WIN - 13, "it wins in 5 moves, the move played in 7 moves"),
            (WIN - 1, 0, "it wins in 1 move"),
            (90, 4 - WIN, "after the move played BLACK wins in 2 moves"),
            (12 - WIN, 4 - WIN, "it holds for 6 moves, the move played for 2 moves"),
        ] {
            assert_eq!(why(Some(best), Some(played)).0, [reason]);
        }
    }
}
