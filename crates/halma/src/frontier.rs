//! The last two plies above the leaves without making their moves, where the evaluation is the difference in worth.
//!
//! There the value of a move is its gain in worth, and the value of a reply is taken off. Most moves happen far from the
//! other side's pieces and do not change its best reply, which is then looked for only once for all of them.

use crate::board::{BLACK, CAMPS, NEIGHBOURS, PIECES, Square, Squares, WHITE};
use crate::jumps::Nets;
use crate::path::shortest_chain;
use crate::rules::{Move, Position, Rules};
use engine::search::Score;
use engine::{Game, Side};
use smallvec::SmallVec;
use std::sync::Arc;

/// A move and what its side gains by it, in points.
type Gain = (Score, Move);

/// The best move for the side to move and the value after it, or the first found to reach `beta`; `None` if the move might
/// win, or if there is none.
pub(crate) fn one_ply(position: &Position, beta: Score) -> Option<(Score, Move)> {
    let side = position.side_to_move();
    if may_win(position, side) {
        return None;
    }
    let estimate = position.worth(side) - position.worth(side.other()) - position.worths().tempo();
    let (gain, mv) = best_gain(position, side, &mut position.nets(), beta.saturating_sub(estimate), Squares::EMPTY)?;
    Some((estimate + gain, mv))
}

/// The best move for the side to move, the best reply and the value after it, or a bound outside of `alpha..beta`; `None`
/// if one of them might win, or if there is none. Replies are looked for one by one after at most `most_moves` moves.
pub(crate) fn two_plies(
    position: &mut Position,
    alpha: Score,
    beta: Score,
    most_moves: usize,
) -> Option<(Score, [Move; 2])> {
    let side = position.side_to_move();
    let other = side.other();
    // By the base rules, a move may fill a hole of the other side's.
    let holes_needed = if position.rules(side) == Rules::Addendum { 2 } else { 3 };
    if may_win(position, side) || position.holes(other).len() < holes_needed {
        return None;
    }
    let estimate = position.worth(side) - position.worth(other) + position.worths().tempo();
    let mut nets = position.nets();
    let (loss, reply) = best_gain(position, other, &mut nets, Score::MAX, Squares::EMPTY)?;
    let near = nets.found()?.or(position.pieces(other)).spread_by_two();
    let value = estimate - loss;

    let worths = Arc::clone(position.shared_worths());
    let worth = worths.table(side);
    let mut far = None;
    let mut close: SmallVec<[_; PIECES]> = SmallVec::new();
    position.each_piece_of(side, &mut nets, |from, destinations| {
        let (apart, touching) = if near.contains(from) {
            (Squares::EMPTY, destinations)
        } else {
            (destinations.minus(near), destinations.and(near))
        };
        apart.each(|to| improve(&mut far, worth, from, to));
        if !touching.is_empty() {
            close.push((from, touching));
        }
    });
    let mut best = far.map(|(gain, mv)| (value + gain, [mv, reply]));
    let floor = best.map_or(alpha, |(score, _)| score.max(alpha));
    if floor >= beta || close.is_empty() {
        return best;
    }

    // The reply stands after moves that leave its path alone: those that then gain too little are settled.
    let support = support_of(position, reply);
    let mut settled = None;
    let mut open: SmallVec<[Gain; 128]> = SmallVec::new();
    for (from, destinations) in close {
        destinations.each(|to| {
            let mv = Move { from, to };
            let gain = gain(worth, from, to);
            if value + gain > floor || support.contains(from) || support.contains(to) {
                open.push((gain, mv));
            } else {
                improve(&mut settled, worth, from, to);
            }
        });
    }
    if let Some((gain, mv)) = settled {
        keep_better(&mut best, value + gain, [mv, reply]);
    }
    let mut looked_at = 0;
    while let Some(most) = (0..open.len()).max_by_key(|&index| open[index].0) {
        let (gain, mv) = open.swap_remove(most);
        let floor = best.map_or(alpha, |(score, _)| score.max(alpha));
        if floor >= beta {
            break;
        }
        if value + gain <= floor && !support.contains(mv.from) && !support.contains(mv.to) {
            keep_better(&mut best, value + gain, [mv, reply]);
            continue;
        }
        if looked_at == most_moves {
            break;
        }
        looked_at += 1;
        position.play(mv);
        let first = Squares::one(reply.from);
        let answer = best_gain(position, other, &mut position.nets(), (estimate + gain).saturating_sub(floor), first);
        position.undo(mv, ());
        let (loss, reply) = answer?;
        keep_better(&mut best, estimate + gain - loss, [mv, reply]);
    }
    best
}

