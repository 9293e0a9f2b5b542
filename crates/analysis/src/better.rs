//! A better move than the one played, with its line of play and the reasons why it is better.

use crate::finding::Finding;
use crate::line::Line;
use crate::taken::{self, REASON_PART, without};
use engine::score::distance_to_end;
use engine::search::Score;
use engine::{Count, Drawing, Explain, Side};

/// A better move than the one played.
pub struct Better {
    /// The line of play that begins with the better move.
    pub line: Vec<Step>,
    /// The line of play that is expected after the move played, as text for people; it begins with
    /// the opponent's best reply.
    pub replies: Vec<String>,
    /// Why the move is better, each reason in a few words: the end of the game, or what can be
    /// counted and is worth a third of the lost points at least.
    pub why: Vec<String>,
    /// The moves of both lines after which a reason shows on the boards: 2, the moves and their
    /// replies, or as many as both lines have. `None` if there is nothing to count.
    pub shows_after: Option<usize>,
}

impl Better {
    /// The line after the move played, as far as lists show it; `None` if the move ended the game.
    pub fn reply(&self) -> Option<String> {
        let shown = self.replies.get(..self.replies.len().min(LISTED))?;
        (!shown.is_empty()).then(|| shown.join(" | "))
    }
}

/// The most moves of a line in a list.
pub const LISTED: usize = 6;

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
    let better = Line::new(before).and(&finding.line);
    let mut worse = Line::new(before);
    worse.push(played);
    // Old records have the reply alone.
    let replies = match &finding.reply_line[..] {
        [] => finding.reply.as_slice(),
        line => line,
    };
    let worse = worse.and(replies);
    let step = |ply: usize| {
        let (at, mv, position) =
            (&better.positions[ply], better.moves[ply], &better.positions[ply + 1]);
        Step {
            mv: better.text(ply),
            side: at.side_to_move().index(),
            drawing: position.drawing(Some((at, mv))),
            picture: position.picture(Some(mv)),
        }
    };
    let (why, shows_after) = why(&better, &worse, finding);
    Some(Better {
        line: (0..better.moves.len()).map(step).collect(),
        replies: (1..worse.moves.len()).map(|ply| worse.text(ply)).collect(),
        why,
        shows_after,
    })
}

/// The reasons for a better line: pieces by name, counts, the end of the game, and if there is none
/// of these where the own pieces are; and [`Better::shows_after`].
fn why<A: Explain>(
    better: &Line<A>,
    worse: &Line<A>,
    finding: &Finding,
) -> (Vec<String>, Option<usize>) {
    let side = better.mover(0);
    let lost = finding.estimate_lost();
    let plies = better.moves.len().min(worse.moves.len());
    // The last move of a game of points decides no more than others.
    let counts_points = better.positions[0].cell_values().is_some();
    let wins = |line: &Line<A>, plies: usize, side: Side| {
        !counts_points && line.winner(plies) == Some(side)
    };
    let shown = |mut why: Vec<String>, is_near: bool| {
        let shows_after = (!why.is_empty()).then_some(if is_near { 2 } else { plies });
        if why.is_empty() && !counts_points {
            why.extend(taken::placed(better, worse, plies));
        }
        (why, shows_after)
    };
    let mut why = Vec::new();
    if wins(better, 1, side) {
        why.push(format!("it wins at once{}", ending(&better.positions[1])));
    }
    if wins(worse, 1, side.other()) {
        why.push(format!("the move played loses at once{}", ending(&worse.positions[1])));
    }
    // The moves and the replies alone tell most; if they take nothing, the whole lines may.
    let near = taken::told(better, worse, 2, lost);
    let wins_by_reply = wins(worse, 2, side.other());
    let mut is_near = !near.is_empty() || !why.is_empty() || wins_by_reply;
    why.extend(if near.is_empty() { taken::told(better, worse, plies, lost) } else { near });
    if wins_by_reply && why.iter().all(|why| !why.ends_with(taken::WINS)) {
        why.push(format!("the reply {}{}{}", worse.text(1), taken::WINS, ending(worse.end())));
    }
    let Some(lost) = lost else {
        // A proof gives no points that counts could explain.
        if !wins(better, 1, side) && !wins_by_reply {
            why.extend(ends(better, worse, finding));
        }
        if why.is_empty() {
            why = gains(better, worse, plies, 0);
        }
        return shown(why, is_near);
    };
    let near = gains(better, worse, 2, lost);
    is_near |= !near.is_empty();
    why.extend(if near.is_empty() { gains(better, worse, plies, lost) } else { near });
    shown(why, is_near)
}

/// After a colon why a game is over, if the game says it.
fn ending<A: Explain>(position: &A) -> String {
    position.why_over().map_or(String::new(), |why| format!(": {why}"))
}

