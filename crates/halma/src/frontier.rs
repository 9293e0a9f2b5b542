//! Exact values of nodes one and two plies above the leaves, computed without making the moves where the evaluation is
//! the difference in worth.
//!
//! The value of a move there is its gain in worth, less the gain of the best reply. Most moves happen far from the
//! other side's pieces and do not change its best reply, which is therefore computed once for all of them.

use crate::board::{BLACK, CAMPS, NEIGHBOURS, PIECES, Square, Squares, WHITE};
use crate::jumps::Reached;
use crate::parity::{CAMPS_BY_CLASS, CLASSES, bit_of, class_of, square_of};
use crate::rules::{Move, Position, Rules};
use engine::search::Score;
use engine::{Game, Side};
use smallvec::SmallVec;
use std::sync::Arc;

/// A move and its gain in worth, in points.
type Gain = (Score, Move);

/// Returns the best move for the side to move and its value, or the first move found whose value reaches `beta`; `None`
/// if a move might win, or if there is no move.
pub(crate) fn one_ply(position: &Position, beta: Score) -> Option<(Score, Move)> {
    let side = position.side_to_move();
    if may_win(position, side) {
        return None;
    }
    let estimate = position.worth(side) - position.worth(side.other()) - position.worths().tempo();
    let (gain, mv) = best_gain(position, side, &mut Reached::default(), beta.saturating_sub(estimate), Squares::EMPTY)?;
    Some((estimate + gain, mv))
}

/// Returns the value of the position, the best move and the best reply, or a bound outside of `alpha..beta`; `None` if
/// one of the moves might win, or if there is none. At most `most_moves` moves get a search of their own for the best
/// reply.
pub(crate) fn two_plies(
    position: &mut Position,
    alpha: Score,
    beta: Score,
    most_moves: usize,
) -> Option<(Score, [Move; 2])> {
    let side = position.side_to_move();
    let other = side.other();
    // By the base rules, a move may fill one of the other side's holes.
    let holes_needed = if position.rules(side) == Rules::Addendum { 2 } else { 3 };
    if may_win(position, side) || position.holes(other).len() < holes_needed {
        return None;
    }
    let estimate = position.worth(side) - position.worth(other) + position.worths().tempo();
    let mut reached = Reached::default();
    let (loss, reply) = best_gain(position, other, &mut reached, Score::MAX, Squares::EMPTY)?;
    let near = reached.squares().or(position.pieces(other)).spread_by_two();
    let value = estimate - loss;

    let worths = Arc::clone(position.shared_worths());
    let worth = worths.table(side);
    let mut far_best = None;
    let mut near_moves: SmallVec<[_; PIECES]> = SmallVec::new();
    position.each_piece_of(side, &mut reached, |from, destinations| {
        let (unaffected, affected) = if near.contains(from) {
            (Squares::EMPTY, destinations)
        } else {
            (destinations.minus(near), destinations.and(near))
        };
        unaffected.each(|to| improve(&mut far_best, worth, from, to));
        if !affected.is_empty() {
            near_moves.push((from, affected));
        }
    });
    let mut best = far_best.map(|(gain, mv)| (value + gain, [mv, reply]));
    let floor = best.map_or(alpha, |(score, _)| score.max(alpha));
    // Fail-high cutoff, or nothing left to search.
    if floor >= beta || near_moves.is_empty() {
        return best;
    }

    // The best reply stays legal after moves that do not touch its path: such moves need no search for a reply if they
    // gain too little.
    let support = support_of(position, reply);
    let mut settled = None;
    let mut open: SmallVec<[Gain; 128]> = SmallVec::new();
    for (from, destinations) in near_moves {
        let supporting = if support.contains(from) { destinations } else { destinations.and(support) };
        destinations.each(|to| {
            let gain = gain(worth, from, to);
            if value + gain > floor || supporting.contains(to) {
                open.push((gain, Move { from, to }));
            } else {
                improve(&mut settled, worth, from, to);
            }
        });
    }
    if let Some((gain, mv)) = settled {
        keep_better(&mut best, value + gain, [mv, reply]);
    }
    let mut searched = 0;
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
        if searched == most_moves {
            break;
        }
        searched += 1;
        position.play(mv);
        let first = Squares::one(reply.from);
        let answer = best_gain(position, other, &mut Reached::default(), (estimate + gain).saturating_sub(floor), first);
        position.undo(mv, ());
        let (loss, reply) = answer?;
        keep_better(&mut best, estimate + gain - loss, [mv, reply]);
    }
    best
}

/// Replaces `best` if the score is larger.
#[inline]
fn keep_better(best: &mut Option<(Score, [Move; 2])>, score: Score, moves: [Move; 2]) {
    if best.is_none_or(|(most, _)| score > most) {
        *best = Some((score, moves));
    }
}