#[inline]
fn keep_better(best: &mut Option<(Score, [Move; 2])>, score: Score, moves: [Move; 2]) {
    if best.is_none_or(|(most, _)| score > most) {
        *best = Some((score, moves));
    }
}

/// Whether a side may win by its next move, or has won already.
fn may_win(position: &Position, side: Side) -> bool {
    position.holes(side).len() == 1 || position.has_filled(side)
}

/// The squares on which a change might take a legal move away.
fn support_of(position: &Position, mv: Move) -> Squares {
    if NEIGHBOURS[mv.from.index()].contains(mv.to) {
        return Squares::one(mv.to);
    }
    let chain = shortest_chain(position, mv, Squares::EMPTY).unwrap_or_default();
    let over = chain.windows(2).map(|pair| pair[0].jumped_over(pair[1]));
    chain.iter().copied().chain(over).collect()
}

/// A side's move of the largest gain, or the first that gains `enough`. The pieces on the `first` squares come first.
fn best_gain(position: &Position, side: Side, nets: &mut Nets, enough: Score, first: Squares) -> Option<Gain> {
    if position.is_bound_to_leave(side) {
        best_of_listed(position, side, nets)
    } else {
        best_of_nets(position, side, nets, enough, first)
    }
}

fn best_of_listed(position: &Position, side: Side, nets: &mut Nets) -> Option<Gain> {
    let worth = position.worths().table(side);
    let mut best = None;
    position.each_piece_of(side, nets, |from, destinations| {
        destinations.each(|to| improve(&mut best, worth, from, to));
    });
    best
}

/// The move of the largest gain, or the first that gains `enough`, of a side that no rule binds to its camp: found from
/// the best squares of whole nets.
fn best_of_nets(position: &Position, side: Side, nets: &mut Nets, enough: Score, first: Squares) -> Option<Gain> {
    let worth = position.worths().table(side);
    let target = Position::target(side);
    let forbidden = if position.rules(side) == Rules::Addendum { CAMPS[side.index()] } else { Squares::EMPTY };
    let occupied = position.pieces(BLACK).or(position.pieces(WHITE));
    let mut best = None;
    let mut piece = |from: Square| {
        if target.contains(from) {
            let allowed = NEIGHBOURS[from.index()].minus(occupied).or(nets.reachable(from)).and(target);
            allowed.each(|to| improve(&mut best, worth, from, to));
        } else {
            let step = position.jumps().first_step(from, &position.worths().directions(side, from));
            match step {
                Some(to) if !forbidden.contains(to) => improve(&mut best, worth, from, to),
                None => {}
                Some(_) => NEIGHBOURS[from.index()]
                    .minus(occupied)
                    .minus(forbidden)
                    .each(|to| improve(&mut best, worth, from, to)),
            }
            nets.each_net(from, |net| {
                let to = net.best[side.index()];
                if forbidden.contains(to) {
                    net.squares.minus(forbidden).each(|to| improve(&mut best, worth, from, to));
                } else {
                    improve(&mut best, worth, from, to);
                }
            });
        }
        best.is_some_and(|(gain, _)| gain >= enough)
    };
    let pieces = position.pieces(side);
    let _ = first.and(pieces).into_iter().any(&mut piece)
        // The rear gains most, so it comes first: Black's in reading order, White's in the other.
        || match side {
            BLACK => pieces.into_iter().any(&mut piece),
            WHITE => pieces.backwards().any(&mut piece),
        };
    best
}

#[inline]
fn gain(worth: &[i16; 256], from: Square, to: Square) -> Score {
    Score::from(worth[to.index()]) - Score::from(worth[from.index()])
}

#[inline]
fn improve(best: &mut Option<Gain>, worth: &[i16; 256], from: Square, to: Square) {
    let gain = gain(worth, from, to);
    if best.is_none_or(|(most, _)| gain > most) {
        *best = Some((gain, Move { from, to }));
    }
}
