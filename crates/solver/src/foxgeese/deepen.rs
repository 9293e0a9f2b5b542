//! Shorter wins by a shallow search from known positions into known positions.
//!
//! `shorten` only looks one move ahead, and only at positions that were proven on the way to something else. Here the
//! geese may leave the known positions for a few moves, if every reply leads back into them with moves to spare.

use super::shorten::moves_after;
use super::won::{Win, Wins};
use foxgeese::board::Board;
use foxgeese::evaluate::for_geese;
use foxgeese::moves::Move;
use std::collections::HashMap;

/// The number of the geese's moves looked at in a position that is not the first: those that look best.
const MOVES: usize = 12;

/// The searches that failed: by packed canonical board, the moves allowed and the depth.
type Vain = HashMap<u64, (u16, u8)>;

/// Looks from a known position for a win that takes at least one move less, through at most `depth` moves of the
/// geese outside of the known positions. What it finds is kept, and the new number of moves returned.
pub(crate) fn deepen(wins: &mut Wins, vain: &mut Vain, board: Board, depth: u8) -> Option<u16> {
    let moves = wins.get(board)?.moves;
    within(wins, vain, board, moves.checked_sub(1)?, depth + 1, usize::MAX)
}

/// The moves in which the geese, who are to move, win, if they are at most `limit`.
fn within(wins: &mut Wins, vain: &mut Vain, board: Board, limit: u16, depth: u8, width: usize) -> Option<u16> {
    let packed = board.canonical().0;
    if let Some(moves) = wins.moves(packed).filter(|&moves| moves <= limit) {
        return Some(moves);
    }
    if depth == 0 || limit == 0 || vain.get(&packed).is_some_and(|&(most, deep)| most >= limit && deep >= depth) {
        return None;
    }
    let mut moves: Vec<(i32, Move)> = Vec::with_capacity(24);
    board.each_goose_move(|mv| {
        let after = board.after_goose(mv);
        let gift = after.foxes_can_jump();
        moves.push((60 * i32::from(gift) - for_geese(after), mv));
    });
    moves.sort_by_key(|&(value, _)| value);
    moves.truncate(width);
    for (_, mv) in moves {
        if all_within(wins, vain, board.after_goose(mv), limit - 1, depth - 1) {
            let moves = moves_after(wins, board, mv).expect("every reply was just found to be won");
            wins.insert(board, Win { moves, mv });
            return Some(moves);
        }
    }
    vain.insert(packed, (limit, depth));
    None
}

/// Whether the geese win in at most `limit` moves whatever the foxes, who are to move, reply.
fn all_within(wins: &mut Wins, vain: &mut Vain, after: Board, limit: u16, depth: u8) -> bool {
    if after.square_is_full() || after.foxes_are_blocked() {
        return true;
    }
    let mut open = Vec::with_capacity(10);
    let mut hopeless = false;
    after.each_fox_move(|reply| {
        let next = after.after_fox(reply);
        if wins.moves(next.canonical().0).is_none_or(|moves| moves > limit) {
            hopeless |= depth == 0;
            open.push(next);
        }
    });
    !hopeless && open.into_iter().all(|next| within(wins, vain, next, limit, depth, MOVES).is_some())
}