/// Returns whether a side might win by its next move, or has won already.
fn may_win(position: &Position, side: Side) -> bool {
    position.holes(side).len() == 1 || position.has_filled(side)
}

/// Returns the squares whose occupation a legal move depends on: its landings and, for jumps, the squares jumped over.
fn support_of(position: &Position, mv: Move) -> Squares {
    if NEIGHBOURS[mv.from.index()].contains(mv.to) {
        return Squares::one(mv.to);
    }
    position.jumps().support(mv.from, mv.to)
}

/// Returns a side's move of the largest gain, or the first found that gains at least `enough`. Pieces on the squares of
/// `first` are tried first.
fn best_gain(position: &Position, side: Side, reached: &mut Reached, enough: Score, first: Squares) -> Option<Gain> {
    if position.is_bound_to_leave(side) {
        best_of_listed(position, side, reached)
    } else {
        best_of_free(position, side, reached, enough, first)
    }
}

/// Returns the move of the largest gain among all legal moves of a side.
fn best_of_listed(position: &Position, side: Side, reached: &mut Reached) -> Option<Gain> {
    let worth = position.worths().table(side);
    let mut best = None;
    position.each_piece_of(side, reached, |from, destinations| {
        destinations.each(|to| improve(&mut best, worth, from, to));
    });
    best
}

/// Returns the move of the largest gain, or the first found that gains at least `enough`, of a side whose moves
/// addendum rule 2 does not restrict. `reached` is empty.
fn best_of_free(position: &Position, side: Side, reached: &mut Reached, enough: Score, first: Squares) -> Option<Gain> {
    /// Less than any gain, and far enough from overflow.
    const NONE: Score = Score::MIN / 2;
    let worths = position.worths();
    let worth = worths.table(side);
    let target = Position::target(side);
    let is_addendum = position.rules(side) == Rules::Addendum;
    let occupied = position.pieces(BLACK).or(position.pieces(WHITE));
    let forbidden = if is_addendum { CAMPS[side.index()].or(occupied) } else { occupied };
    let own_camp = if is_addendum { &CAMPS_BY_CLASS[side.index()] } else { &[0; CLASSES] };
    let (mut best, mut best_move) = (NONE, Move::PASS);
    // No less than the largest worth of the squares reached so far, by class. A piece whose first jumps all lead to
    // squares reached before reaches nothing better.
    let mut most = [NONE; CLASSES];
    let pieces = position.pieces(side);
    for set in [first.and(pieces), pieces] {
        // Pieces at the rear gain most and come first: reading order for Black, the reverse for White.
        set.visit_until(side == WHITE, |from| {
            let here = Score::from(worth[from.index()]);
            let stays = target.contains(from);
            let neighbours = worths.neighbours(side, from);
            if Score::from(worth[usize::from(neighbours[0])]) - here > best {
                let may_enter = |to: Square| !forbidden.contains(to) && (!stays || target.contains(to));
                if let Some(&to) = neighbours.iter().find(|&&to| may_enter(Square::new(to))) {
                    let gain = Score::from(worth[usize::from(to)]) - here;
                    if gain > best {
                        (best, best_move) = (gain, Move { from, to: Square::new(to) });
                    }
                }
            }
            let class = class_of(from);
            let jumps = position.jumps().of_class(class);
            let landings = jumps.after_one(bit_of(from));
            if landings == 0 || (reached.contains(class, landings) && most[class] - here <= best) {
                return best >= enough;
            }
            let mut squares = jumps.closure(landings);
            reached.add(class, squares);
            squares &= !own_camp[class];
            if stays {
                squares &= CAMPS_BY_CLASS[side.other().index()][class];
            }
            let worths = worths.of_class(side, class);
            let (mut largest, mut largest_bit) = (NONE, 0);
            while squares != 0 {
                let bit = squares.trailing_zeros();
                squares &= squares - 1;
                let worth = Score::from(worths[bit as usize & 63]);
                if worth > largest {
                    (largest, largest_bit) = (worth, bit);
                }
            }
            most[class] = if stays { Score::MAX / 2 } else { most[class].max(largest) };
            if largest - here > best {
                (best, best_move) = (largest - here, Move { from, to: square_of(class, largest_bit) });
            }
            best >= enough
        });
        if best >= enough {
            break;
        }
    }
    (best != NONE).then_some((best, best_move))
}

/// Returns the worth of the square `to` less that of `from`, in points.
#[inline]
fn gain(worth: &[i16; 256], from: Square, to: Square) -> Score {
    Score::from(worth[to.index()]) - Score::from(worth[from.index()])
}

/// Replaces `best` if the move gains more.
#[inline]
fn improve(best: &mut Option<Gain>, worth: &[i16; 256], from: Square, to: Square) {
    let gain = gain(worth, from, to);
    if best.is_none_or(|(most, _)| gain > most) {
        *best = Some((gain, Move { from, to }));
    }
}
