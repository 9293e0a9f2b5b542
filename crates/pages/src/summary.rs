//! The summary of an analysed game.

use anygame::GameClock;
use arena::analysis::finding::{Finding, Mark, ProvenResult};
use arena::analysis::text::percent;
use arena::player::spec::PlayerKind;
use arena::record::{End, Header, MoveRecord};
use arena::result::Termination;
use engine::Side;

/// Moves that are named as the costliest of a side.
pub const NAMED: usize = 3;
/// A smaller drop in winning chances is not named.
const LEAST_NAMED: f64 = 0.01;
/// A move this quick was hardly thought about, in CPU seconds.
pub const HASTY: f64 = 0.01;
/// The part of a game's clock that is much to have left.
const MUCH: f64 = 0.5;

/// The summary of one side's moves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SideVerdict {
    /// Moves that were looked at.
    pub moves: u32,
    /// The mean accuracy of its moves in per cent; forced moves do not count.
    pub accuracy: Option<f64>,
    /// Inaccuracies, mistakes, blunders.
    pub marks: [u32; 3],
    /// Its costliest moves as indices, the worst first; at most [`NAMED`].
    pub costliest: Vec<usize>,
    /// Of a side that did not win: the first of the last moves in a row that kept a proven win, and
    /// their number.
    pub unfinished: Option<(usize, usize)>,
    /// Of a program that lost with much of its game's clock left: moves of at most [`HASTY`], and
    /// the seconds left.
    pub unused: Option<(u32, f64)>,
    /// The move at which the clock ran out, from 1 over both sides' moves.
    pub ran_out: Option<u32>,
}

/// The summary of an analysed game.
#[derive(Clone, Debug, PartialEq)]
pub struct GameVerdict {
    /// The summaries of the moves of both sides, by [`Side::index`].
    pub sides: [SideVerdict; 2],
    /// Where the game turned; `None` without a winner.
    pub turned: Option<Turned>,
}

/// Where a game turned, by the findings on the loser's moves. Those on the winner's estimate the
/// same positions by other searches, and would name another move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turned {
    /// The index of the move after which the winner stayed ahead.
    With(usize),
    /// The winner's chances were always better.
    Never,
    /// Moves in a row, the turning one among them, have no finding.
    Unknown,
}

impl GameVerdict {
    /// The index of the move with which the game turned, if known.
    #[must_use]
    pub fn turning_move(&self) -> Option<usize> {
        match self.turned {
            Some(Turned::With(index)) => Some(index),
            _ => None,
        }
    }
}

fn side_of(record: &MoveRecord, words: [&str; 2]) -> Side {
    if record.side == words[0] { Side::First } else { Side::Second }
}

/// The verdict on a game of a game with these words for its sides.
pub fn verdict(
    header: &Header,
    words: [&str; 2],
    moves: &[MoveRecord],
    end: Option<&End>,
) -> GameVerdict {
    let sides = Side::BOTH.map(|side| {
        let own: Vec<(usize, &MoveRecord)> =
            moves.iter().enumerate().filter(|(_, record)| side_of(record, words) == side).collect();
        side_verdict(header, &own, side, end)
    });
    GameVerdict { sides, turned: end.and_then(|end| turned(words, moves, end)) }
}

fn side_verdict(
    header: &Header,
    own: &[(usize, &MoveRecord)],
    side: Side,
    end: Option<&End>,
) -> SideVerdict {
    let found: Vec<(usize, &Finding)> = own
        .iter()
        .filter_map(|&(index, record)| Some((index, record.analysis.as_deref()?)))
        .collect();
    let chosen: Vec<f64> =
        found.iter().filter(|(_, f)| f.choices > 1).map(|(_, f)| f.accuracy()).collect();
    let mut costliest: Vec<(usize, &Finding)> = found
        .iter()
        .copied()
        .filter(|(_, f)| {
            let is_seen = percent(f.best_chance) != percent(f.chance);
            f.mark.is_some() || f.drop() >= LEAST_NAMED && is_seen
        })
        .collect();
    costliest.sort_by(|(_, a), (_, b)| {
        b.drop().total_cmp(&a.drop()).then(b.points_lost().cmp(&a.points_lost()))
    });
    costliest.truncate(NAMED);
    SideVerdict {
        moves: found.len() as u32,
        accuracy: (!chosen.is_empty()).then(|| chosen.iter().sum::<f64>() / chosen.len() as f64),
        marks: Mark::ALL
            .map(|mark| found.iter().filter(|(_, f)| f.mark == Some(mark)).count() as u32),
        costliest: costliest.into_iter().map(|(index, _)| index).collect(),
        unfinished: end.and_then(|end| unfinished(&found, side, end)),
        unused: end.and_then(|end| unused(header, own, side, end)),
        ran_out: end
            .filter(|end| {
                end.termination == Termination::TimeForfeit
                    && end.winner == Some(side.other().index())
            })
            .map(|end| end.plies + 1),
    }
}

