//! The summary of an analysed game.

use anygame::GameClock;
use arena::analysis::accuracy::{MoveValue, accuracy};
use arena::analysis::finding::{Finding, Mark, ProvenResult};
use arena::analysis::text::percent;
use arena::player::spec::PlayerKind;
use arena::record::{End, Header, MoveRecord};
use arena::result::Termination;
use engine::{Curve, Side};

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
    /// The accuracy of its moves in per cent, if enough of them count.
    pub accuracy: Option<f64>,
    /// Inaccuracies, mistakes, blunders.
    pub marks: [u32; 3],
    /// Its costliest moves as indices, the worst first; at most [`NAMED`].
    pub costliest: Vec<usize>,
    /// Of a side that was lost before its first move: the moves after which the end came sooner, the
    /// most plies sooner first; at most [`NAMED`].
    pub resistance: Option<Vec<usize>>,
    /// Of a side that did not win: the first of the last moves in a row that kept a proven win, and
    /// their number.
    pub unfinished: Option<(usize, usize)>,
    /// Of a program that lost with much of its game's clock left: moves of at most [`HASTY`], and
    /// the seconds left.
    pub unused: Option<(u32, f64)>,
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

/// The verdict on a game of a game with these words for its sides and this curve of winning chances.
pub fn verdict(
    header: &Header,
    (words, curve): ([&str; 2], Option<Curve>),
    moves: &[MoveRecord],
    end: &End,
) -> GameVerdict {
    let sides = Side::BOTH.map(|side| {
        let own: Vec<(usize, &MoveRecord)> =
            moves.iter().enumerate().filter(|(_, record)| side_of(record, words) == side).collect();
        side_verdict(header, &own, (side, curve), end)
    });
    GameVerdict { sides, turned: turned(words, moves, end) }
}

fn side_verdict(
    header: &Header,
    own: &[(usize, &MoveRecord)],
    (side, curve): (Side, Option<Curve>),
    end: &End,
) -> SideVerdict {
    let found =
        own.iter().filter_map(|&(index, record)| Some((index, record.analysis.as_deref()?)));
    let found: Vec<(usize, &Finding)> = found.collect();
    let values: Vec<MoveValue> = found.iter().map(|(_, f)| MoveValue::of(f, curve)).collect();
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
        accuracy: accuracy(&values),
        marks: Mark::ALL
            .map(|mark| found.iter().filter(|(_, f)| f.mark == Some(mark)).count() as u32),
        costliest: costliest.into_iter().map(|(index, _)| index).collect(),
        resistance: resistance(&found, side, end),
        unfinished: unfinished(&found, side, end),
        unused: unused(header, own, side, end),
    }
}

fn resistance(found: &[(usize, &Finding)], side: Side, end: &End) -> Option<Vec<usize>> {
    let (_, first) = found.first()?;
    let is_lost = end.winner == Some(side.other().index());
    (is_lost && first.before == Some(ProvenResult::Loss)).then_some(())?;
    let sooner = |(index, finding): &(usize, &Finding)| {
        let [best, played] = finding.resistance()?;
        Some((best.checked_sub(played).filter(|&plies| plies > 0)?, *index))
    };
    let mut shortened: Vec<(u32, usize)> = found.iter().filter_map(sooner).collect();
    shortened.sort_by(|(one, _), (other, _)| other.cmp(one));
    shortened.truncate(NAMED);
    Some(shortened.into_iter().map(|(_, index)| index).collect())
}

