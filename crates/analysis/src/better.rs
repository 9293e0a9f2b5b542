//! A better move than the one played, with its line of play and the reasons why it is better.

use crate::finding::Finding;
use engine::score::distance_to_end;
use engine::search::Score;
use engine::{Drawing, Explain, Outcome};

/// A better move than the one played.
pub struct Better {
    /// The line of play that begins with the better move.
    pub line: Vec<Step>,
    /// The opponent's best reply to the move played, as text for people.
    pub reply: Option<String>,
    /// The reasons why the move is better, each in a few words: the end of the game by the next moves, and what can be
    /// counted on the board and is worth at least a third of the points that the move played lost.
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
    let (mut line, mut positions) = (Vec::new(), Vec::new());
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
    }
    let mut worse = before.clone();
    worse.play(played);
    let reply = finding.reply.as_ref().and_then(|text| worse.read_move(text).ok());
    let described = reply.map(|mv| worse.describe_move(mv));
    if let Some(mv) = reply {
        worse.play(mv);
    }
    let after = positions.get(usize::from(reply.is_some())).or(positions.last())?;
    let why = reasons(before, &positions[0], (after, &worse), described.as_deref(), points_lost(finding));
    Some(Better { line, reply: described, why })
}

/// A count is a reason if what was gained of it is worth at least the points that were lost, divided by this.
const REASON_PART: Score = 3;

/// Returns the points that a move lost; `None` if there is no telling, as where it gave away a proven result: no count
/// weighs that.
fn points_lost(finding: &Finding) -> Option<Score> {
    let [best, played] = [finding.best_score?, finding.score?];
    let are_points = [best, played].iter().all(|&score| distance_to_end(score).is_none());
    (are_points && best > played).then_some(best - played)
}

/// Compares the position after the better move and its reply with the one after the move played and its reply, and
/// returns the countable gains for the side that moved that explain a good part of the points lost.
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
            Some(reply) => format!("the move played lets {} win at once by {reply}", A::side_word(side.other())),
            None => "the move played loses at once".to_string(),
        });
    }
    for (better, worse) in A::counts(after, side).into_iter().zip(A::counts(worse, side)) {
        let gain = if better.more_is_better { better.number - worse.number } else { worse.number - better.number };
        if gain > 0 && lost.is_some_and(|lost| gain * better.worth * REASON_PART >= lost) {
            reasons.push(format!("{}: {} instead of {}", better.what, better.number, worse.number));
        }
    }
    reasons
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Effort;
    use engine::score::WIN;
    use engine::{Game, Protocol, RuleSet};
    use halma::Position;

    /// The reasons why Halma's longest first jump is better than its shortest first step, if the two have these scores,
    /// and what the rows and columns are worth that it gains.
    fn why(best_score: Option<Score>, score: Option<Score>) -> (Vec<String>, Score) {
        let start = Position::start(<Position as Protocol>::Rules::AGENT);
        let to_go = |position: &Position| Position::counts(position, start.side_to_move())[0];
        let after = |&mv: &<Position as Game>::Move| to_go(&crate::position::after(&start, mv)).number;
        let moves = start.legal_moves();
        let best = *moves.iter().min_by_key(|mv| after(mv)).unwrap();
        let played = *moves.iter().max_by_key(|mv| after(mv)).unwrap();
        let finding = Finding {
            best: start.write_move(best),
            line: vec![start.write_move(best)],
            reply: None,
            score,
            best_score,
            chance: -0.5,
            best_chance: 0.5,
            mark: None,
            proven: false,
            before: None,
            after: None,
            source: None,
            choices: 2,
            depth: 1,
            effort: Effort::Nodes(1),
        };
        (better(&start, played, &finding).unwrap().why, (after(&played) - after(&best)) * to_go(&start).worth)
    }

    #[test]
    fn a_count_is_a_reason_only_if_it_is_worth_a_good_part_of_the_points_lost() {
        let (reasons, worth) = why(Some(10), Some(9));
        assert!(worth > 0 && reasons.len() == 1 && reasons[0].contains(" instead of "), "{reasons:?}");
        let most = REASON_PART * worth;
        assert_eq!(why(Some(0), Some(-most)).0, reasons);
        for (best, played) in
            [(Some(1), Some(-most)), (Some(WIN - 9), Some(WIN - 11)), (Some(9), None), (None, Some(9))]
        {
            assert!(why(best, played).0.is_empty(), "{best:?}, {played:?}");
        }
    }
}
