//! A whole game in a few figures: accuracy, marks, the costliest moves, where it turned, time that was left unused.

use super::finding::{Finding, Mark};
use crate::player::spec::PlayerKind;
use crate::record::{End, Header, MoveRecord};
use crate::result::Termination;
use crate::terms::Clock;
use engine::Side;

/// Moves that are named as the costliest of a side.
pub const NAMED: usize = 3;
/// A drop in winning chances that is worth naming.
const LEAST_NAMED: f64 = 0.01;
/// A move this quick was hardly thought about, in CPU seconds.
pub const HASTY: f64 = 0.01;
/// The part of a game's clock that is much to have left at the end.
const MUCH: f64 = 0.5;

/// What a side did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SideVerdict {
    /// Moves that were looked at.
    pub moves: u32,
    /// The mean accuracy of its moves in per cent; forced moves do not count.
    pub accuracy: Option<f64>,
    /// Inaccuracies, mistakes, blunders.
    pub marks: [u32; 3],
    /// Its costliest moves, as indices of the game's moves, the worst first; at most [`NAMED`].
    pub costliest: Vec<usize>,
    /// Moves that took at most [`HASTY`], and the seconds left in the end, of a program that lost with much of its game's
    /// clock left.
    pub unused: Option<(u32, f64)>,
    /// The number of its move at which the clock ran out, counted from 1 over both sides' moves.
    pub ran_out: Option<u32>,
}

/// What happened in a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// By side.
    pub sides: [SideVerdict; 2],
    /// The move, as an index of the game's moves, after which the winner's chances stayed better than the loser's;
    /// `None` without a winner, or if they always were.
    pub turned: Option<usize>,
}

/// The side that made the move of this index.
fn side_of(record: &MoveRecord, words: [&str; 2]) -> Side {
    if record.side == words[0] { Side::First } else { Side::Second }
}

/// The verdict on a game of a game with these words for its sides.
#[must_use]
pub fn verdict(header: &Header, words: [&str; 2], moves: &[MoveRecord], end: Option<&End>) -> Verdict {
    let sides = Side::BOTH.map(|side| {
        let own: Vec<(usize, &MoveRecord)> =
            moves.iter().enumerate().filter(|(_, record)| side_of(record, words) == side).collect();
        side_verdict(header, &own, side, end)
    });
    Verdict { sides, turned: end.and_then(|end| turned(words, moves, end)) }
}

fn side_verdict(header: &Header, own: &[(usize, &MoveRecord)], side: Side, end: Option<&End>) -> SideVerdict {
    let found: Vec<(usize, &Finding)> =
        own.iter().filter_map(|&(index, record)| Some((index, record.analysis.as_deref()?))).collect();
    let chosen: Vec<f64> = found.iter().filter(|(_, f)| f.choices > 1).map(|(_, f)| f.accuracy()).collect();
    let mut costliest: Vec<(usize, &Finding)> =
        found.iter().copied().filter(|(_, f)| f.drop() >= LEAST_NAMED || f.mark.is_some()).collect();
    costliest.sort_by(|(_, a), (_, b)| b.drop().total_cmp(&a.drop()).then(b.points_lost().cmp(&a.points_lost())));
    costliest.truncate(NAMED);
    SideVerdict {
        moves: found.len() as u32,
        accuracy: (!chosen.is_empty()).then(|| chosen.iter().sum::<f64>() / chosen.len() as f64),
        marks: Mark::ALL.map(|mark| found.iter().filter(|(_, f)| f.mark == Some(mark)).count() as u32),
        costliest: costliest.into_iter().map(|(index, _)| index).collect(),
        unused: end.and_then(|end| unused(header, own, side, end)),
        ran_out: end
            .filter(|end| end.termination == Termination::TimeForfeit && end.winner == Some(side.other().index()))
            .map(|end| end.plies + 1),
    }
}

/// Hasty moves, and the seconds left, of a program that lost with much of its game's clock left.
fn unused(header: &Header, own: &[(usize, &MoveRecord)], side: Side, end: &End) -> Option<(u32, f64)> {
    let name = &end.players[side.index()];
    let engine = header.engines.iter().find(|engine| engine.name == *name)?;
    // Reference players are as quick as they are.
    let (PlayerKind::Files { .. }, Clock::Game(full)) = (&engine.kind, engine.clock) else { return None };
    let left = own.last()?.1.left?;
    let hasty = own.iter().filter(|(_, record)| record.cpu <= HASTY).count() as u32;
    let lost = end.winner == Some(side.other().index());
    (lost && hasty > 0 && left >= MUCH * full).then_some((hasty, left))
}

/// The chances of the first side after a move.
#[must_use]
pub fn first_side_s_chance(record: &MoveRecord, words: [&str; 2]) -> Option<f64> {
    let chance = record.analysis.as_ref()?.chance;
    Some(if side_of(record, words) == Side::First { chance } else { -chance })
}

fn turned(words: [&str; 2], moves: &[MoveRecord], end: &End) -> Option<usize> {
    let winner = end.winner?;
    let sign = if winner == Side::First.index() { 1.0 } else { -1.0 };
    let behind = |record: &MoveRecord| first_side_s_chance(record, words).is_some_and(|chance| sign * chance <= 0.0);
    let last_behind = moves.iter().rposition(behind)?;
    (last_behind + 1 < moves.len()).then_some(last_behind + 1)
}
