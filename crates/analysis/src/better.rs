//! A better move than the one played, with its line of play and the reasons why it is better.

use crate::finding::Finding;
use crate::line::Line;
use crate::taken::{self, REASON_PART, list, without};
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
        let [more, less] =
            [(better, &here), (worse, &there)].map(|(at, cells)| list(&taken::names(at, cells)));
        let is_more = one.number > other.number;
        let cells = match (better.cell_values(), &more[..], &less[..]) {
            (Some(_), "", "") => String::new(),
            (Some(_), "", less) => format!(" (without {less})"),
            (Some(_), more, "") => format!(" (with {more})"),
            (Some(_), more, less) => format!(" ({more} instead of {less})"),
            (None, more, _) if is_more && !more.is_empty() => format!(" ({more})"),
            (None, _, less) if !is_more && !less.is_empty() => format!(" ({less})"),
            _ => String::new(),
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

    /// The reasons in a position of an input file with these lines, and the moves that show them.
    fn reasons<G: Explain>(
        input: &str,
        lines: [&[&str]; 2],
        scores: [Option<Score>; 2],
    ) -> (Vec<String>, Option<usize>) {
        let before = G::read_task(input, G::Rules::JUDGE).unwrap().position;
        let [better, worse] = lines.map(|texts| {
            let (mut at, mut moves) = (before.clone(), Vec::new());
            for text in texts {
                let mut legal = at.legal_moves().into_iter();
                let mv = legal.find(|&mv| at.describe_move(mv) == *text).expect(text);
                moves.push((mv, at.write_move(mv)));
                at.play(mv);
            }
            moves
        });
        let texts =
            |line: &[(G::Move, String)]| line.iter().map(|(_, text)| text.clone()).collect();
        let [best_score, score] = scores;
        let finding = Finding {
            line: texts(&better),
            reply_line: texts(&worse[1..]),
            best_score,
            score,
            ..Finding::of_best(better[0].1.clone(), 2, Effort::Nodes(1))
        };
        let found = super::better(&before, worse[0].0, &finding).unwrap();
        (found.why, found.shows_after)
    }

    #[test]
    fn sheep_that_are_eaten_and_wolves_that_are_shut_in_are_named() {
        let reasons = |input, lines| reasons::<wolves::Position>(input, lines, [Some(0), None]);
        let input = "GAME\nSHEEP\n9\n...S.\n....S\n..W.S\n.W...\n.....\n";
        assert_eq!(
            reasons(input, [&["4,2-3,2"], &["4,1-4,0", "2,2x4,2"]]),
            (vec!["the reply 2,2x4,2 takes the sheep on 4,2 and wins".to_string()], Some(2))
        );
        let input = "GAME\nWOLVES\n9\n.S..S\n..S..\n...S.\n...W.\n..SWS\n";
        let lines: [&[&str]; 2] = [
            &["3,3-2,3", "3,2-2,2", "2,3-1,3", "1,0-2,0"],
            &["3,3-4,3", "3,2-3,3", "4,3-4,2", "4,0-3,0"],
        ];
        let (why, shows_after) = reasons(input, lines);
        let counted = "after 2 moves, empty squares next to a wolf: 5 instead of 3 (1,2, 0,3, 2,3, \
                       3,3 and 1,4)";
        assert_eq!((why, shows_after), (vec![counted.to_string()], Some(4)));
    }

    #[test]
    fn a_fox_is_trapped_or_lost_and_points_of_the_pen_and_ends_are_named() {
        let why = |rows: &str, lines, scores| {
            let input = format!("GAME\nFOX\n99\n{}\n", rows.replace(' ', "\n"));
            reasons::<foxgame::Position>(&input, lines, scores).0
        };
        assert_eq!(
            why(
                "##...## ##.F.## SF..S.S .SSS.S. SS.SSSS ##SSS## ##SSS##",
                [&["1,2-2,2"], &["3,1-2,2"]],
                [Some(-244), Some(-1174)]
            ),
            ["the move played loses the fox on 1,2", "foxes left: 2 instead of 1"]
        );
        assert_eq!(
            why(
                "##F..## ##.FS## S.SSSSS .SSS.S. SS.S..S ##SSS## ##S.S##",
                [&["2,0-3,0", "4,5-4,4"], &["3,1-2,1", "3,2-3,1"]],
                [Some(-767), Some(-1795)]
            ),
            ["the reply 3,2-3,1 traps the fox on 2,1", "foxes left: 2 instead of 1"]
        );
        assert_eq!(
            why(
                "##S..## ##...## S...F.S .S..... S...FSS ##SSS## ##SSS##",
                [&["4,2-3,2", "3,5-2,4"], &["4,2-4,3", "1,3-2,2"]],
                [Some(546), Some(448)]
            ),
            ["sheep in the pen: 1 instead of 2 (2,2)"]
        );
    }

    #[test]
    fn points_are_compared_at_the_end_with_the_squares_of_both_lines() {
        let reasons = |symbols: &str, lines, [best, score]: [Score; 2]| {
            let values = "20 16 1 32 30\n20 12 2 11 8\n28 48 9 1 1\n20 12 10 6 2\n25 30 23 21 10";
            let input = format!("SINGLE\nX\n5\n{values}\n{}\n", symbols.replace(' ', "\n"));
            reasons::<squirrels::Position>(&input, lines, [Some(best), Some(score)])
        };
        let (why, shows_after) = reasons(
            "OOOOX XOOXO OXXOO XX*** OXXOX",
            [&["E4 Raid", "D4 Raid", "C4 Raid"], &["C4 Raid", "D4 Raid", "E4 Raid"]],
            [62, 46],
        );
        let points = "points of the opponent: 174 instead of 183 (E4 instead of E3 and C4)";
        assert_eq!(why, ["the reply D4 Raid takes C4, worth 10", points]);
        assert_eq!(shows_after, Some(2));
        let lines: [&[&str]; 2] = [
            &["E3 Raid", "D4 Raid", "D3 Raid", "C4 Sneak", "B4 Sneak"],
            &["D3 Raid", "D4 Raid", "C4 Raid", "B4 Raid", "E3 Raid"],
        ];
        let (why, shows_after) = reasons("OOXOX OOOXX OOX** O***O OOXOO", lines, [-194, -214]);
        let takes = "after the move played the 2nd reply, B4 Raid, takes C4, worth 10";
        assert_eq!(why, [takes, "at the end, points: 102 instead of 92 (B4 instead of E4)"]);
        assert_eq!(shows_after, Some(5));
    }

    #[test]
    fn long_jumps_and_pieces_off_the_diagonal_are_named() {
        let rows = "BBBBBB.......... BBB.B........... BB..B........... B.BB............ \
                    BBB............. ................ ................ ................ \
                    ................ ................ ................ .............WW. \
                    .............WWW .........W..W.WW ..........WWWWWW .........W..WWW.";
        let input = format!("GAME\nWHITE\n99\n{}\n", rows.replace(' ', "\n"));
        let lines: [&[&str]; 2] = [
            &[
                "12,13-12,12",
                "0,2-2,2-4,4",
                "9,15-11,13-11,15-13,13-11,11",
                "4,4-5,5",
                "11,11-10,10",
                "0,4-0,2-2,2-4,4-6,6",
                "13,15-13,13-11,11-9,9",
            ],
            &[
                "12,15-10,13-8,13",
                "0,2-2,2-4,4",
                "9,13-9,12",
                "4,4-5,5",
                "9,15-11,13-11,15-9,13-9,11",
                "0,4-0,2-2,2-4,4-6,6",
                "9,11-10,10",
            ],
        ];
        let (why, _) = reasons::<Position>(&input, lines, [Some(477), Some(95)]);
        assert_eq!(
            why,
            [
                "in the better line its 4th move, 13,15-13,13-11,11-9,9, gains 10 rows and columns",
                "after 4 moves, distance from the diagonal between the camps: 33 instead of 37 \
                 (9,12, 8,13 and 13,15)",
                "after 4 moves, distance left: 481 instead of 485"
            ]
        );
        // Nothing that is counted is better; one line leaves two pieces where they are.
        let rows = ".....B.......... .....B.......... .B..BB.......... .B.B..B......... \
                    ..B.B.BB........ .BB.BB.......... ...BB........... ....B........... \
                    ...........W.... ..........W.W... ...........WW... .............W.. \
                    ......WWWW.W.... ........WWWW.... .........WW.W... .........W......";
        let input = format!("GAME\nBLACK\n99\n{}\n", rows.replace(' ', "\n"));
        let lines: [&[&str]; 2] = [
            &[
                "4,4-6,6",
                "11,10-9,8",
                "1,5-3,5-5,7",
                "11,13-11,11-13,9-11,9-9,9-9,7",
                "5,2-3,2-3,4-5,6-7,6",
                "9,15-11,13-11,11-13,9-11,9-9,9",
                "5,0-5,2-3,2-3,4-5,6-5,8",
            ],
            &[
                "1,2-1,4-3,4-5,6",
                "11,10-9,8",
                "5,6-6,7",
                "11,13-11,11-13,9-11,9-9,9-9,7",
                "5,2-3,2-3,4-5,6-7,8",
                "9,15-11,13-11,11-13,9-11,9-9,9",
                "4,4-6,6-6,8-8,8-10,10",
            ],
        ];
        let (why, shows_after) = reasons::<Position>(&input, lines, [Some(757), Some(545)]);
        let stays =
            "the better line moves the pieces on 5,0 and 1,5, which stay after the move played";
        assert_eq!((why, shows_after), (vec![stays.to_string()], None));
    }
}