/// See [`SideVerdict`].
fn unfinished(found: &[(usize, &Finding)], side: Side, end: &End) -> Option<(usize, usize)> {
    let winning =
        found.iter().rev().take_while(|(_, finding)| finding.after == Some(ProvenResult::Win));
    let (first, _) = winning.clone().last().filter(|_| end.winner != Some(side.index()))?;
    Some((*first, winning.count()))
}

/// See [`SideVerdict`].
fn unused(
    header: &Header,
    own: &[(usize, &MoveRecord)],
    side: Side,
    end: &End,
) -> Option<(u32, f64)> {
    let name = &end.players[side.index()];
    let engine = header.engines.iter().find(|engine| engine.name == *name)?;
    // Reference players are as quick as they are.
    let (PlayerKind::Files { .. }, GameClock::Game(full)) = (&engine.kind, engine.clock) else {
        return None;
    };
    let left = own.last()?.1.left?;
    let hasty = own.iter().filter(|(_, record)| record.cpu <= HASTY).count() as u32;
    let lost = end.winner == Some(side.other().index());
    (lost && hasty > 0 && left >= MUCH * full).then_some((hasty, left))
}

/// A finding tells the loser's chances before a move, by the best one, and after it. The last of
/// these points at which the winner was not ahead counts.
fn turned(words: [&str; 2], moves: &[MoveRecord], end: &End) -> Option<Turned> {
    let winner = end.winner?;
    let finding = |record: &MoveRecord| {
        let of_loser = side_of(record, words).index() != winner;
        record
            .analysis
            .as_deref()
            .filter(|_| of_loser)
            .map(|finding| (finding.best_chance, finding.chance))
    };
    let last_behind = |(index, record)| {
        let (before, after) = finding(record)?;
        (after >= 0.0).then_some(index + 1).or((before >= 0.0).then_some(index))
    };
    let Some(turned) = moves.iter().enumerate().rev().find_map(last_behind) else {
        let any = moves.iter().any(|record| finding(record).is_some());
        return Some(if any { Turned::Never } else { Turned::Unknown });
    };
    // The winner's move between two findings is the one that turned the game, and so is the last
    // one if the rules ended the game.
    let rest = &moves[turned..];
    let is_known = match rest.iter().take_while(|record| finding(record).is_none()).count() {
        0 => !rest.is_empty(),
        1 => rest.len() > 1 || end.termination == Termination::Normal,
        _ => false,
    };
    Some(if is_known { Turned::With(turned) } else { Turned::Unknown })
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena::analysis::finding::Effort;
    use arena::player::spec::EngineSpec;

    const WORDS: [&str; 2] = ["UP", "DOWN"];

    fn finding(best: f64, chance: f64) -> Finding {
        Finding {
            best: "b".to_string(),
            line: Vec::new(),
            reply: None,
            reply_line: Vec::new(),
            score: None,
            best_score: None,
            chance,
            best_chance: best,
            mark: Mark::of_drop(best - chance),
            proven: false,
            before: None,
            after: None,
            source: None,
            choices: 2,
            depth: 1,
            effort: Effort::Nodes(1),
        }
    }

    fn mv(ply: u32, side: usize, (cpu, left): (f64, f64), analysis: Option<Finding>) -> MoveRecord {
        MoveRecord {
            ply,
            side: WORDS[side].to_string(),
            cpu,
            left: Some(left),
            analysis: analysis.map(Box::new),
            ..MoveRecord::default()
        }
    }

    /// The first side's move first, each after a second of 100.
    fn moves(findings: &[Finding]) -> Vec<MoveRecord> {
        (0..)
            .zip(findings)
            .map(|(ply, found)| mv(ply, ply as usize % 2, (1.0, 90.0), Some(found.clone())))
            .collect()
    }

    fn end(winner: Option<usize>, termination: Termination, plies: u32) -> End {
        End { players: ["a", "b"].map(String::from), winner, termination, plies, ..End::default() }
    }

    fn header(clock: GameClock) -> Header {
        let program =
            PlayerKind::Files { command: Vec::new(), directory: None, own_command: false };
        let engine =
            |name: &str, kind| EngineSpec { name: name.to_string(), kind, clock, margin: 0.0 };
        Header {
            engines: vec![engine("a", program), engine("b", PlayerKind::Random)],
            ..Header::default()
        }
    }

    fn verdict_on(moves: &[MoveRecord], end: &End) -> GameVerdict {
        verdict(&header(GameClock::Game(100.0)), WORDS, moves, Some(end))
    }

    #[test]
    fn the_three_costliest_moves_are_named_the_worst_first_and_marks_are_counted_by_side() {
        let found = [0.05, 0.0, 0.35, 0.0, 0.25, 0.0, 0.15, 0.005, 0.3, 0.02]
            .map(|drop| finding(0.5, 0.5 - drop));
        let GameVerdict { sides: [first, second], .. } =
            verdict_on(&moves(&found), &end(None, Termination::Normal, 10));
        assert_eq!((first.moves, first.marks, first.costliest), (5, [1, 1, 2], vec![2, 8, 4]));
        assert_eq!(
            (second.moves, second.marks, second.costliest),
            (5, [0; 3], vec![9]),
            "0.005 is not worth naming"
        );
    }

    #[test]
    fn of_moves_that_cost_no_chances_the_one_that_gave_away_more_points_comes_first() {
        let points = |lost: i32| Finding {
            score: Some(10 - lost),
            best_score: Some(10),
            mark: Some(Mark::Inaccuracy),
            proven: true,
            ..finding(1.0, 1.0)
        };
        let found = [points(2), finding(0.0, 0.0), points(7)];
        assert_eq!(
            verdict_on(&moves(&found), &end(None, Termination::Normal, 3)).sides[0].costliest,
            [2, 0]
        );
    }

    #[test]
    fn forced_moves_do_not_count_for_accuracy_and_moves_without_a_finding_for_nothing() {
        let forced = Finding { choices: 1, ..finding(1.0, -1.0) };
        let mut game = moves(&[finding(0.2, 0.2), forced.clone(), forced]);
        game.push(mv(3, 1, (1.0, 90.0), None));
        let GameVerdict { sides: [first, second], .. } =
            verdict_on(&game, &end(None, Termination::Normal, 4));
        assert!(
            first.moves == 2 && first.accuracy.is_some_and(|accuracy| accuracy > 99.9),
            "{first:?}"
        );
        assert_eq!((second.moves, second.accuracy), (1, None));
    }

    #[test]
    fn a_game_turned_after_the_last_move_at_which_the_winner_was_not_ahead() {
        let chances = |chances: &[f64]| {
            moves(&chances.iter().map(|&chance| finding(chance, chance)).collect::<Vec<_>>())
        };
        // For the first side: -0.2, +0.3, 0, +0.4, +0.5.
        let game = chances(&[-0.2, -0.3, 0.0, -0.4, 0.5]);
        let turned = |winner| verdict_on(&game, &end(winner, Termination::Normal, 5)).turned;
        assert_eq!(
            turned(Some(0)),
            Some(Turned::Never),
            "the second side was behind at each of its moves"
        );
        assert_eq!(turned(Some(1)), Some(Turned::Unknown), "behind to the end");
        assert_eq!(turned(None), None);
        assert_eq!(verdict(&header(GameClock::Game(100.0)), WORDS, &game, None).turned, None);
        let game = chances(&[-0.2, 0.3, 0.0, -0.4, 0.5, -0.5]);
        let verdict = verdict_on(&game, &end(Some(0), Termination::Normal, 6));
        assert_eq!(verdict.turning_move(), Some(2), "the winner's move after the loser's 1");
    }

    /// A game whose positions have these chances for the first side, with findings on the chosen
    /// sides' moves.
    fn analysed(chances: &[f64], sides: [bool; 2]) -> Vec<MoveRecord> {
        let sign = |ply: usize| if ply.is_multiple_of(2) { 1.0 } else { -1.0 };
        let found: Vec<Finding> = (0..chances.len() - 1)
            .map(|ply| finding(sign(ply) * chances[ply], sign(ply) * chances[ply + 1]))
            .collect();
        let mut moves = moves(&found);
        moves
            .iter_mut()
            .enumerate()
            .filter(|(ply, _)| !sides[ply % 2])
            .for_each(|(_, mv)| mv.analysis = None);
        moves
    }

    #[test]
    fn findings_on_the_loser_name_the_turn_that_findings_on_both_name_and_findings_on_the_winner_name_none()
     {
        // A winner who fell behind once: the first side's blunder at its last move but one.
        let lost = [0.8, 0.8, 0.8, 0.8, 0.84, -1.0, -1.0, -1.0];
        for (sides, turned) in [
            ([true, true], Turned::With(4)),
            ([true, false], Turned::With(4)),
            ([false, true], Turned::Unknown),
        ] {
            let verdict =
                verdict_on(&analysed(&lost, sides), &end(Some(1), Termination::Normal, 7));
            assert_eq!(verdict.turned, Some(turned));
        }
        // All games of six moves in which the sides are ahead and behind, one after the other. The
        // findings on the winner contradict those on the loser, as a search from another position
        // may.
        let mut turned_by = [0; 2];
        for bits in 0..1 << 7 {
            let chances: Vec<f64> =
                (0..7).map(|at| if bits >> at & 1 == 1 { 0.5 } else { -0.5 }).collect();
            for winner in [0, 1] {
                let end = end(Some(winner), Termination::Normal, 6);
                let only_loser = analysed(&chances, [winner == 1, winner == 0]);
                let mut both = only_loser.clone();
                both.iter_mut()
                    .filter(|record| record.analysis.is_none())
                    .for_each(|record| record.analysis = Some(Box::new(finding(-0.3, -0.3))));
                let of_both = verdict_on(&both, &end).turned;
                assert_eq!(
                    verdict_on(&only_loser, &end).turned,
                    of_both,
                    "{chances:?}, {winner} won"
                );
                if let Some(Turned::With(index)) = of_both {
                    turned_by[index % 2] += 1;
                }
            }
        }
        assert!(turned_by.iter().all(|&count| count > 20), "{turned_by:?}");
    }

    #[test]
    fn no_turn_is_named_among_moves_that_nobody_analysed() {
        let turned = |moves: &[MoveRecord], termination| {
            verdict_on(moves, &end(Some(0), termination, 7)).turning_move()
        };
        let mut game = analysed(&[-0.5, -0.5, -0.5, 0.5, 0.5, 0.5, 0.5, 0.5], [true; 2]);
        assert_eq!(turned(&game, Termination::Normal), Some(2));
        game[2..4].iter_mut().for_each(|mv| mv.analysis = None);
        assert_eq!(turned(&game, Termination::Normal), None, "move 2 or 3");
        let behind = analysed(&[-0.5; 8], [false, true]);
        assert_eq!(turned(&behind, Termination::Normal), Some(6), "the move that won");
        assert_eq!(
            turned(&behind, Termination::TimeForfeit),
            None,
            "the other side's clock, and no move"
        );
    }

    #[test]
    fn a_side_that_had_won_by_proof_and_did_not_win_was_winning_from_its_first_such_move() {
        let won = Finding { after: Some(ProvenResult::Win), ..finding(1.0, 1.0) };
        let even = finding(0.0, 0.0);
        let game =
            moves(&[&won, &even, &even, &even, &won, &even, &won, &even, &won].map(Clone::clone));
        let unfinished = |end: &End| verdict_on(&game, end).sides.map(|side| side.unfinished);
        assert_eq!(unfinished(&end(None, Termination::DrawByMoveLimit, 9)), [Some((4, 3)), None]);
        assert_eq!(unfinished(&end(Some(1), Termination::TimeForfeit, 9)), [Some((4, 3)), None]);
        assert_eq!(unfinished(&end(Some(0), Termination::Normal, 9)), [None, None], "it won");
    }

    #[test]
    fn time_is_unused_by_a_program_that_lost_after_hasty_moves_with_most_of_its_clock_left() {
        let game = |left| {
            [
                mv(0, 0, (HASTY, 99.0), None),
                mv(1, 1, (0.0, 100.0), None),
                mv(2, 0, (0.5, left), None),
            ]
        };
        let lost = end(Some(1), Termination::Normal, 3);
        let unused =
            |game: &[MoveRecord], end: &End| verdict_on(game, end).sides.map(|side| side.unused);
        assert_eq!(unused(&game(90.0), &lost), [Some((1, 90.0)), None]);
        assert_eq!(unused(&game(49.0), &lost), [None, None], "half of the clock was used");
        assert_eq!(
            unused(&game(90.0), &end(Some(0), Termination::Normal, 3)),
            [None, None],
            "a reference player lost"
        );
        assert_eq!(unused(&game(90.0)[1..], &lost), [None, None], "no move was hasty");
        let single = verdict(&header(GameClock::Single(100.0)), WORDS, &game(90.0), Some(&lost));
        assert_eq!(single.sides[0].unused, None, "the clock was for one move");
    }

    #[test]
    fn the_move_at_which_a_clock_ran_out_is_counted_from_one_over_both_sides() {
        let game = moves(&[finding(0.0, 0.0), finding(0.0, 0.0)]);
        let ran_out = |end: &End| verdict_on(&game, end).sides.map(|side| side.ran_out);
        assert_eq!(ran_out(&end(Some(1), Termination::TimeForfeit, 2)), [Some(3), None]);
        assert_eq!(ran_out(&end(Some(1), Termination::Crash, 2)), [None, None]);
    }
}
