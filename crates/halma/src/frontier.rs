//! Exact values of nodes one and two plies above the leaves, computed without making the moves
//! where the evaluation is the difference in worth.
//!
//! The value of a move there is its gain in worth, less the gain of the best reply. Most moves
//! happen far from the other side's pieces and do not change its best reply, which is therefore
//! computed once for all of them.

use crate::best_gain::{FreeMoves, Gain, best_gain, best_gain_and_reach, gain, improve};
use crate::board::{NEIGHBOURS, PIECES, Square, Squares};
use crate::jumps::Reached;
use crate::parity::{PARITIES, add_by_parity};
use crate::rules::{Move, Position, Rules};
use engine::search::Score;
use engine::{Game, Side};
use smallvec::SmallVec;
use std::sync::Arc;

/// The value of a position, with the best move and the best reply.
type Line = (Score, [Move; 2]);

/// Returns the best move for the side to move and its value, or the first move found whose value
/// reaches `beta`; `None` if a move might win, or if there is no move.
pub(crate) fn one_ply(position: &Position, beta: Score) -> Option<(Score, Move)> {
    let side = position.side_to_move();
    if may_win(position, side) {
        return None;
    }
    let estimate = position.worth(side) - position.worth(side.other()) - position.worths().tempo();
    let (gain, mv) = best_gain(position, side, beta.saturating_sub(estimate), Squares::EMPTY)?;
    Some((estimate + gain, mv))
}

/// Returns the value of the position, the best move and the best reply, or a bound outside of
/// `alpha..beta`; `None` if one of the moves might win, or if there is none. At most `most_moves`
/// moves get a search of their own for the best reply.
pub(crate) fn two_plies(
    position: &mut Position,
    alpha: Score,
    beta: Score,
    most_moves: usize,
) -> Option<Line> {
    let side = position.side_to_move();
    let other = side.other();
    // By the base rules, a move may fill one of the other side's holes.
    let holes_needed = if position.rules(side) == Rules::Addendum { 2 } else { 3 };
    if may_win(position, side) || position.holes(other).len() < holes_needed {
        return None;
    }
    let estimate = position.worth(side) - position.worth(other) + position.worths().tempo();
    let (best_reply, reached) = best_gain_and_reach(position, other);
    let (loss, reply) = best_reply?;
    let near = reached.squares().or(position.pieces(other)).spread_by_two();
    let value = estimate - loss;

    let worths = Arc::clone(position.shared_worths());
    let (worth, by_parity) = (worths.table(side), worths.by_parity(side));
    let mut far_best = None;
    // The moves of pieces that are not near to squares that are; if there are no free moves, those
    // of all pieces.
    let mut near_moves: SmallVec<[(Square, Squares); PIECES]> = SmallVec::new();
    let mut visit = |from, destinations: Squares| {
        let (unaffected, affected) = if near.contains(from) {
            (Squares::EMPTY, destinations)
        } else {
            (destinations.minus(near), destinations.and(near))
        };
        unaffected.each(|to| improve(&mut far_best, worth, from, to));
        near_moves.push((from, affected));
    };
    let mut free = FreeMoves::new(position, side);
    let is_free = free.exist();
    if is_free {
        free.pieces()
            .minus(near)
            .each(|from| visit(from, free.destinations(from, [u64::MAX; PARITIES])));
    } else {
        position.each_piece_of(side, &mut Reached::default(), visit);
    }
    let mut best = far_best.map(|(gain, mv)| (value + gain, [mv, reply]));
    let floor = best.map_or(alpha, |(score, _)| score.max(alpha));
    // Fail-high cutoff.
    if floor >= beta {
        return best;
    }

    // The best reply stays legal after moves that do not touch its path: such moves need no search
    // for a reply if they gain too little.
    let support = support_of(position, reply);
    let mut settled: Option<Gain> = None;
    let mut open: SmallVec<[Gain; 128]> = SmallVec::new();
    let mut classify = |from: Square, destinations: Squares, settled: &mut Option<Gain>| {
        let supporting =
            if support.contains(from) { destinations } else { destinations.and(support) };
        destinations.each(|to| {
            let gain = gain(worth, from, to);
            if value + gain > floor || supporting.contains(to) {
                open.push((gain, Move { from, to }));
            } else {
                improve(settled, worth, from, to);
            }
        });
    };
    if is_free {
        let mut support_by_parity = [0; PARITIES];
        support.each(|square| add_by_parity(&mut support_by_parity, square));
        let mut far_moves = near_moves.into_iter();
        free.pieces().each(|from| {
            let destinations = if !near.contains(from) {
                far_moves.next().map_or(Squares::EMPTY, |(_, affected)| affected)
            } else if let Some((most, _)) = settled.filter(|_| !support.contains(from)) {
                // Of the moves that leave the reply alone and gain too little, the best is enough.
                let enough = Score::from(worth[from.index()]) + most.min(floor - value);
                let above = std::array::from_fn(|parity| {
                    by_parity.above(parity, enough) | support_by_parity[parity]
                });
                free.destinations(from, above)
            } else {
                free.destinations(from, [u64::MAX; PARITIES])
            };
            classify(from, destinations, &mut settled);
        });
    } else {
        near_moves
            .into_iter()
            .for_each(|(from, destinations)| classify(from, destinations, &mut settled));
    }
    if let Some((gain, mv)) = settled {
        keep_better(&mut best, value + gain, [mv, reply]);
    }
    search_open(
        position,
        open,
        estimate,
        &BestReply { mv: reply, loss, support },
        best,
        (alpha, beta),
        most_moves,
    )
}