/// The differences of the boards after equally many plies of both lines that explain a good part of
/// the points lost; none if the first board counts no more than the second.
fn gains<A: Explain>(better: &Line<A>, worse: &Line<A>, plies: usize, lost: Score) -> Vec<String> {
    let side = better.mover(0);
    let [better, worse] = [better, worse].map(|line| &line.positions[plies.min(line.moves.len())]);
    let when = match plies.div_ceil(2) {
        _ if better.outcome().is_some() && worse.outcome().is_some() => "at the end, ".to_string(),
        0 | 1 => String::new(),
        moves => format!("after {moves} moves, "),
    };
    let pairs = A::counts(better, side).into_iter().zip(A::counts(worse, side));
    let pairs: Vec<(Count, Count)> = pairs.collect();
    let gain = |(better, worse): &(Count, Count)| {
        let more = better.number - worse.number;
        (if better.more_is_better { more } else { -more }) * better.worth
    };
    if pairs.iter().map(gain).sum::<Score>() <= 0 {
        return Vec::new();
    }
    let is_reason = |pair: &&(Count, Count)| gain(pair) > 0 && gain(pair) * REASON_PART >= lost;
    let mut reasons: Vec<&(Count, Count)> = pairs.iter().filter(is_reason).collect();
    reasons.sort_by_key(|pair| -gain(pair));
    let (mut gains, mut last) = (Vec::new(), Vec::new());
    for (one, other) in reasons.into_iter().take(MOST_COUNTS) {
        let here = without(&one.cells, &other.cells);
        let there = without(&other.cells, &one.cells);
        // What one side has more at the end of a game of points, the other has less.
        if !here.is_empty() && here == last {
            continue;
        }
        let names = [(better, &here), (worse, &there)].map(|(at, cells)| taken::list(at, cells));
        let cells = match names.each_ref().map(String::as_str) {
            ["", ""] => String::new(),
            [more, ""] => format!(" (with {more})"),
            ["", less] => format!(" (without {less})"),
            [more, less] => format!(" ({more} instead of {less})"),
        };
        gains
            .push(format!("{when}{}: {} instead of {}{cells}", one.what, one.number, other.number));
        last = there;
    }
    gains
}

/// The most counts of one comparison of boards.
const MOST_COUNTS: usize = 2;

/// How far the ends of the game are that the search sees after either move.
fn ends<A: Explain>(better: &Line<A>, worse: &Line<A>, finding: &Finding) -> Option<String> {
    let moves = |plies: u32| match plies.div_ceil(2) {
        1 => "1 move".to_string(),
        moves => format!("{moves} moves"),
    };
    // The plies to the end, and whether it is won.
    let end =
        |score: Option<Score>| score.and_then(|score| Some((distance_to_end(score)?, score > 0)));
    let other = A::side_word(better.mover(0).other());
    match [end(finding.best_score), end(finding.score)] {
        [Some((best, true)), Some((played, true))] => {
            Some(format!("it wins in {}, the move played in {}", moves(best), moves(played)))
        }
        [Some((best, true)), _] => {
            Some(format!("it wins in {}{}", moves(best), ending(better.end())))
        }
        [Some((best, false)), Some((played, false))] => {
            Some(format!("it holds for {}, the move played for {}", moves(best), moves(played)))
        }
        // The loser's last move is the one before the end.
        [_, Some((played, false))] => Some(format!(
            "after the move played {other} wins in {}{}",
            moves(played - 1),
            ending(worse.end())
        )),
        _ => None,
    }
    .filter(|_| finding.best_score > finding.score)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Effort;
    use engine::RuleSet;

    /// A case of `reasons.txt`: the scores, the input, and both lines in words.
    fn found<A: Explain>(scores: &str, input: &str, lines: [&str; 2]) -> Vec<String> {
        let before = A::read_task(input, A::Rules::JUDGE).unwrap().position;
        let [better, worse] = lines.map(|texts| {
            let mut line = Line::new(&before);
            for text in texts.split(" | ") {
                let mut legal = line.end().legal_moves().into_iter();
                line.push(legal.find(|&mv| line.end().describe_move(mv) == text).expect(text));
            }
            let texts = line.moves.iter().zip(&line.positions).map(|(&mv, at)| at.write_move(mv));
            (line.moves[0], texts.collect::<Vec<String>>())
        });
        let scores: Vec<Option<Score>> = scores.split(' ').map(|text| text.parse().ok()).collect();
        let finding = Finding {
            line: better.1.clone(),
            reply_line: worse.1[1..].to_vec(),
            best_score: scores[0],
            score: scores[1],
            ..Finding::of_best(better.1[0].clone(), 2, Effort::Nodes(1))
        };
        let found = super::better(&before, worse.0, &finding).unwrap();
        let shows = found.shows_after.map_or("never".to_string(), |moves| moves.to_string());
        found.why.into_iter().chain([format!("shows after {shows}")]).collect()
    }

    #[test]
    fn reasons_are_those_of_the_file() {
        let cases = include_str!("../tests/reasons.txt").split("\n\n").skip(1);
        for case in cases {
            let lines: Vec<&str> = case.trim_end().lines().collect();
            let [game, scores, input, better, worse, why @ ..] = &lines[..] else {
                panic!("{case}")
            };
            let input = input.replace(" / ", "\n") + "\n";
            let found = match *game {
                "foxgame" => found::<foxgame::Position>,
                "foxgeese" => found::<foxgeese::Position>,
                "halma" => found::<halma::Position>,
                "squirrels" => found::<squirrels::Position>,
                _ => found::<wolves::Position>,
            };
            assert_eq!(found(scores, &input, [better, worse]), *why, "{case}");
        }
    }
}