fn unfinished(found: &[(usize, &Finding)], side: Side, end: &End) -> Option<(usize, usize)> {
    let winning =
        found.iter().rev().take_while(|(_, finding)| finding.after == Some(ProvenResult::Win));
    let (first, _) = winning.clone().last().filter(|_| end.winner != Some(side.index()))?;
    Some((*first, winning.count()))
}

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
        let finding = record.analysis.as_deref().filter(|_| of_loser)?;
        Some((finding.best_chance, finding.chance))
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
            chance,
            best_chance: best,
            mark: Mark::of_drop(best - chance),
            ..Finding::of_best("b".to_string(), 2, Effort::Nodes(1))
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
        verdict(&header(GameClock::Game(100.0)), (WORDS, None), moves, end)
    }

    #[test]
    fn the_three_costliest_moves_are_named_the_worst_first_and_marks_are_counted_by_side() {
        let found = [0.05, 0.0, 0.35, 0.0, 0.25, 0.0, 0.15, 0.005, 0.3, 0.02]
            .map(|drop| finding(0.5, 0.5 - drop));
        let drawn = end(None, Termination::Normal, 10);
        let [first, second] = verdict_on(&moves(&found), &drawn).sides;
        assert_eq!((first.moves, first.marks, first.costliest), (5, [1, 1, 2], vec![2, 8, 4]));
        // 0.005 is not worth naming.
        assert_eq!((second.moves, second.marks, second.costliest), (5, [0; 3], vec![9]));
        // Where no chances were lost, more points come first.
        let points = |lost: i32| Finding {
            score: Some(10 - lost),
            best_score: Some(10),
            mark: Some(Mark::Inaccuracy),
            proven: true,
            ..finding(1.0, 1.0)
        };
        let found = [points(2), finding(0.0, 0.0), points(7)];
        assert_eq!(verdict_on(&moves(&found), &drawn).sides[0].costliest, [2, 0]);
    }

    #[test]
    fn a_side_that_was_lost_from_its_start_is_told_where_it_shortened_its_resistance() {
        use engine::score::WIN;
        let lost = |best: i32, played: i32| Finding {
            best_score: Some(best - WIN),
            score: Some(played - WIN),
            before: Some(ProvenResult::Loss),
            after: Some(ProvenResult::Loss),
            ..finding(-1.0, -1.0)
        };
        let unknown = Finding { best_score: None, ..lost(9, 9) };
        let found = [lost(40, 12), lost(9, 3), unknown, lost(9, 9), lost(8, 8), lost(7, 5)];
        let game = moves(&found);
        let resistance = |winner| {
            let end = end(Some(winner), Termination::Normal, 6);
            verdict_on(&game, &end).sides.map(|side| side.resistance)
        };
        assert_eq!(resistance(1), [Some(vec![0]), None]);
        assert_eq!(resistance(0), [None, Some(vec![1, 5])]);
        let mut won_once = game.clone();
        won_once[0].analysis = Some(Box::new(finding(0.5, 0.5)));
        let lost = end(Some(1), Termination::Normal, 6);
        assert_eq!(verdict_on(&won_once, &lost).sides[0].resistance, None);
    }

    #[test]
    fn forced_moves_do_not_count_for_accuracy_and_moves_without_a_finding_for_nothing() {
        let forced = Finding { choices: 1, ..finding(1.0, -1.0) };
        let mut game = moves(&vec![[finding(0.2, 0.2), forced.clone()]; 5].concat());
        game.extend([mv(10, 0, (1.0, 90.0), Some(forced)), mv(11, 1, (1.0, 90.0), None)]);
        let [first, second] = verdict_on(&game, &end(None, Termination::Normal, 12)).sides;
        assert!(first.moves == 6 && first.accuracy.unwrap() > 99.9, "{first:?}");
        assert_eq!((second.moves, second.accuracy), (5, None));
    }

    /// A game whose positions have these chances for the first side, with findings on the chosen
    /// sides' moves.
    fn analysed(chances: &[f64; 8], sides: [bool; 2]) -> Vec<MoveRecord> {
        let sign = |ply: usize| if ply.is_multiple_of(2) { 1.0 } else { -1.0 };
        let found: Vec<Finding> = (0..7)
            .map(|ply| finding(sign(ply) * chances[ply], sign(ply) * chances[ply + 1]))
            .collect();
        let mut moves = moves(&found);
        for (_, mv) in moves.iter_mut().enumerate().filter(|(ply, _)| !sides[ply % 2]) {
            mv.analysis = None;
        }
        moves
    }

    #[test]
    fn a_game_turned_after_the_last_move_at_which_the_winner_was_not_ahead() {
        use Termination::{Normal, TimeForfeit};
        // The second side won after it fell behind once, by the first side's last move but one.
        let lost = [0.8, 0.8, 0.8, 0.8, 0.84, -1.0, -1.0, -1.0];
        let won = [-0.5, -0.5, -0.5, 0.5, 0.5, 0.5, 0.5, 0.5];
        let [all, first, second] = [[true; 2], [true, false], [false, true]];
        for (chances, sides, winner, termination, turned) in [
            (lost, all, Some(1), Normal, Some(Turned::With(4))),
            // The findings on the loser alone name the same move, and those on the winner none.
            (lost, first, Some(1), Normal, Some(Turned::With(4))),
            (lost, second, Some(1), Normal, Some(Turned::Unknown)),
            (won, all, Some(0), Normal, Some(Turned::With(2))),
            ([0.5; 8], all, Some(0), Normal, Some(Turned::Never)),
            // Behind to the end: the winner's last move, unless a clock ended the game.
            ([0.5; 8], all, Some(1), Normal, Some(Turned::Unknown)),
            ([-0.5; 8], second, Some(0), Normal, Some(Turned::With(6))),
            ([-0.5; 8], second, Some(0), TimeForfeit, Some(Turned::Unknown)),
            (won, all, None, Normal, None),
        ] {
            let verdict = verdict_on(&analysed(&chances, sides), &end(winner, termination, 7));
            assert_eq!(verdict.turned, turned, "{chances:?} {sides:?}");
        }
        // Nobody analysed move 2 and 3, one of which turned the game.
        let mut game = analysed(&won, all);
        game[2..4].iter_mut().for_each(|mv| mv.analysis = None);
        assert_eq!(verdict_on(&game, &end(Some(0), Normal, 7)).turning_move(), None);
    }

    #[test]
    fn time_is_unused_by_a_program_that_lost_after_hasty_moves_with_most_of_its_clock_left() {
        let game = |left| {
            let second = mv(1, 1, (0.0, 100.0), None);
            [mv(0, 0, (HASTY, 99.0), None), second, mv(2, 0, (0.5, left), None)]
        };
        let unused = |clock, game: &[MoveRecord], winner| {
            let end = end(Some(winner), Termination::Normal, 3);
            verdict(&header(clock), (WORDS, None), game, &end).sides.map(|side| side.unused)
        };
        let clock = GameClock::Game(100.0);
        assert_eq!(unused(clock, &game(90.0), 1), [Some((1, 90.0)), None]);
        // Half of the clock was used; a reference player lost; no move was hasty; each move had a
        // clock of its own.
        assert_eq!(unused(clock, &game(49.0), 1), [None, None]);
        assert_eq!(unused(clock, &game(90.0), 0), [None, None]);
        assert_eq!(unused(clock, &game(90.0)[1..], 1), [None, None]);
        assert_eq!(unused(GameClock::Single(100.0), &game(90.0), 1), [None, None]);
    }
}