/// The opponent's best reply to moves that leave it alone.
struct BestReply {
    mv: Move,
    loss: Score,
    /// The squares whose occupation it depends on.
    support: Squares,
}

/// Improves on the best value so far by moves that gain much or may hinder the best reply, the
/// largest gain first, each of them with a search for the best reply to it. Returns `None` if there
/// is none.
fn search_open(
    position: &mut Position,
    mut open: SmallVec<[Gain; 128]>,
    estimate: Score,
    reply: &BestReply,
    mut best: Option<Line>,
    (alpha, beta): (Score, Score),
    most_moves: usize,
) -> Option<Line> {
    let value = estimate - reply.loss;
    let mut searched = 0;
    while let Some(most) = (0..open.len()).max_by_key(|&index| open[index].0) {
        let (gain, mv) = open.swap_remove(most);
        let floor = best.map_or(alpha, |(score, _)| score.max(alpha));
        if floor >= beta {
            break;
        }
        if value + gain <= floor
            && !reply.support.contains(mv.from)
            && !reply.support.contains(mv.to)
        {
            keep_better(&mut best, value + gain, [mv, reply.mv]);
            continue;
        }
        if searched == most_moves {
            break;
        }
        searched += 1;
        position.play(mv);
        let enough = (estimate + gain).saturating_sub(floor);
        let answer =
            best_gain(position, position.side_to_move(), enough, Squares::one(reply.mv.from));
        position.undo(mv, ());
        let (loss, answer) = answer?;
        keep_better(&mut best, estimate + gain - loss, [mv, answer]);
    }
    best
}

/// Replaces `best` if the score is larger.
#[inline]
fn keep_better(best: &mut Option<Line>, score: Score, moves: [Move; 2]) {
    if best.is_none_or(|(most, _)| score > most) {
        *best = Some((score, moves));
    }
}

/// Returns whether a side might win by its next move, or has won already.
fn may_win(position: &Position, side: Side) -> bool {
    position.holes(side).len() == 1 || position.has_filled(side)
}

/// Returns the squares whose occupation a legal move depends on: its landings and, for jumps, the
/// squares jumped over.
fn support_of(position: &Position, mv: Move) -> Squares {
    if NEIGHBOURS[mv.from.index()].contains(mv.to) {
        return Squares::one(mv.to);
    }
    position.jumps().support(mv.from, mv.to)
}
